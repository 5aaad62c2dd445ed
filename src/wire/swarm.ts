import DHT from 'hyperdht'
import Hyperswarm, { type Connection } from 'hyperswarm'
import type { DeviceKey } from '../base/ids.js'
import type { DeviceSigner } from '../keys/device.js'
import { fromHex, toHex } from '../keys/sodium.js'

export type { Connection } from 'hyperswarm'

/** Connections that a node holds at once, and how many of them others may have opened. */
const MAX_PEERS = 256
const MAX_SERVER_CONNECTIONS = 192

/**
 * A swarm on a DHT of its own. `bootstrap` lists `host:port`; without it the public
 * nodes are used. Where all of them are on this machine, so is the swarm.
 *
 * @param firewall true for a key that isn't let in; sees outgoing dials too
 */
export function newSwarm(options: {
  bootstrap: readonly string[] | undefined
  signer?: DeviceSigner
  firewall?: (publicKey: Buffer) => boolean
}): Hyperswarm {
  const { bootstrap, signer, firewall } = options
  const local = bootstrap?.every((address) => LOOPBACK.test(address)) ?? false
  const dht = new DHT({
    ...(bootstrap && { bootstrap }),
    ...(local && { host: '127.0.0.1', firewalled: false })
  })
  const swarm = new Hyperswarm({
    dht,
    maxPeers: MAX_PEERS,
    maxServerConnections: MAX_SERVER_CONNECTIONS,
    ...(signer && { keyPair: { publicKey: fromHex(signer.key), secretKey: signer.secret } }),
    ...(firewall && { firewall })
  })
  // A refusal is remembered by the swarm for ever, one entry a key: strangers could fill the memory.
  swarm.on('ban', ({ publicKey }: { publicKey: Buffer }) => swarm.peers.delete(toHex(publicKey)))
  return swarm
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$/

/**
 * This device on the network. It lets in the devices that it was told of and nobody
 * else, keeps dialling them, and hands over each connection; the key of the other end
 * is proven by the handshake.
 */
export class Network {
  readonly #swarm: Hyperswarm
  readonly #admitted = new Set<DeviceKey>()
  readonly #dialled = new Set<DeviceKey>()
  #closed = false
  #listening: Promise<void> = Promise.resolve()

  private constructor(swarm: Hyperswarm) {
    this.#swarm = swarm
  }

  /**
   * Begins to listen; it may take a while until the network is there.
   *
   * @param onConnection called for each connection that is open, with its device
   */
  static async start(options: {
    bootstrap: readonly string[] | undefined
    signer: DeviceSigner
    onConnection: (connection: Connection, device: DeviceKey) => void
  }): Promise<Network> {
    const swarm = newSwarm({
      bootstrap: options.bootstrap,
      signer: options.signer,
      firewall: (publicKey) => !network.#admitted.has(deviceKey(publicKey))
    })
    const network = new Network(swarm)
    swarm.on('connection', (connection: Connection) => {
      connection.on('error', ignore)
      connection.setKeepAlive(KEEP_ALIVE)
      options.onConnection(connection, deviceKey(connection.remotePublicKey))
    })
    // Without a network this takes seconds, and the node has other things to do.
    network.#listening = swarm.listen().catch(() => {})
    return network
  }

  /**
   * Lets in exactly these devices from now on and dials them; the others are dropped.
   *
   * @param awaited those that are let in but not dialled yet, because they wouldn't let
   *   this one in: a refused dial hangs for eight seconds and stands in the way of theirs
   */
  admit(devices: ReadonlySet<DeviceKey>, awaited: ReadonlySet<DeviceKey>): void {
    for (const device of this.#admitted) {
      if (devices.has(device)) continue
      this.#admitted.delete(device)
      this.#dialled.delete(device)
      this.#swarm.leavePeer(fromHex(device))
      for (const connection of this.#swarm.connections) {
        if (deviceKey(connection.remotePublicKey) === device) connection.destroy()
      }
    }
    for (const device of devices) {
      this.#admitted.add(device)
      if (awaited.has(device) || this.#dialled.has(device)) continue
      this.#dialled.add(device)
      void this.#listening.then(() => this.#dial(device))
    }
  }

  /** Dials a device, now and whenever it is lost, unless it was dropped meanwhile. */
  #dial(device: DeviceKey): void {
    if (this.#dialled.has(device) && !this.#closed) this.#swarm.joinPeer(fromHex(device))
  }

  /** Lets whoever looks up a topic of 32 bytes find this device. */
  announce(topic: Uint8Array): void {
    void this.#listening.then(() => this.#join(topic))
  }

  #join(topic: Uint8Array): void {
    if (!this.#closed) this.#swarm.join(topic, { server: true, client: false })
  }

  /** The devices with a connection that is open. */
  connected(): Set<DeviceKey> {
    return new Set([...this.#swarm.connections].map(({ remotePublicKey }) => deviceKey(remotePublicKey)))
  }

  /** Goes offline. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#swarm.destroy()
  }
}

/** Milliseconds between signs of life, so that a vanished peer is noticed and dialled again. */
const KEEP_ALIVE = 5000

/** The device at the other end of a connection. */
export function deviceKey(publicKey: Buffer): DeviceKey {
  return toHex(publicKey) as DeviceKey
}

/** A connection that breaks is closed and dialled again; the error says no more than that. */
function ignore(): void {}
