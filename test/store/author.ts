import type { BundleId, Slug, Uid, VersionHash } from '../../src/base/ids.js'
import { signCard } from '../../src/keys/card.js'
import { toHex } from '../../src/keys/sodium.js'
import { contentHash, encodeContent } from '../../src/namespace/content.js'
import type { LinkedBody } from '../../src/namespace/linked.js'
import type { SkillFile } from '../../src/namespace/skill.js'
import { signVersion, versionHash, type Version } from '../../src/namespace/version.js'
import type { ImportedSkill, Op } from '../../src/store/ops.js'
import type { InboxRow } from '../../src/store/rows.js'
import type { Person } from '../vectors/people.js'

export type SaveOp = Extract<Op, { type: 'save' }>
export type ImportOp = Extract<Op, { type: 'import' }>

/** What a test says of a version. */
export interface Draft {
  readonly uid: Uid
  readonly slug: string
  readonly title?: string
  readonly body?: LinkedBody
  readonly files?: readonly SkillFile[]
  readonly parents?: readonly VersionHash[]
  readonly time?: number
  /** Which of the person’s devices signs. */
  readonly device?: number
}

/** A save of someone’s device, as it would append it. */
export function save(person: Person, draft: Draft): SaveOp {
  const { uid, slug, title = slug, body = ['Do it.'], files = [], parents = [], time = 1_760_000_000 } = draft
  const content = encodeContent({ title, summary: 'What it does.', header: null, body, files })
  const { signer } = person.devices[draft.device ?? 0]!
  const version = signVersion(
    { uid, content: contentHash(content), parents, author: person.identity, device: signer.key, time },
    signer
  )
  return { type: 'save', slug: slug as Slug, version, content }
}

/** The hash of what a save makes. */
export function headOf({ version }: { version: Version }): VersionHash {
  return versionHash(version)
}

/** The first op of a person’s base, by one of their devices. */
export function found(person: Person, device = 0): Op {
  const devices = person.devices.map(({ sealing }, n) => ({
    name: `device ${n}`,
    sealing: toHex(sealing.publicKey),
    attestation: person.attestations[n]!
  }))
  const card = signCard(
    { identity: person.identity, name: person.name, life: 1, number: 1, devices, removed: [] },
    person.root
  )
  return {
    type: 'found',
    name: person.name,
    card: card.bytes,
    attestation: person.attestations[device]!,
    time: 1_760_000_000
  }
}

/** A bundle that has arrived from someone. */
export function arrive(
  id: string,
  from: Person,
  change: Partial<InboxRow> = {}
): Extract<Op, { type: 'arrive' }> {
  const row: InboxRow = {
    id: id.padStart(32, '0') as BundleId,
    contact: from.identity,
    device: null,
    root: 'plan' as Slug,
    sealed: '1'.repeat(64),
    parcels: [],
    payload: '2'.repeat(64),
    bytes: 1000,
    sequence: 1,
    time: 1_760_000_000,
    note: '',
    state: 'waiting',
    late: false,
    seen: null,
    problem: null,
    ...change
  }
  return { type: 'arrive', row }
}

/** An import of what these saves made, out of a bundle or of folders. */
export function importOf(
  person: Person,
  bundle: string | null,
  saves: readonly SaveOp[],
  change: { skills?: Partial<ImportedSkill>; op?: Partial<ImportOp> } = {}
): ImportOp {
  return {
    type: 'import',
    bundle: bundle === null ? null : (bundle.padStart(32, '0') as BundleId),
    skills: saves.map((each): ImportedSkill => ({
      uid: each.version.uid,
      slug: each.slug,
      head: headOf(each),
      over: null,
      beside: false,
      exec: false,
      advertised: false,
      ...change.skills
    })),
    versions: saves.map(({ version }) => version),
    attestations: person.attestations.slice(0, 1),
    aliases: [],
    blobs: [],
    contents: saves.map(({ content }) => content),
    ...change.op
  }
}
