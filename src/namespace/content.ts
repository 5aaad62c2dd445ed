import { SelkieError } from '../base/errors.js'
import type { ContentHash, ToolName, Uid } from '../base/ids.js'
import {
  MAX_BODY,
  MAX_BUNDLE,
  MAX_FILE,
  MAX_FILES,
  MAX_HEADER,
  MAX_PATH,
  MAX_SUMMARY,
  MAX_TITLE
} from '../base/limits.js'
import { decode, encode } from '../base/msgpack.js'
import { flag, hex, list, object, shape, text, whole } from '../base/schema.js'
import { hash, toHex } from '../keys/sodium.js'
import { isCanonical, type LinkedBody } from './linked.js'
import type { Content, SkillFile } from './skill.js'

/** A body's reference as it is encoded: `{s: uid}` or `{t: tool}`. */
type EncodedRef = { s: Uid } | { t: ToolName }

interface EncodedContent {
  body: (string | EncodedRef)[]
  files: SkillFile[]
  header: string | null
  summary: string
  title: string
}

const isContent = shape<EncodedContent>(
  object({
    title: text(MAX_TITLE, 1),
    summary: text(MAX_SUMMARY, 1),
    header: { type: 'string', maxLength: MAX_HEADER, nullable: true },
    body: list({ anyOf: [text(MAX_BODY, 1), object({ s: hex(16) }), object({ t: text(64, 1) })] }, MAX_BODY),
    files: list(
      object({ path: text(MAX_PATH, 1), hash: hex(32), size: whole(MAX_FILE), exec: flag }),
      MAX_FILES
    )
  })
)

/**
 * A content as the bytes that are hashed, stored and sent.
 */
export function encodeContent(content: Content): Uint8Array {
  const { title, summary, header, files } = content
  const body = content.body.map((part) =>
    typeof part === 'string' ? part : 'skill' in part ? { s: part.skill } : { t: part.tool }
  )
  return encode({ title, summary, header, body, files })
}

/**
 * The content of bytes from anywhere. Its body is canonical: every reference to a tool
 * names one of the six, and no text in it would be read as a mention. Its header can be
 * put between two `---` lines and is what stands between them.
 *
 * @throws SelkieError E_ENCODING, E_CONTENT
 */
export function decodeContent(bytes: Uint8Array): Content {
  const value = decode(bytes)
  if (!isContent(value)) throw new SelkieError('E_CONTENT', { why: 'it doesn’t have the shape of a skill' })
  if (!isHeader(value.header)) {
    throw new SelkieError('E_CONTENT', { why: 'its frontmatter doesn’t end where it should' })
  }
  const body = value.body.map((part) =>
    typeof part === 'string' ? part : 's' in part ? { skill: part.s } : { tool: part.t }
  )
  if (leastSize(body) > MAX_BODY) throw new SelkieError('E_CONTENT', { why: 'its body is longer than 1 MiB' })
  if (!isCanonical(body)) throw new SelkieError('E_CONTENT', { why: 'its mentions aren’t all links' })
  if (!rising(value.files)) {
    throw new SelkieError('E_CONTENT', { why: 'its files are doubled or out of order' })
  }
  // One body under many paths is small in a bundle and large in a folder.
  if (value.files.reduce((sum, { size }) => sum + size, 0) > MAX_BUNDLE) {
    throw new SelkieError('E_CONTENT', { why: 'its files are larger than 16 MiB together' })
  }
  return { title: value.title, summary: value.summary, header: value.header, body, files: value.files }
}

/** The name of an encoded content: BLAKE2b-256 over its bytes as they are. */
export function contentHash(encoded: Uint8Array): ContentHash {
  return toHex(hash('selkie/content/v1', encoded)) as ContentHash
}

/** Whether a header is whole lines, none of which could be read as the `---` behind it. */
function isHeader(header: string | null): boolean {
  return !header || (header.endsWith('\n') && !/^---/m.test(header))
}

/** Bytes of the body in UTF-8 when every mention is as short as one can be: `@a`. */
function leastSize(body: LinkedBody): number {
  return body.reduce((size, part) => size + (typeof part === 'string' ? Buffer.byteLength(part) : 2), 0)
}

function rising(files: readonly SkillFile[]): boolean {
  return files.every((file, i) => i === 0 || files[i - 1]!.path < file.path)
}
