import type Corestore from 'corestore'
import type { BundleId, DeviceKey, IdentityKey } from '../base/ids.js'
import type { DeviceSigner } from '../keys/device.js'
import { exchangeHellos, type Hello } from './hello.js'
import { MailReader, Mailbox } from './mailbox.js'
import type { Envelope, Receipt } from './message.js'
import { deviceKey, Network, type Connection } from './swarm.js'

/** What a courier asks of whoever runs it. */
export interface CourierHandler {
  /** This person's own card as it travels. */
  ownCard(): Promise<Uint8Array>
  /** A contact's card that came with a connection. */
  card(contact: IdentityKey, card: Uint8Array): Promise<void>
  /** A bundle that a contact offers; gives the receipt for it. `held` leaves it with them. */
  bundle(
    contact: IdentityKey,
    envelope: Envelope,
    fetch: () => Promise<Uint8Array | undefined>
  ): Promise<Receipt>
  receipt(contact: IdentityKey, receipt: Receipt): Promise<void>
  /** A contact is fetching a bundle. */
  sending(id: BundleId): Promise<void>
  /** Something failed that no one waits for. */
  failed(error: unknown): void
}

/**
 * Carries mail between this device and those of the contacts: a mailbox for each
 * contact, and a reader for each of their devices that was met.
 */
export class Courier {
  readonly #logs: Corestore
  readonly #signer: DeviceSigner
  readonly #handler: CourierHandler
  readonly #mailboxes = new Map<IdentityKey, Promise<Mailbox>>()
  /** One a device, whatever it names: what a contact can make this one hold is bounded. */
  readonly #readers = new Map<DeviceKey, { readonly mailbox: string; readonly reader: MailReader }>()
  readonly #owners = new Map<DeviceKey, IdentityKey>()
  #awaited: ReadonlySet<DeviceKey> = new Set()
  #network: Network | undefined

  constructor(logs: Corestore, signer: DeviceSigner, handler: CourierHandler) {
    this.#logs = logs
    this.#signer = signer
    this.#handler = handler
  }

  /** The mailbox to a contact; made at its first use. */
  mailbox(contact: IdentityKey): Promise<Mailbox> {
    let mailbox = this.#mailboxes.get(contact)
    if (!mailbox) {
      const onSending = (id: BundleId): void => this.#run(() => this.#handler.sending(id))
      mailbox = Mailbox.open(this.#logs, contact, onSending)
      // One that can't be opened now, as on a full disk, may open the next time.
      mailbox.catch(() => this.#mailboxes.delete(contact))
      this.#mailboxes.set(contact, mailbox)
    }
    return mailbox
  }

  /** Comes online; the devices that {@link admit} names are dialled. */
  async goOnline(bootstrap: readonly string[] | undefined): Promise<void> {
    this.#network = await Network.start({
      bootstrap,
      signer: this.#signer,
      onConnection: (connection, device) => this.#meet(connection, device)
    })
    this.#network.admit(new Set(this.#owners.keys()), this.#awaited)
  }

  /**
   * Names all contacts and their devices; nobody else is let in from now on. Those in
   * `awaited` are let in, but have to come by themselves.
   */
  admit(contacts: ReadonlyMap<IdentityKey, ReadonlySet<DeviceKey>>, awaited: ReadonlySet<IdentityKey>): void {
    this.#owners.clear()
    const waited = new Set<DeviceKey>()
    for (const [contact, devices] of contacts) {
      for (const device of devices) {
        this.#owners.set(device, contact)
        if (awaited.has(contact)) waited.add(device)
      }
    }
    this.#awaited = waited
    this.#network?.admit(new Set(this.#owners.keys()), waited)
    for (const device of this.#readers.keys()) {
      if (!this.#owners.has(device)) this.#run(() => this.#stopReading(device))
    }
  }

  /** Offers again what was held: there is room now. */
  retryHeld(): void {
    for (const { reader } of this.#readers.values()) reader.retry()
  }

  get online(): boolean {
    return this.#network !== undefined
  }

  /** The contacts with an open connection. */
  connected(): Set<IdentityKey> {
    const contacts = new Set<IdentityKey>()
    for (const device of this.#network?.connected() ?? []) {
      const owner = this.#owners.get(device)
      if (owner) contacts.add(owner)
    }
    return contacts
  }

  /** Goes offline and stops reading. */
  async close(): Promise<void> {
    await this.#network?.close()
    for (const device of this.#readers.keys()) await this.#stopReading(device)
  }

  #meet(connection: Connection, device: DeviceKey): void {
    const contact = this.#owners.get(device)
    if (!contact) return void connection.destroy()
    const sayHello = exchangeHellos(connection, (theirs) =>
      this.#run(() => this.#greet(contact, connection, theirs))
    )
    this.#run(async () => {
      const mailbox = await this.mailbox(contact)
      mailbox.replicate(connection)
      sayHello({ card: await this.#handler.ownCard(), mailbox: mailbox.key })
    })
  }

  async #greet(contact: IdentityKey, connection: Connection, { card, mailbox }: Hello): Promise<void> {
    const device = deviceKey(connection.remotePublicKey)
    await this.#handler.card(contact, card)
    if (this.#readers.get(device)?.mailbox !== mailbox) await this.#stopReading(device)
    // They may have been forgotten while their card was looked at.
    if (this.#owners.get(device) !== contact) return
    const met = this.#readers.get(device)
    if (met) {
      met.reader.replicate(connection)
      met.reader.retry()
      return
    }
    const reader = new MailReader(this.#logs, mailbox, {
      bundle: async (envelope, fetch) => {
        const receipt = await this.#handler.bundle(contact, envelope, fetch)
        await (await this.mailbox(contact)).acknowledge(receipt)
        return receipt.state !== 'held'
      },
      receipt: (receipt) => this.#handler.receipt(contact, receipt),
      failed: (error) => this.#handler.failed(error)
    })
    reader.replicate(connection)
    this.#readers.set(device, { mailbox, reader })
  }

  async #stopReading(device: DeviceKey): Promise<void> {
    const reading = this.#readers.get(device)
    this.#readers.delete(device)
    await reading?.reader.close()
  }

  #run(step: () => Promise<void>): void {
    step().catch((error: unknown) => this.#handler.failed(error))
  }
}
