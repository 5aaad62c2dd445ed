import type * as api from './api.js'
import { SelkieError } from './base/errors.js'
import type { DeviceKey, IdentityKey } from './base/ids.js'
import type { ToolHooks } from './agent/hooks.js'
import { openAgent, type OpenedAgent } from './agent/open.js'
import { Asking } from './devices/asking.js'
import { rejoiningTopic } from './devices/call.js'
import { FilesFollower } from './devices/files.js'
import { Guests } from './devices/guests.js'
import { isDeviceInvite } from './devices/invite.js'
import { LocalNotes } from './devices/local-notes.js'
import { takeNotices } from './devices/notices.js'
import { deviceRows, deviceShown, removeDevice, renameDevice, renewOwnCard } from './devices/own.js'
import { Siblings } from './devices/siblings.js'
import { skillsFacade } from './editing/facade.js'
import {
  cardBytes,
  cardText,
  contactRows,
  contactShown,
  devicesOfContact,
  forgetContact,
  namedContact,
  renewCard,
  setVerified,
  takeCard
} from './people/contacts.js'
import { acceptBundle } from './receiving/import.js'
import {
  declineBundle,
  fetchArrived,
  incoming,
  listInbox,
  receiptState,
  receiveFile,
  sweepQuarantine,
  takeIn
} from './receiving/inbox.js'
import { reviewBundle } from './receiving/review.js'
import { reviewedFile } from './receiving/review-file.js'
import {
  fetchQueued,
  listOutbox,
  noteReceipt,
  noteSending,
  postQueued,
  sweepOutgoing
} from './sending/outbox.js'
import { sealToFile, sendSkill } from './sending/send.js'
import { openSelf, type Opened } from './store/open-self.js'
import type { ContactRow, DeviceRow, InboxRow, OwnerRow } from './store/rows.js'
import { seconds, type Self } from './store/self.js'
import { Courier } from './wire/courier.js'
import { Pairings } from './wire/pairings.js'
import type { Mailbox } from './wire/mailbox.js'
import { Presence } from './wire/presence.js'

export { initHome } from './init.js'

/** How to open a node. */
export interface NodeOptions {
  readonly home: string
  /** `host:port` of DHT nodes; without it the public ones. */
  readonly bootstrap?: readonly string[]
  /** Whether it joins the network; else it only works on the store. */
  readonly online?: boolean
  /** Asked for only where the home's keys are under one. */
  readonly passphrase: () => Promise<string>
  /** Told of what fails where no one waits: mail that can't be taken in, say. */
  readonly onProblem?: (error: unknown) => void
  /** Bytes that are free for what other devices have; asked of the system unless given. */
  readonly freeSpace?: () => Promise<number>
  /** What looks at each call of a tool, and may forbid it. */
  readonly hooks?: ToolHooks
}

/**
 * Opens the node of a home in this process, which holds its store until `close`.
 *
 * @throws SelkieError E_HOME_NONE, E_HOME_BUSY, E_KEY_…, E_PASSPHRASE, E_STORE_KEY, E_UPGRADE
 */
export async function openNode(options: NodeOptions): Promise<api.NodeApi> {
  const opened = await openSelf(options.home, options.passphrase)
  try {
    const node = new Node(opened, await LocalNotes.open(opened.self.paths.home), options)
    return Object.assign(node, skillsFacade(opened.self), await node.start())
  } catch (error) {
    await opened.self.logs.close()
    throw error
  }
}

type Watcher = Parameters<api.NodeApi['watch']>[0]

/**
 * The facade: wires the rooms together and delegates; what a verb does is decided in
 * its room. The parts about skills and about the agent are objects of their own, put on
 * it when it is opened.
 */
class Node implements Omit<api.NodeApi, keyof (api.SkillsApi & api.AgentApi)> {
  readonly #self: Self
  readonly #options: NodeOptions
  readonly #rejoining: string
  readonly #courier: Courier
  readonly #siblings: Siblings
  readonly #guests: Guests
  readonly #presence: Presence
  readonly #files: FilesFollower
  readonly #asking: Asking
  readonly #notes: LocalNotes
  #openedAgent: OpenedAgent | undefined
  readonly #pairings: Pairings
  readonly #mailboxOf = (contact: IdentityKey): Promise<Mailbox> => this.#courier.mailbox(contact)
  readonly #stop = new AbortController()
  readonly #watchers = new Set<Watcher>()
  readonly #background = new Set<Promise<void>>()

