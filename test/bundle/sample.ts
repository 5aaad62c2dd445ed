import type { BundleId, ContentHash, FileHash, Slug, ToolName, Uid, VersionHash } from '../../src/base/ids.js'
import { openBundle, type Opened } from '../../src/bundle/open.js'
import { signerOf } from '../../src/bundle/lineage.js'
import { pack, type Packed, type Packing } from '../../src/bundle/pack.js'
import type { Sealing } from '../../src/bundle/seal.js'
import type { Attestation } from '../../src/keys/identity.js'
import { hash, toHex, utf8 } from '../../src/keys/sodium.js'
import { contentHash, encodeContent } from '../../src/namespace/content.js'
import { refsOf, type LinkedBody } from '../../src/namespace/linked.js'
import { fileHash, type Content, type SkillRow } from '../../src/namespace/skill.js'
import { signVersion, versionHash, type Version } from '../../src/namespace/version.js'
import { deviceKeysOf, person, type Person } from '../vectors/people.js'

export const ana = person('Ana', 3)
export const ben = person('Ben', 3)
export const cleo = person('Cleo', 1)

/** A skill as a test writes it. */
export interface Draft {
  readonly slug: string
  readonly body: LinkedBody
  readonly uid?: Uid
  readonly title?: string
  readonly header?: string
  readonly files?: readonly { readonly path: string; readonly bytes: Uint8Array; readonly exec?: boolean }[]
  readonly author?: Person
  /** How many versions it has; one unless said. */
  readonly versions?: number
  /** Other bytes than its content would be encoded to. */
  readonly encoded?: Uint8Array
}

/** The uid of a name, the same on every run. */
export function uidOf(name: string): Uid {
  return toHex(hash('selkie/public-test-uid/v1', utf8(name)).slice(0, 16)) as Uid
}

export const skill = (slug: string): { skill: Uid } => ({ skill: uidOf(slug) })
export const tool = (name: string): { tool: ToolName } => ({ tool: name as ToolName })

/** All that packing needs for skills whose first is the root. */
export function packing(
  drafts: readonly Draft[],
  { note = '', aliases = [] }: { note?: string; aliases?: { from: Uid; to: Uid }[] } = {}
): Packing {
  const versions = new Map<VersionHash, Version>()
  const attestations = new Map<string, Attestation>()
  const contents = new Map<ContentHash, Uint8Array>()
  const files = new Map<FileHash, Uint8Array>()
  const skills = drafts.map((draft): SkillRow => {
    const { slug, body, title = slug, author = ana, uid = uidOf(slug) } = draft
    for (const file of draft.files ?? []) files.set(fileHash(file.bytes), file.bytes)
    const bytes = draft.encoded ?? encodeContent(contentOf(draft))
    const content = contentHash(bytes)
    contents.set(content, bytes)
    const [attestation] = author.attestations
    attestations.set(signerOf({ author: author.identity, device: attestation!.device }), attestation!)
    let head: VersionHash | undefined
    for (let n = 0; n < (draft.versions ?? 1); n++) {
      const version = signedBy(author, { uid, content, parents: head ? [head] : [], time: 1_760_000_000 + n })
      head = versionHash(version)
      versions.set(head, version)
    }
    const names = { uid, slug: slug as Slug, title, summary: `What ${slug} does.` }
    const flags = { enabled: true, advertised: false, exec: false, deleted: false }
    return { ...names, ...flags, head: head!, heads: [head!], refs: refsOf(body) }
  })
  const tools = [
    ...new Set(skills.flatMap(({ refs }) => refs.flatMap((ref) => ('tool' in ref ? [ref.tool] : []))))
  ]
  return { closure: { skills, tools, aliases }, note, versions, attestations, contents, files }
}

/** What a draft says, its files in the order of their paths. */
export function contentOf({ slug, title = slug, header, body, files = [] }: Draft): Content {
  const listed = files.map(({ path, bytes, exec = false }) => ({
    path,
    hash: fileHash(bytes),
    size: bytes.length,
    exec
  }))
  listed.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { title, summary: `What ${slug} does.`, header: header ?? null, body, files: listed }
}

/** A version by someone's first device. */
export function signedBy(
  author: Person,
  version: Pick<Version, 'uid' | 'content' | 'parents' | 'time'>
): Version {
  const { signer } = author.devices[0]!
  return signVersion({ ...version, author: author.identity, device: signer.key }, signer)
}

/** A small closure with everything in it: a cycle, tools, files, a note. */
export function trip(): Packed {
  return pack(
    packing(
      [
        {
          slug: 'plan-trip',
          body: [
            'Look up dates with ',
            tool('query_calendar'),
            ', then ask ',
            skill('pack-bag'),
            ' what to take.\n'
          ],
          files: [
            { path: 'list.md', bytes: utf8('- tickets\n') },
            { path: 'scripts/sum.sh', bytes: utf8('#!/bin/sh\necho 1\n'), exec: true }
          ]
        },
        {
          slug: 'pack-bag',
          body: ['Part of ', skill('plan-trip'), '. Find the old list with ', tool('find_file'), '.\n'],
          files: [{ path: 'list.md', bytes: utf8('- tickets\n') }],
          versions: 3
        }
      ],
      { note: 'For Saturday.' }
    )
  )
}

/** From Ana’s first device to Ben. */
export function toBen(changes: Partial<Sealing> = {}): Sealing {
  return {
    sender: { signer: ana.devices[0]!.signer, attestation: ana.attestations[0]! },
    recipient: { identity: ben.identity, sealingKeys: ben.devices.map(({ sealing }) => sealing.publicKey) },
    id: '000102030405060708090a0b0c0d0e0f' as BundleId,
    sequence: 7,
    created: 1_760_000_000_000,
    ...changes
  }
}

/** Opened by a device of Ben, who knows Ana, and of her devices all but the third. */
export function openedByBen(bytes: Uint8Array, device = 0): Opened {
  const known = new Map([
    [ana.identity, new Set(ana.devices.slice(0, 2).map(({ signer }) => signer.key))],
    [ben.identity, deviceKeysOf(ben)]
  ])
  const me = { identity: ben.identity, sealing: ben.devices[device]!.sealing }
  return openBundle(bytes, me, (identity) => known.get(identity))
}
