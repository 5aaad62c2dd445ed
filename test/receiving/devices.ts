import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { BundleId, IdentityKey } from '../../src/base/ids.js'
import { renewOwnCard } from '../../src/devices/own.js'
import { createSkill } from '../../src/editing/save.js'
import { attest } from '../../src/keys/identity.js'
import { deviceFrom, signWith } from '../../src/keys/device.js'
import { toHex } from '../../src/keys/sodium.js'
import { initHome } from '../../src/init.js'
import { takeCard } from '../../src/people/contacts.js'
import { takeIn } from '../../src/receiving/inbox.js'
import { noteReceipt, noteSending } from '../../src/sending/outbox.js'
import { WRITER, writerBytes } from '../../src/store/apply-devices.js'
import type { Epoch } from '../../src/store/epoch.js'
import { openLogs, prepareHome, systemClock } from '../../src/store/home.js'
import { openSelf } from '../../src/store/open-self.js'
import type { Self } from '../../src/store/self.js'
import { Store } from '../../src/store/store.js'
import { MailReader } from '../../src/wire/mail-reader.js'
import { Mailbox } from '../../src/wire/mailbox.js'
import type { Receipt } from '../../src/wire/message.js'

/** A device of someone, with what it keeps; nothing of it is on a network. */
export class TestDevice {
  readonly #t: Test
  readonly #mailboxes = new Map<IdentityKey, Promise<Mailbox>>()
  /** What it has said of bundles, in order. */
  readonly receipts: Receipt[] = []

  private constructor(
    t: Test,
    readonly self: Self,
    readonly epoch: Epoch
  ) {
    this.#t = t
  }

  /** The first device of someone new. */
  static async first(t: Test, name: string): Promise<TestDevice> {
    const folder = await mkdtemp(join(tmpdir(), 'selkie-test-'))
    t.teardown(() => rm(folder, { recursive: true }))
    await initHome({ home: folder, name })
    const { self, epoch } = await openSelf(folder, async () => '')
    t.teardown(() => closed(self))
    return new TestDevice(t, self, epoch)
  }

  /**
   * A further device of the same person, which has all that this one has; the two are not
   * connected.
   */
  async another(name: string): Promise<TestDevice> {
    const [t, { self, epoch }] = [this.#t, this]
    const folder = await mkdtemp(join(tmpdir(), 'selkie-test-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const device = deviceFrom({ signing: systemClock.random(32), sealing: systemClock.random(32) })
    const attestation = attest(self.attestor, device)
    const sealing = toHex(device.sealing.publicKey)
    await self.store.append({ type: 'device', name, sealing, attestation, time: 1_760_000_000 })
    const paths = await prepareHome(join(folder, 'home'))
    const logs = await openLogs(paths)
    const { base, encryption } = epoch
    const store = await Store.join(logs, { place: base, base, encryption })
    const { log } = store
    const signature = signWith(device.signer, WRITER, writerBytes(base, log))
    await self.store.append({ type: 'writer', device: device.signer.key, log, signature })
    const { identity, attestor, clock } = self
    const other: Self = { identity, device, attestation, attestor, store, logs, paths, clock }
    t.teardown(() => closed(other))
    const made = new TestDevice(t, other, epoch)
    const part = this.meet(made)
    await changed(store, () => store.isEntered())
    await part()
    return made
  }

  /** Connects two devices, whoever they belong to; gives what parts them. */
  meet(other: TestDevice): () => Promise<void> {
    const mine = this.self.logs.replicate(true)
    const theirs = other.self.logs.replicate(false)
    if (this.self.identity === other.self.identity) {
      this.self.store.attend(mine)
      other.self.store.attend(theirs)
    }
    mine.pipe(theirs).pipe(mine)
    const ends = [mine, theirs].map((stream) => {
      stream.on('error', () => {})
      return new Promise((resolve) => stream.on('close', resolve))
    })
    const part = async (): Promise<void> => {
      mine.destroy()
      theirs.destroy()
      await Promise.all(ends)
    }
    this.#t.teardown(part)
    return part
  }

  /** Makes someone a contact, with their card of now. */
  async knows(other: TestDevice): Promise<void> {
    await takeCard(this.self, (await other.self.store.view.get('owner'))!.card)
  }

  /** Names all devices of this person on their card. */
  async showsAll(): Promise<void> {
    await renewOwnCard(this.self)
  }

  async writes(title: string, body: string): Promise<void> {
    await createSkill(this.self, { title, summary: `How to: ${title}.`, body })
  }

  /** Its mailbox to someone. */
  readonly mailboxOf = (contact: IdentityKey): Promise<Mailbox> => {
    const known = this.#mailboxes.get(contact)
    if (known) return known
    const opened = Mailbox.open(this.self.logs, contact, (id: BundleId) => void noteSending(this.self, id))
    this.#mailboxes.set(contact, opened)
    return opened
  }

  /** Reads what a contact’s device has in its mailbox for this person, as the courier does. */
  async reads(from: TestDevice): Promise<MailReader> {
    const { self } = this
    const { identity } = from.self
    const mine = await this.mailboxOf(identity)
    const { key } = await from.mailboxOf(self.identity)
    const reader = new MailReader(self.logs, key, {
      bundle: async (envelope, fetch) => {
        const receipt = await takeIn(self, identity, envelope, fetch)
        await mine.acknowledge(receipt)
        this.receipts.push(receipt)
        return receipt.state !== 'held'
      },
      receipt: (receipt) => noteReceipt(self, identity, receipt, mine),
      failed: (error) => this.#t.fail('reading fails', { error })
    })
    this.#t.teardown(() => reader.close())
    return reader
  }
}

/** Waits until something holds of a store. */
export async function changed(store: Store, holds: () => boolean | Promise<boolean>): Promise<void> {
  let step = (): void => {}
  const look = (): void => step()
  store.on('change', look)
  store.on('writable', look)
  try {
    for (;;) {
      const next = new Promise<void>((resolve) => (step = resolve))
      if (await holds()) return
      await next
    }
  } finally {
    store.off('change', look)
    store.off('writable', look)
  }
}

/** Writes to a store what only a newer build understands. */
export async function writtenByNewer({ store }: Self): Promise<void> {
  await store.append({ type: 'dream', v: 99 } as never).catch(() => {})
}

async function closed({ store, logs }: Self): Promise<void> {
  await store.close()
  await logs.close()
}