  constructor({ self, epoch, rejoining }: Opened, notes: LocalNotes, options: NodeOptions) {
    this.#self = self
    this.#options = options
    this.#rejoining = rejoining
    this.#notes = notes
    const failed = (error: unknown): void => options.onProblem?.(error)
    this.#courier = new Courier(self.logs, {
      ownCard: async () => (await this.#owner()).card,
      card: (contact, card) => renewCard(self, contact, card),
      bundle: (contact, envelope, fetch) => takeIn(self, contact, envelope, fetch),
      receipt: async (contact, receipt) =>
        noteReceipt(self, contact, receipt, await this.#courier.mailbox(contact)),
      sending: (id) => noteSending(self, id),
      failed
    })
    this.#siblings = new Siblings(self, epoch, { membersChanged: () => this.#admit(), failed })
    this.#guests = new Guests(self, {
      rejoining,
      epoch: () => this.#siblings.epoch,
      changed: () => this.#admit(),
      failed
    })
    this.#pairings = new Pairings(self, {
      bootstrap: options.bootstrap,
      card: async () => (await this.#owner()).card,
      changed: () => this.#admit()
    })
    this.#files = new FilesFollower(self, failed, options.freeSpace)
    this.#asking = new Asking({ answer: (question, signal) => this.#agent.answer(question, signal), failed })
    this.#presence = new Presence(self.device.signer, {
      contact: (connection, device) => this.#courier.meet(connection, device),
      sibling: (connection, device) => {
        this.#seen(device)
        connection.on('close', () => this.#seen(device))
        this.#siblings.meet(connection, device)
        this.#asking.meet(connection, device)
      },
      guest: (connection, key) => this.#guests.meet(connection, key)
    })
  }

  async start(): Promise<api.AgentApi> {
    const { store } = this.#self
    this.#openedAgent = await openAgent({
      self: this.#self,
      hooks: this.#options.hooks ?? {},
      devices: () => this.devices(),
      asking: this.#asking,
      failed: (error) => this.#options.onProblem?.(error)
    })
    this.#admit()
    store.on('broken', (error) => this.#options.onProblem?.(error))
    store.on('change', (kinds) => {
      this.#react(kinds)
      this.#tellWatchers(kinds)
    })
    await sweepQuarantine(this.#self)
    await sweepOutgoing(this.#self, this.#mailboxOf)
    await this.#post()
    if (!this.#options.online) return this.#agent.api
    await this.#presence.goOnline(this.#options.bootstrap, rejoiningTopic(this.#rejoining))
    this.#fetchParcels()
    await this.#files.look()
    return this.#agent.api
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#pairings.close()
    this.#guests.close()
    await this.#presence.close()
    await this.#courier.close()
    await this.#files.close()
    await this.#siblings.close()
    await this.#asking.close()
    await this.#openedAgent?.close()
    while (this.#background.size > 0) await Promise.all(this.#background)
    await this.#self.store.close()
    await this.#self.logs.close()
  }

  async status(): Promise<api.Status> {
    const self = this.#self
    const { store } = self
    const { name } = await this.#owner()
    const contacts = contactRows(store)
    const connected = this.#connectedContacts()
    const outbox = listOutbox(self)
    const waiting = listInbox(self).filter(({ state }) => state === 'waiting')
    return {
      name,
      identity: self.identity,
      device: self.device.signer.key,
      home: self.paths.home,
      online: this.#presence.online,
      skills: store.namespace.live().length,
      contacts: contacts.length,
      connected: contacts.filter(({ identity }) => connected.has(identity)).map((contact) => contact.name),
      outbox: { waiting: outbox.filter(({ state }) => state === 'queued').length },
      inbox: { waiting: waiting.length, bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0) }
    }
  }

  async watch(onEvent: Watcher, signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, this.#stop.signal])
    if (ended.aborted) return
    this.#watchers.add(onEvent)
    await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }))
    this.#watchers.delete(onEvent)
  }

  async giveWay(): Promise<void> {
    this.#tellWatchers(['give-way'])
  }

  async invite({ expiresInSeconds }: { expiresInSeconds: number }): Promise<api.Invite> {
    if (!this.#presence.online) throw new SelkieError('E_OFFLINE')
    const { text, expires } = await this.#pairings.invite(expiresInSeconds * 1000)
    return { invite: text, expires: new Date(expires).toISOString() }
  }

  async invited(text: string): Promise<api.Contact> {
    return this.#contact(await this.#pairings.invited(text))
  }

  async pair(invite: string): Promise<api.Contact> {
    if (!this.#presence.online) throw new SelkieError('E_OFFLINE')
    if (isDeviceInvite(invite)) throw new SelkieError('E_INVITE_DEVICE')
    return this.#contact(await this.#pairings.pair(invite))
  }

  async card(): ReturnType<api.NodeApi['card']> {
    const { card, name, identity } = await this.#owner()
    return { card: cardText(card), name, identity }
  }

  async addCard(card: string): Promise<api.Contact> {
    return this.#contact(await takeCard(this.#self, cardBytes(card)))
  }

  async contacts(): Promise<api.Contact[]> {
    return contactRows(this.#self.store).map((row) => this.#contact(row))
  }

  async contact(contact: string): Promise<api.Contact> {
    return this.#contact(namedContact(this.#self.store, contact))
  }

  async verify(contact: string, verified: boolean): Promise<api.Contact> {
    return this.#contact(await setVerified(this.#self, contact, verified))
  }

  async forget(contact: string): Promise<api.Contact> {
    return this.#contact(await forgetContact(this.#self, contact))
  }

  async send(slug: string, contact: string, { note }: { note?: string }): Promise<api.Sent> {
    const sent = await sendSkill(this.#self, slug, contact, note, this.#mailboxOf)
    // It is queued: what keeps it from going out now doesn’t undo that.
    await this.#post().catch((error: unknown) => this.#options.onProblem?.(error))
    return sent
  }

  seal(slug: string, contact: string, out: string, { note }: { note?: string }): Promise<api.SealedFile> {
    return sealToFile(this.#self, slug, contact, out, note)
  }

  async receive(path: string): Promise<api.Delivery> {
    const { row, delivery } = await receiveFile(this.#self, path)
    await this.#tell(row, receiptState[row.state])
    return delivery
  }

  async outbox(): Promise<api.Delivery[]> {
    return listOutbox(this.#self)
  }

  async inbox(): Promise<api.Delivery[]> {
    return listInbox(this.#self)
  }

  review(id: string): Promise<api.Review> {
    return reviewBundle(this.#self, id, (kind) => this.#agent.grants.has(kind))
  }

  reviewFile(id: string, incoming: string, path: string): Promise<api.ReviewedFile> {
    return reviewedFile(this.#self, id, incoming, path)
  }

  async accept(id: string, decisions: api.Decisions): Promise<api.Imported> {
    const { row, imported } = await acceptBundle(this.#self, id, decisions)
    await this.#tell(row, 'imported')
    this.#courier.retryHeld()
    return imported
  }

  async decline(id: string): Promise<api.Delivery> {
    const row = await declineBundle(this.#self, id)
    await this.#tell(row, 'declined')
    this.#courier.retryHeld()
    return incoming(this.#self, row)
  }

  async deviceInvite({ expiresInSeconds }: { expiresInSeconds: number }): Promise<api.Invite> {
    if (!this.#presence.online) throw new SelkieError('E_OFFLINE')
    const { text, expires } = this.#guests.invite(expiresInSeconds * 1000)
    return { invite: text, expires: new Date(expires).toISOString() }
  }

  async deviceInvited(text: string): Promise<api.OwnDevice> {
    const { device } = await this.#guests.invited(text)
    // It hangs up when it has everything that is here.
    await this.#siblings.parted(device)
    return this.#device(this.#self.store.memory.devices.get(device)!)
  }

  async devices(): Promise<api.OwnDevice[]> {
    return deviceRows(this.#self).map((row) => this.#device(row))
  }

  async renameDevice(device: string, name: string): Promise<api.OwnDevice> {
    return this.#device(await renameDevice(this.#self, device, name))
  }

  async removeDevice(device: string, words: string): Promise<api.OwnDevice> {
    return this.#device(await removeDevice(this.#self, this.#siblings, device, words))
  }

  notices(): Promise<api.Notice[]> {
    return takeNotices(this.#self, this.#notes)
  }

  get #agent(): OpenedAgent {
    return this.#openedAgent!
  }

  #contact(row: ContactRow): api.Contact {
    return contactShown(this.#self, row, this.#connectedContacts().has(row.identity))
  }

  #connectedContacts(): Set<IdentityKey> {
    return this.#courier.contactsOf(this.#presence.connected())
  }

  #device(row: DeviceRow): api.OwnDevice {
    const online = this.#presence.connected().has(row.device)
    const shown = deviceShown(this.#self, row, { seen: this.#notes.lastSeen(row.device), online })
    const { missing } = this.#files
    return shown.current && missing ? { ...shown, missing } : shown
  }

  async #owner(): Promise<OwnerRow> {
    return (await this.#self.store.view.get('owner'))!
  }

  /** Lets in the devices of the contacts, this person's others and their guests, and nobody else. */
  #admit(): void {
    const contacts = new Map<IdentityKey, ReadonlySet<DeviceKey>>()
    for (const row of contactRows(this.#self.store)) contacts.set(row.identity, devicesOfContact(row)!)
    this.#courier.serve(contacts)
    const devicesOf = (wanted: (identity: IdentityKey) => boolean): Set<DeviceKey> =>
      new Set([...contacts].flatMap(([identity, devices]) => (wanted(identity) ? [...devices] : [])))
    this.#presence.admit({
      contacts: devicesOf(() => true),
      awaited: devicesOf((identity) => this.#pairings.isAwaited(identity)),
      siblings: this.#siblings.members(),
      guests: this.#guests.keys()
    })
  }

  #tellWatchers(kinds: Iterable<string>): void {
    for (const tell of this.#watchers) tell({ kinds: [...kinds] })
  }

  #react(kinds: ReadonlySet<string>): void {
    if (kinds.has('contact') || kinds.has('device')) this.#admit()
    if (kinds.has('device')) this.#noteFailure(renewOwnCard(this.#self))
    if (kinds.has('owner')) this.#courier.showCard()
    if (kinds.has('inbox')) this.#noteFailure(sweepQuarantine(this.#self))
    if (kinds.has('outbox')) this.#noteFailure(sweepOutgoing(this.#self, this.#mailboxOf))
    if (!this.#presence.online) return
    if (kinds.has('blob')) this.#noteFailure(this.#files.look())
    if (kinds.has('inbox')) this.#courier.retryHeld()
    if (kinds.has('inbox') || kinds.has('outbox')) this.#fetchParcels()
  }

  /** Fetches the sealed bytes that came in or went out on another device. */
  #fetchParcels(): void {
    this.#noteFailure(fetchArrived(this.#self, this.#stop.signal))
    this.#noteFailure(fetchQueued(this.#self, this.#mailboxOf, this.#stop.signal))
  }

  #seen(device: DeviceKey): void {
    this.#noteFailure(this.#notes.noteSeen(device, seconds(this.#self.clock)))
  }

  /** Lets a step run that no one waits for but the end of the node. */
  #noteFailure(step: Promise<void>): void {
    const mine = step
      .catch((error: unknown) => this.#options.onProblem?.(error))
      .finally(() => this.#background.delete(mine))
    this.#background.add(mine)
  }

  #post(): Promise<void> {
    return postQueued(this.#self, this.#mailboxOf)
  }

  /** Tells a sender what became of their bundle. */
  async #tell(row: InboxRow, state: 'received' | 'imported' | 'declined'): Promise<void> {
    const mailbox = await this.#courier.mailbox(row.contact)
    await mailbox.acknowledge({ type: 'receipt', id: row.id, state, problem: null })
  }
}
