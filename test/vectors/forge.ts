import { derivedFrom } from '../../src/bundle/links.js'
import { lineageOf } from '../../src/bundle/lineage.js'
import { encodeManifest, type BundledSkill, type Manifest } from '../../src/bundle/manifest.js'
import type { Packed } from '../../src/bundle/pack.js'
import { payloadHashOf } from '../../src/bundle/payload.js'
import { u32 } from '../../src/bundle/format.js'
import type { Uid } from '../../src/base/ids.js'
import { contentOf, packing, type Draft } from '../bundle/sample.js'

/** What an insider may do to an honest payload before it is signed. */
export interface Forgery {
  readonly aliases?: { from: Uid; to: Uid }[]
  readonly manifest?: (manifest: Manifest) => object
  /** The encoded manifest in other bytes. */
  readonly encoded?: (manifest: Uint8Array) => Uint8Array
  readonly contents?: (contents: Uint8Array[]) => Uint8Array[]
  readonly bodies?: (bodies: Uint8Array[]) => Uint8Array[]
  readonly index?: (index: Uint8Array) => Uint8Array
}

/** Packs without a check, as someone would who has the keys and another program. */
export function forged(drafts: readonly Draft[], forgery: Forgery = {}): Packed {
  const { aliases = [] } = forgery
  const { closure, versions, attestations, contents, files } = packing(drafts)
  const targets = new Map(aliases.map(({ from, to }) => [from, to]))
  const encoded = drafts.map((draft, i) => {
    const content = versions.get(closure.skills[i]!.head)!.content
    return { hash: content, bytes: contents.get(content)!, content: contentOf(draft) }
  })
  const honest: Manifest = {
    root: closure.skills[0]!.uid,
    note: 'x',
    skills: closure.skills.map(({ uid, slug, head }, i): BundledSkill => {
      const { hash, bytes } = encoded[i]!
      const lineage = lineageOf(head, versions, (name) => (targets.get(name) ?? name) === uid)
      return { uid, slug, content: hash, size: bytes.length, head, versions: lineage }
    }),
    attestations: [...attestations.values()],
    aliases,
    ...derivedFrom(encoded)
  }
  const manifest = (forgery.manifest?.(honest) ?? honest) as Manifest
  const keep = <T>(value: T): T => value
  const manifestBytes = (forgery.encoded ?? keep)(encodeManifest(manifest))
  const strings = (forgery.contents ?? keep)(encoded.map(({ bytes }) => bytes))
  const index = (forgery.index ?? keep)(Buffer.concat([u32(manifestBytes.length), manifestBytes, ...strings]))
  const bodies = (forgery.bodies ?? keep)(honest.files.map(({ hash }) => files.get(hash)!))
  return { manifest, index, bodies, payloadHash: payloadHashOf(index) }
}
