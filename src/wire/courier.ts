import type Corestore from 'corestore'
import type { BundleId, DeviceKey, IdentityKey } from '../base/ids.js'
import type { Channel } from './channel.js'
import { exchangeHellos, type Hello } from './hello.js'
import { MailReader } from './mail-reader.js'
import { Mailbox } from './mailbox.js'
import type { Envelope, Receipt } from './message.js'
import { deviceKey, type Connection } from './swarm.js'

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
  readonly #handler: CourierHandler
  readonly #mailboxes = new Map<IdentityKey, Promise<Mailbox>>()
  /** One a device, whatever it names: what a contact can make this one hold is bounded. */
  readonly #readers = new Map<DeviceKey, { readonly mailbox: string; readonly reader: MailReader }>()
  readonly #owners = new Map<DeviceKey, IdentityKey>()
  readonly #greeters = new Map<
    Connection,
    { readonly contact: IdentityKey; readonly channel: Channel<Hello> }
  >()
  readonly #running = new Set<Promise<void>>()

  constructor(logs: Corestore, handler: CourierHandler) {
    this.#logs = logs
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

  /** Names all contacts and their devices: mail is read from them and from nobody else. */
  serve(contacts: ReadonlyMap<IdentityKey, ReadonlySet<DeviceKey>>): void {
    this.#owners.clear()
    for (const [contact, devices] of contacts) {
      for (const device of devices) this.#owners.set(device, contact)
    }
    for (const device of this.#readers.keys()) {
      if (!this.#owners.has(device)) this.#run(() => this.#stopReading(device))
    }
  }

  /** Offers again what was held: there is room now. */
  retryHeld(): void {
    for (const { reader } of this.#readers.values()) reader.retry()
  }

  /** Shows this person’s card again to whoever is connected: it is a new one. */
  showCard(): void {
    for (const [, { contact, channel }] of this.#greeters) this.#run(() => this.#sayHello(contact, channel))
  }

  /** Whose devices these are. */
  contactsOf(devices: ReadonlySet<DeviceKey>): Set<IdentityKey> {
    const contacts = new Set<IdentityKey>()
    for (const device of devices) {
      const owner = this.#owners.get(device)
      if (owner) contacts.add(owner)
    }
    return contacts
  }

  /** Ends what was begun, and stops reading. Nobody is met any more by then. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
    for (const device of this.#readers.keys()) await this.#stopReading(device)
  }

  /** Takes over a connection to a device of a contact. */
  meet(connection: Connection, device: DeviceKey): void {
    const contact = this.#owners.get(device)
    if (!contact) return void connection.destroy()
    const channel = exchangeHellos(connection, (theirs) =>
      this.#run(() => this.#greet(contact, connection, theirs))
    )
    if (!channel) return
    this.#greeters.set(connection, { contact, channel })
    connection.on('close', () => this.#greeters.delete(connection))
    this.#run(async () => {
      const mailbox = await this.mailbox(contact)
      mailbox.replicate(connection)
      await this.#sayHello(contact, channel)
    })
  }

  async #sayHello(contact: IdentityKey, channel: Channel<Hello>): Promise<void> {
    const mailbox = await this.mailbox(contact)
    channel.send({ card: await this.#handler.ownCard(), mailbox: mailbox.key })
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
    const mine = step()
      .catch((error: unknown) => this.#handler.failed(error))
      .finally(() => this.#running.delete(mine))
    this.#running.add(mine)
  }
}
