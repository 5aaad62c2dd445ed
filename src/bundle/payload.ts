import { SelkieError } from '../base/errors.js'
import type { ContentHash, FileHash } from '../base/ids.js'
import { MAX_MANIFEST } from '../base/limits.js'
import { hash, toHex } from '../keys/sodium.js'
import { contentHash, decodeContent } from '../namespace/content.js'
import { fileHash } from '../namespace/skill.js'
import { LABEL, u32 } from './format.js'
import { refuseManifestOverLimits } from './limits.js'
import {
  decodeManifest,
  encodeManifest,
  type EncodedContent,
  type Manifest,
  type Payload
} from './manifest.js'

/**
 * The front of a payload: the length of the manifest, the manifest, and the encoded
 * contents in its order. It names all that follows it by hash and size.
 */
export function encodeIndex(manifest: Manifest, contents: readonly Uint8Array[]): Uint8Array {
  const bytes = encodeManifest(manifest)
  return Buffer.concat([u32(bytes.length), bytes, ...contents])
}

/** The name of a payload, 64 hex digits: BLAKE2b-256 of its index, and so of every byte. */
export function payloadHashOf(index: Uint8Array): string {
  return toHex(hash(LABEL.payload, index))
}

/**
 * The manifest and the contents of an index whose hash was checked. Each content is
 * what its hash says.
 *
 * @throws SelkieError E_LIMIT_…, E_ENCODING, E_BUNDLE_MANIFEST, E_BUNDLE_LAYOUT,
 *   E_BUNDLE_CONTENT, E_CONTENT
 */
export function decodeIndex(index: Uint8Array): Pick<Payload, 'manifest' | 'contents'> {
  if (index.length < 4) throw new SelkieError('E_BUNDLE_LAYOUT')
  const length = new DataView(index.buffer, index.byteOffset).getUint32(0, true)
  if (length > MAX_MANIFEST) throw new SelkieError('E_LIMIT_MANIFEST', { size: length, limit: MAX_MANIFEST })
  if (4 + length > index.length) throw new SelkieError('E_BUNDLE_LAYOUT')
  const manifest = decodeManifest(index.subarray(4, 4 + length))
  refuseManifestOverLimits(manifest)
  const parts = split(
    index.subarray(4 + length),
    manifest.skills.map((skill) => skill.size)
  )
  const contents = new Map<ContentHash, EncodedContent>()
  for (const [i, { slug, content }] of manifest.skills.entries()) {
    const bytes = parts[i]!
    if (contentHash(bytes) !== content) throw new SelkieError('E_BUNDLE_CONTENT', { slug })
    if (!contents.has(content)) contents.set(content, { bytes, content: decodeContent(bytes) })
  }
  return { manifest, contents }
}

/**
 * The file bodies behind the index, each what its hash says. They share memory with
 * `bytes`.
 *
 * @throws SelkieError E_BUNDLE_LAYOUT, E_BUNDLE_FILE
 */
export function readFiles(bytes: Uint8Array, manifest: Manifest): Map<FileHash, Uint8Array> {
  const bodies = split(
    bytes,
    manifest.files.map((file) => file.size)
  )
  return new Map(
    manifest.files.map(({ hash: name }, i) => {
      const body = bodies[i]!
      if (fileHash(body) !== name) throw new SelkieError('E_BUNDLE_FILE', { file: name })
      return [name, body]
    })
  )
}

/** The bytes in parts of those sizes, with nothing left over. */
function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  let at = 0
  const parts = sizes.map((size) => bytes.subarray(at, (at += size)))
  if (at !== bytes.length) throw new SelkieError('E_BUNDLE_LAYOUT')
  return parts
}
