import type { ContentHash, Uid, VersionHash } from '../base/ids.js'
import { signerOf } from '../bundle/lineage.js'
import type { Attestation } from '../keys/identity.js'
import { decodeContent } from '../namespace/content.js'
import { refsOf } from '../namespace/linked.js'
import { versionHash, type Version } from '../namespace/version.js'
import { decodeOwn } from '../base/msgpack.js'
import type { Place } from '../store/epoch.js'
import type { ImportedAlias, ImportedSkill, Op } from '../store/ops.js'
import { idOf } from '../store/puts.js'
import type {
  BlobPointer,
  ContactRow,
  InboxRow,
  NoteRow,
  OutboxRow,
  ProfileRow,
  SettingName,
  SettingRow,
  StoredSkill
} from '../store/rows.js'
import type { Store } from '../store/store.js'
import { AgentCarrier } from './carry-agent.js'

/**
 * Brings into the base that a store goes on with what that one lacks: all that this
 * device has appended and its founder hadn't seen, and what this one was founded with,
 * where two bases were founded apart. What a removed device wrote afterwards stays
 * behind, but for what one of these edits mentions.
 *
 * @param from the store as this device has it
 * @param former where this device lived before: of two bases that were founded apart, each
 *   may have been founded without what the other's founder had last said
 * @param to the next one, which it may append to; nothing else appends to it meanwhile
 */
export async function carryOver(from: Store, to: Store, former: readonly Place[]): Promise<void> {
  const carrier = new Carrier(from, to)
  await carrier.foundings()
  const counted = async (log: string): Promise<number> => (await to.view.get('counted', log)) ?? 0
  const known = await counted(from.log)
  // Where it knows this base, it came out of it, and what was said before is in it.
  for (const place of known > 0 ? [] : former) {
    if (place.base === from.base) continue
    for await (const op of from.formerOps(place, counted)) await carrier.replay(op)
  }
  for await (const op of from.ownOps(known)) await carrier.replay(op)
  await carrier.flush()
}

/** Ops of one write. */
const MAX_OPS = 256
/** What says how a base began and who appends to it. */
const OF_THE_BASE: ReadonlySet<Op['type']> = new Set(['state', 'found', 'writer', 'card'])

class Carrier {
  readonly #from: Store
  readonly #to: Store
  readonly #ops: Op[] = []
  /** Skills that are on their way, and versions. */
  readonly #brought = new Set<Uid>()
  readonly #said = new Set<VersionHash>()
  readonly #agent: AgentCarrier

  constructor(from: Store, to: Store) {
    this.#from = from
    this.#to = to
    this.#agent = new AgentCarrier(from, to, (op) => this.#say(op))
  }

