import type { DeviceKey } from '../base/ids.js'
import type { DeviceSigner } from '../keys/device.js'
import { Network, type Connection } from './swarm.js'

/** Whom this device lets in. */
export interface Admitted {
  readonly contacts: ReadonlySet<DeviceKey>
  /** Those of the contacts who have to come by themselves. */
  readonly awaited: ReadonlySet<DeviceKey>
  /** This person’s other devices. */
  readonly siblings: ReadonlySet<DeviceKey>
  /** Keys of open invites, and the one of the words. */
  readonly guests: ReadonlySet<DeviceKey>
}

/** Who is told of a connection, by who is at its other end. */
export interface Hosts {
  contact(connection: Connection, device: DeviceKey): void
  sibling(connection: Connection, device: DeviceKey): void
  guest(connection: Connection, key: DeviceKey): void
}

const NOBODY: Admitted = {
  contacts: new Set(),
  awaited: new Set(),
  siblings: new Set(),
  guests: new Set()
}

/** This device among others: it lets in whom it was told of, and says who is there. */
export class Presence {
  readonly #signer: DeviceSigner
  readonly #hosts: Hosts
  #admitted = NOBODY
  #network: Network | undefined

  constructor(signer: DeviceSigner, hosts: Hosts) {
    this.#signer = signer
    this.#hosts = hosts
  }

  get online(): boolean {
    return this.#network !== undefined
  }

  /**
   * Comes online.
   *
   * @param topic 32 bytes: where this person’s devices are found by one that knows none of them
   */
  async goOnline(bootstrap: readonly string[] | undefined, topic?: Uint8Array): Promise<void> {
    this.#network = await Network.start({
      bootstrap,
      signer: this.#signer,
      onConnection: (connection, device) => this.#meet(connection, device)
    })
    if (topic) this.#network.announce(topic)
    this.admit(this.#admitted)
  }

  /** Lets in these from now on, and nobody else; who is dropped is disconnected. */
  admit(admitted: Admitted): void {
    this.#admitted = admitted
    const { contacts, awaited, siblings, guests } = admitted
    this.#network?.admit(new Set([...contacts, ...siblings, ...guests]), new Set([...awaited, ...guests]))
  }

  /** The devices with a connection that is open. */
  connected(): Set<DeviceKey> {
    return this.#network?.connected() ?? new Set()
  }

  async close(): Promise<void> {
    await this.#network?.close()
  }

  #meet(connection: Connection, device: DeviceKey): void {
    const { contacts, siblings, guests } = this.#admitted
    if (siblings.has(device)) this.#hosts.sibling(connection, device)
    else if (contacts.has(device)) this.#hosts.contact(connection, device)
    else if (guests.has(device)) this.#hosts.guest(connection, device)
    else connection.destroy()
  }
}
