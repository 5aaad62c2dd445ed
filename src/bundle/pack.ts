import { SelkieError } from '../base/errors.js'
import type { ContentHash, FileHash, VersionHash } from '../base/ids.js'
import { MAX_BUNDLE, MAX_DEVICES, MAX_MANIFEST } from '../base/limits.js'
import type { Attestation } from '../keys/identity.js'
import type { Closure } from '../namespace/closure.js'
import { contentHash, decodeContent } from '../namespace/content.js'
import type { Version } from '../namespace/version.js'
import { envelopeLength, padded, sealedLength, SIGNATURE_BYTES } from './format.js'
import { refuseManifestOverLimits } from './limits.js'
import { cutToFit, lineageOf, signerOf } from './lineage.js'
import { derivedFrom, namedUids } from './links.js'
import { encodeManifest, type BundledSkill, type EncodedContent, type Manifest } from './manifest.js'
import { encodeIndex, payloadHashOf } from './payload.js'
import { STATEMENT_BYTES } from './statement.js'
import { refuseUnsafePaths, verifyClosure } from './verify.js'

/** A closure, and where to find what its skills are made of. More than is needed may be there. */
export interface Packing {
  readonly closure: Closure
  /** A word to the receiver; empty for none. */
  readonly note: string
  readonly versions: ReadonlyMap<VersionHash, Version>
  /** By {@link signerOf}. */
  readonly attestations: ReadonlyMap<string, Attestation>
  /** Encoded contents of the shown versions. */
  readonly contents: ReadonlyMap<ContentHash, Uint8Array>
  /** Bytes that are what their hash says. */
  readonly files: ReadonlyMap<FileHash, Uint8Array>
}

/** A closure ready to be sealed, the same for whomever it goes to. */
export interface Packed {
  readonly manifest: Manifest
  /** The front of the payload: manifest and contents. */
  readonly index: Uint8Array
  /** The file bodies behind it, in the manifest's order. */
  readonly bodies: readonly Uint8Array[]
  /** 64 hex digits; the same for the same closure, lineages and note. */
  readonly payloadHash: string
}

/**
 * Packs a closure and checks it as its receiver will, so that the sender is the first
 * to learn of a limit.
 *
 * @throws SelkieError E_PACK_MISSING when a part isn't on this device, E_LIMIT_…,
 *   E_PATH, E_PATH_COLLISION, and E_BUNDLE_… for a closure that isn't sound
 */
export function pack({ closure, note, versions, attestations, contents, files }: Packing): Packed {
  const skills = bundledSkills(closure, versions, contents)
  const encoded = new Map<ContentHash, EncodedContent>()
  for (const { content } of skills) {
    const bytes = contents.get(content)!
    encoded.set(content, { bytes, content: decodeContent(bytes) })
  }
  const manifest: Manifest = {
    root: closure.skills[0]!.uid,
    note,
    skills,
    attestations: attestationsOf(skills, attestations),
    aliases: usedAliases(closure, skills, encoded),
    ...derivedFrom([...encoded.values()])
  }
  refuseManifestOverLimits(manifest)
  refuseUnsafePaths({ manifest, contents: encoded })
  verifyClosure({ manifest, contents: encoded })
  const size = encodeManifest(manifest).length
  if (size > MAX_MANIFEST) throw new SelkieError('E_LIMIT_MANIFEST', { size, limit: MAX_MANIFEST })

  const index = encodeIndex(
    manifest,
    skills.map(({ content }) => contents.get(content)!)
  )
  const bodies = manifest.files.map(({ hash, size: length }) => {
    const body = files.get(hash)
    if (body?.length !== length) throw missing(skills, encoded, hash)
    return body
  })
  refuseOversized(index, bodies)
  return { manifest, index, bodies, payloadHash: payloadHashOf(index) }
}

/** Bytes of a packed closure before it is signed and padded. */
export function payloadLength({ index, bodies }: Pick<Packed, 'index' | 'bodies'>): number {
  return bodies.reduce((sum, body) => sum + body.length, index.length)
}

function bundledSkills(
  { skills, aliases }: Closure,
  versions: ReadonlyMap<VersionHash, Version>,
  contents: ReadonlyMap<ContentHash, Uint8Array>
): BundledSkill[] {
  const targets = new Map(aliases.map(({ from, to }) => [from, to]))
  const lineages = cutToFit(
    skills.map(({ uid, head }) => lineageOf(head, versions, (name) => (targets.get(name) ?? name) === uid))
  )
  return skills.map(({ uid, slug, head }, i) => {
    const content = versions.get(head)?.content
    const bytes = content && contents.get(content)
    if (!bytes || contentHash(bytes) !== content)
      throw new SelkieError('E_PACK_MISSING', { slug, what: 'its text' })
    return { uid, slug, content, size: bytes.length, head, versions: lineages[i]! }
  })
}

/** The aliases that the bundle has a use for, in rising order. */
function usedAliases(
  { aliases }: Closure,
  skills: readonly BundledSkill[],
  contents: ReadonlyMap<ContentHash, EncodedContent>
): Closure['aliases'] {
  const named = namedUids({ skills }, contents)
  return aliases.filter(({ from }) => named.has(from)).sort((a, b) => (a.from < b.from ? -1 : 1))
}

function attestationsOf(
  skills: readonly BundledSkill[],
  attestations: ReadonlyMap<string, Attestation>
): Attestation[] {
  const needed = new Map<string, Attestation>()
  for (const { slug, versions } of skills) {
    for (const version of versions) {
      const attestation = attestations.get(signerOf(version))
      if (!attestation) throw new SelkieError('E_PACK_MISSING', { slug, what: 'the proof of who wrote it' })
      needed.set(signerOf(version), attestation)
    }
  }
  return [...needed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, attestation]) => attestation)
}

/** Every file that is needed is some skill’s. */
function missing(
  skills: readonly BundledSkill[],
  contents: ReadonlyMap<ContentHash, EncodedContent>,
  hash: FileHash
): SelkieError {
  const pathIn = ({ content }: BundledSkill): string | undefined =>
    contents.get(content)!.content.files.find((file) => file.hash === hash)?.path
  const skill = skills.find(pathIn)!
  return new SelkieError('E_PACK_MISSING', { slug: skill.slug, what: `its file ${pathIn(skill)}` })
}

/** Whatever the number of the receiver's devices: the padded sizes leave room for sixteen. */
function refuseOversized(index: Uint8Array, bodies: readonly Uint8Array[]): void {
  const inner = padded(STATEMENT_BYTES + SIGNATURE_BYTES + payloadLength({ index, bodies }))
  const size = sealedLength(envelopeLength(MAX_DEVICES), inner)
  if (size > MAX_BUNDLE) throw new SelkieError('E_LIMIT_BUNDLE', { size, limit: MAX_BUNDLE })
}
