import { SelkieError } from '../base/errors.js'
import type { ContentHash, FileHash, Slug, ToolName, Uid, VersionHash } from '../base/ids.js'
import { MAX_SLUG } from '../base/limits.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, object, shape, text, whole } from '../base/schema.js'
import { attestationSchema, type Attestation } from '../keys/identity.js'
import type { Content } from '../namespace/skill.js'
import { versionSchema, type Version } from '../namespace/version.js'

/** One skill of a bundle. */
export interface BundledSkill {
  readonly uid: Uid
  /** What its sender calls it. */
  readonly slug: Slug
  readonly content: ContentHash
  /** Bytes of its encoded content. */
  readonly size: number
  readonly head: VersionHash
  /** The head and its ancestors, newest first; older ones may be missing. */
  readonly versions: readonly Version[]
}

/** What a bundle holds. The order of skills and files is that of their bytes behind it. */
export interface Manifest {
  /** The skill that was sent; the others are what it needs. */
  readonly root: Uid
  /** A word from the sender, at most 2,000 characters. */
  readonly note: string
  readonly skills: readonly BundledSkill[]
  /** For each author and device that signed a version, that author's word for it. */
  readonly attestations: readonly Attestation[]
  /** Every file once, in the order of the hashes. */
  readonly files: readonly { readonly hash: FileHash; readonly size: number }[]
  /** Uids that occur in bodies or versions and stand for a skill of this bundle. */
  readonly aliases: readonly { readonly from: Uid; readonly to: Uid }[]
  /** The tools that the skills mention, in rising order. */
  readonly tools: readonly ToolName[]
}

/** A content, and the bytes that its hash is of. */
export interface EncodedContent {
  readonly content: Content
  readonly bytes: Uint8Array
}

/** All that a bundle carries, taken apart. */
export interface Payload {
  readonly manifest: Manifest
  readonly contents: ReadonlyMap<ContentHash, EncodedContent>
  readonly files: ReadonlyMap<FileHash, Uint8Array>
}

/** Unbounded here: the manifest's size bounds it, and a limit has its own code. */
const any = (items: object): object => ({ type: 'array', items })
const size = whole(2 ** 32 - 1)

const isManifest = shape<Manifest>(
  object({
    root: hex(16),
    note: { type: 'string' },
    skills: any(
      object({
        uid: hex(16),
        slug: text(4 * MAX_SLUG),
        content: hex(32),
        size,
        head: hex(32),
        versions: any(versionSchema)
      })
    ),
    attestations: any(attestationSchema),
    files: any(object({ hash: hex(32), size })),
    aliases: any(object({ from: hex(16), to: hex(16) })),
    tools: any(text(MAX_SLUG))
  })
)

/** The manifest's canonical bytes. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  return encode(manifest)
}

/**
 * The manifest of bytes that were authenticated before.
 *
 * @throws SelkieError E_ENCODING, E_BUNDLE_MANIFEST
 */
export function decodeManifest(bytes: Uint8Array): Manifest {
  const value = decode(bytes)
  if (!isManifest(value)) throw new SelkieError('E_BUNDLE_MANIFEST')
  return value
}