  /** Appends again what this device has said, with what it takes. */
  async replay(op: Op): Promise<void> {
    if (OF_THE_BASE.has(op.type)) return
    if (op.type === 'note') return this.#agent.note(op)
    if (op.type === 'note-delete') return this.#agent.noteDelete(op)
    await this.#bringSubject(op)
    if (op.type === 'save') {
      await this.#bringMissing(refsIn(op.content))
      await this.#bringVersions(op.version.uid, op.version.parents)
      this.#brought.add(op.version.uid)
      this.#said.add(versionHash(op.version))
    } else if (op.type === 'import') {
      const own = new Set([...op.skills.map(({ uid }) => uid), ...op.aliases.map(({ from }) => from)])
      const refs = op.contents.flatMap(refsIn).filter((uid) => !own.has(uid))
      await this.#bringMissing([...refs, ...op.aliases.map(({ to }) => to)])
      for (const uid of own) this.#brought.add(uid)
      for (const version of op.versions) this.#said.add(versionHash(version))
    } else if (op.type === 'device-name') {
      if (!this.#to.memory.devices.has(op.device)) return
    } else if ('uid' in op && op.type !== 'unbind') {
      await this.#bringMissing([op.uid])
      if (op.type === 'publish') await this.#bringVersions(op.uid, [op.version])
      if (op.type === 'bind' && typeof op.to === 'object') await this.#bringVersions(op.uid, [op.to.version])
      if (!(await this.#isThere(op.uid))) return
    }
    await this.#say(op)
  }

  /** What the base was founded with and the next one doesn't have: they were founded apart. */
  async foundings(): Promise<void> {
    for await (const op of this.#from.foundingOps()) {
      if (op.type !== 'state') continue
      for (const [key, value] of op.rows) await this.#found(key, value)
    }
    await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#ops.length > 0) await this.#to.append(...this.#ops.splice(0))
  }

  async #found(key: string, value: Uint8Array): Promise<void> {
    const { memory, view } = this.#to
    const [kind] = key.split('/')
    if (kind === 'skill') {
      const skill = decodeOwn(value) as StoredSkill
      for (const head of skill.heads) if (!(await view.get('version', head))) return this.#bring(skill)
    } else if (kind === 'contact') {
      const row = decodeOwn(value) as ContactRow
      if (!memory.contacts.has(row.identity) && !row.forgotten) await this.#say(contactOp(row))
    } else if (kind === 'inbox') {
      const row = decodeOwn(value) as InboxRow
      if (!memory.inbox.has(row.id)) await this.#say({ type: 'arrive', row })
    } else if (kind === 'outbox') {
      const row = decodeOwn(value) as OutboxRow
      if (!memory.outbox.has(row.id)) await this.#say({ type: 'queue', row })
    } else if (kind === 'note') {
      await this.#agent.foundNote(decodeOwn(value) as NoteRow)
    } else if (kind === 'setting') {
      await this.#agent.foundSetting(idOf(key) as SettingName, decodeOwn(value) as SettingRow)
    } else if (kind === 'profile') {
      const row = decodeOwn(value) as ProfileRow
      for (const binding of await this.#agent.foundProfile(row))
        await this.replay({ type: 'bind', profile: row.id, name: row.name, ...binding })
    }
  }

  /** The bundle or the contact that an op is about, where another device had told of it. */
  async #bringSubject(op: Op): Promise<void> {
    const { memory } = this.#from
    if (op.type === 'verify' || op.type === 'forget' || op.type === 'renew') {
      const row = memory.contacts.get(op.identity)
      if (row && !this.#to.memory.contacts.has(op.identity)) await this.#say(contactOp(row))
    } else if (op.type === 'delivery') {
      const row = memory.outbox.get(op.id)
      if (row && !this.#to.memory.outbox.has(op.id)) await this.#say({ type: 'queue', row })
    } else {
      const id = op.type === 'import' ? op.bundle : op.type === 'seen' || op.type === 'decline' ? op.id : null
      const row = id === null ? undefined : memory.inbox.get(id)
      if (row && !this.#to.memory.inbox.has(row.id))
        await this.#say({ type: 'arrive', row: { ...row, state: 'waiting' } })
    }
  }

  async #say(op: Op): Promise<void> {
    this.#ops.push(op)
    if (this.#ops.length >= MAX_OPS) await this.flush()
  }

  async #isThere(uid: Uid): Promise<boolean> {
    return (
      this.#brought.has(uid) || (await this.#to.view.get('skill', await this.#targetThere(uid))) !== undefined
    )
  }

  async #targetThere(uid: Uid): Promise<Uid> {
    return (await this.#to.view.get('alias', uid))?.to ?? uid
  }

  async #bringMissing(uids: readonly Uid[]): Promise<void> {
    for (const uid of uids) {
      if (await this.#isThere(uid)) continue
      const here = (await this.#from.view.get('alias', uid))?.to ?? uid
      const row = await this.#from.view.get('skill', here)
      if (row) await this.#bring(row)
      if (here !== uid) await this.#alias(uid, here)
    }
  }

  async #alias(from: Uid, to: Uid): Promise<void> {
    const row = await this.#from.view.get('alias', from)
    if (row) await this.#say({ ...NOTHING, aliases: [{ from, to, seen: row.seen }] })
  }

  /** Brings versions of a skill that is there, where only another device has told of them. */
  async #bringVersions(uid: Uid, versions: readonly VersionHash[]): Promise<void> {
    const here = (await this.#from.view.get('alias', uid))?.to ?? uid
    const row = await this.#from.view.get('skill', here)
    for (const hash of versions) {
      if (row && !this.#said.has(hash) && !(await this.#to.view.get('version', hash)))
        await this.#bring(row, [hash])
    }
  }

  /** Brings a skill as it is here, with its past, its files and all that it mentions. */
  async #bring(root: StoredSkill, heads = root.heads): Promise<void> {
    // What is shown there decides whether a head takes its place or goes beside it.
    await this.flush()
    const rows = new Map<Uid, { readonly row: StoredSkill; readonly heads: readonly VersionHash[] }>()
    rows.set(root.uid, { row: root, heads })
    const skills: ImportedSkill[] = []
    const aliases: ImportedAlias[] = []
    const versions = new Map<VersionHash, Version>()
    const contents = new Map<ContentHash, Uint8Array>()
    const attestations = new Map<string, Attestation>()
    const blobs = new Map<string, BlobPointer>()
    const { view } = this.#from
    // A map goes on iterating over what is added meanwhile.
    for (const [uid, { row, heads }] of rows) {
      this.#brought.add(uid)
      const shown = (await this.#to.view.get('skill', await this.#targetThere(uid)))?.head ?? null
      for (const head of heads) {
        const past = await this.#pastOf(head)
        if (!past) continue
        const { slug, exec, advertised } = row
        const beside = shown === null || !past.has(shown)
        skills.push({ uid, slug, head, over: shown, beside, exec, advertised })
        for (const [hash, version] of past) {
          if (versions.has(hash)) continue
          versions.set(hash, version)
          this.#said.add(hash)
          const attestation = await view.get('attestation', version.author, version.device)
          if (attestation) attestations.set(signerOf(version), attestation)
          if (await this.#to.view.get('version', hash)) continue
          const encoded = await view.content(version.content)
          if (!encoded) continue
          contents.set(version.content, encoded)
          for (const { hash: file } of decodeContent(encoded).files) {
            const pointer = await view.get('blob', file)
            if (pointer) blobs.set(file, pointer)
          }
        }
        const encoded = contents.get(past.get(head)!.content)
        for (const ref of encoded ? refsIn(encoded) : []) {
          if (rows.has(ref) || (await this.#isThere(ref))) continue
          const alias = await view.get('alias', ref)
          if (alias) aliases.push({ from: ref, to: alias.to, seen: alias.seen })
          const mentioned = await view.get('skill', alias?.to ?? ref)
          if (!mentioned || rows.has(mentioned.uid) || (await this.#isThere(mentioned.uid))) continue
          rows.set(mentioned.uid, { row: mentioned, heads: mentioned.heads })
        }
      }
    }
    await this.#say({
      ...NOTHING,
      skills,
      aliases,
      versions: [...versions.values()],
      attestations: [...attestations.values()],
      blobs: [...blobs.values()],
      contents: [...contents.values()]
    })
  }

  /** A version and all that it follows, as far as they are here; undefined where its content isn’t. */
  async #pastOf(head: VersionHash): Promise<Map<VersionHash, Version> | undefined> {
    const past = new Map<VersionHash, Version>()
    const hashes = new Set([head])
    // A set goes on iterating over what is added meanwhile.
    for (const hash of hashes) {
      const version = await this.#from.view.get('version', hash)
      if (!version) continue
      past.set(hash, version)
      for (const parent of version.parents) hashes.add(parent)
    }
    const content = past.get(head)?.content
    return content && (await this.#from.view.content(content)) ? past : undefined
  }
}

const NOTHING: Extract<Op, { type: 'import' }> = {
  type: 'import',
  bundle: null,
  skills: [],
  versions: [],
  attestations: [],
  aliases: [],
  blobs: [],
  contents: []
}

function contactOp({ identity, name, card }: ContactRow): Op {
  return { type: 'contact', identity, name, card }
}

function refsIn(encoded: Uint8Array): Uid[] {
  return refsOf(decodeContent(encoded).body).flatMap((ref) => ('skill' in ref ? [ref.skill] : []))
}
