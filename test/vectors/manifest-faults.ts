import { MAX_MANIFEST } from '../../src/base/limits.js'
import { u32 } from '../../src/bundle/format.js'
import type { Manifest } from '../../src/bundle/manifest.js'
import { utf8 } from '../../src/keys/sodium.js'
import { forged, type Forgery } from './forge.js'
import { insider, type Vector } from './vector.js'
import { eachSkill, greet, noted } from './honest.js'

/** Faults of sizes and of the manifest’s encoding and shape. */
export function manifestVectors(): Vector[] {
  const layout = (name: string, about: string, forgery: Forgery): Vector =>
    insider(name, 'E_BUNDLE_LAYOUT', about, forged([noted], forgery))
  const encoding = (name: string, about: string, encoded: (manifest: Uint8Array) => Uint8Array): Vector =>
    insider(name, 'E_ENCODING', about, forged([greet], { encoded }))
  const shape = (name: string, about: string, manifest: (manifest: Manifest) => object): Vector =>
    insider(name, 'E_BUNDLE_MANIFEST', about, forged([greet], { manifest }))
  return [
    layout('index-empty', 'The index is too short for a length.', { index: () => Uint8Array.of(0, 0, 0) }),
    layout('manifest-longer', 'The manifest is longer than the index.', {
      index: (index) => withLength(index, index.length)
    }),
    layout('contents-longer', 'A byte behind the last content.', {
      contents: ([only]) => [only!, Uint8Array.of(0)]
    }),
    layout('contents-shorter', 'The last content ends early.', {
      contents: ([only]) => [only!.subarray(0, -1)]
    }),
    layout('bodies-longer', 'A byte behind the last file.', {
      bodies: (bodies) => [...bodies, Uint8Array.of(0)]
    }),
    layout('bodies-shorter', 'The last file is missing.', { bodies: (bodies) => bodies.slice(0, 1) }),
    insider(
      'limit-manifest',
      'E_LIMIT_MANIFEST',
      'The manifest says that it is over 4 MiB.',
      forged([greet], { index: (index) => withLength(index, MAX_MANIFEST + 1) })
    ),
    encoding('manifest-trailing', 'A byte behind the manifest’s end.', (bytes) =>
      Buffer.concat([bytes, Uint8Array.of(0xc0)])
    ),
    encoding('manifest-long-form', 'A text with a longer head than it needs.', (bytes) =>
      withNote(bytes, [0xd9, 1, 0x78])
    ),
    encoding('manifest-utf8', 'A text that isn’t UTF-8.', (bytes) => withNote(bytes, [0xa1, 0xff])),
    encoding('manifest-extension', 'An extension type.', (bytes) => withNote(bytes, [0xd4, 1, 0])),
    encoding('manifest-float', 'A floating-point number.', (bytes) =>
      withNote(bytes, [0xcb, 0, 0, 0, 0, 0, 0, 0, 0])
    ),
    encoding('manifest-deep', 'Nine levels.', (bytes) =>
      withNote(bytes, [...Array<number>(8).fill(0x91), 0xc0])
    ),
    encoding('manifest-huge-list', 'A list with more items than there are bytes.', (bytes) =>
      withNote(bytes, [0xdd, 0xff, 0xff, 0xff, 0xff])
    ),
    encoding('manifest-many-values', 'More values than the size allows.', (bytes) =>
      withNote(bytes, [0xdc, 0x10, 0, ...Array<number>(4096).fill(0xc0)])
    ),
    encoding('manifest-doubled-key', 'A key twice.', (bytes) => doubledNote(bytes)),
    encoding('manifest-key-order', 'Two keys out of order.', (bytes) => swappedKeys(bytes)),
    encoding('manifest-proto', 'A key named __proto__.', (bytes) =>
      withNote(bytes, [0x81, 0xa9, ...utf8('__proto__'), 0xc0])
    ),
    shape('manifest-extra', 'A property that the format doesn’t know.', (manifest) => ({
      ...manifest,
      more: 1
    })),
    shape('manifest-missing', 'No note, not even an empty one.', (manifest) =>
      Object.fromEntries(Object.entries(manifest).filter(([key]) => key !== 'note'))
    ),
    shape('manifest-type', 'A number for a note.', (manifest) => ({ ...manifest, note: 1 })),
    shape('manifest-list', 'A list for a manifest.', () => []),
    shape(
      'skill-extra',
      'A skill that wants to be advertised.',
      eachSkill(() => ({ advertised: true }))
    ),
    shape('uid-upper-case', 'A uid in upper case.', (manifest) => ({
      ...manifest,
      root: manifest.root.toUpperCase()
    })),
    shape(
      'hash-short',
      'A content hash of 31 bytes.',
      eachSkill(({ content }) => ({ content: content.slice(2) }))
    ),
    shape(
      'size-text',
      'A text for a size.',
      eachSkill(({ size }) => ({ size: `${size}` }))
    ),
    shape('path-in-manifest', 'A file with a path, which only a content has.', (manifest) => ({
      ...manifest,
      files: [{ hash: '0'.repeat(64), size: 0, path: 'a' }]
    }))
  ]
}

function withLength(index: Uint8Array, length: number): Uint8Array {
  return Buffer.concat([u32(length), index.subarray(4)])
}

const NOTE = [0xa4, ...utf8('note')]

/** The manifest’s bytes with others for its note, which is `x`. */
function withNote(manifest: Uint8Array, note: readonly number[]): Uint8Array {
  return splice(manifest, [...NOTE, 0xa1, 0x78], [...NOTE, ...note])
}

function doubledNote(manifest: Uint8Array): Uint8Array {
  const twice = splice(manifest, [...NOTE, 0xa1, 0x78], [...NOTE, 0xa1, 0x78, ...NOTE, 0xa1, 0x78])
  twice[0]! += 1
  return twice
}

function swappedKeys(manifest: Uint8Array): Uint8Array {
  const empty = [0xa7, ...utf8('aliases'), 0x90]
  const without = splice(manifest, empty, [])
  return splice(without, [...NOTE, 0xa1, 0x78], [...NOTE, 0xa1, 0x78, ...empty])
}

function splice(bytes: Uint8Array, found: readonly number[], put: readonly number[]): Uint8Array {
  const at = Buffer.from(bytes).indexOf(Uint8Array.from(found))
  if (at < 0) throw new Error('there is nothing to replace')
  return Buffer.concat([bytes.subarray(0, at), Uint8Array.from(put), bytes.subarray(at + found.length)])
}
