import type { FileHash, Slug, Uid, VersionHash } from '../base/ids.js'
import { hash, toHex } from '../keys/sodium.js'
import type { LinkedBody, Ref } from './linked.js'

/** A file beside the body. `path` is relative, with `/`; `size` is in bytes. */
export interface SkillFile {
  readonly path: string
  readonly hash: FileHash
  readonly size: number
  /** Whether its author's system would execute it. */
  readonly exec: boolean
}

/**
 * All that a skill says, and nothing of what it is called here: the part that is
 * hashed, signed and sent. Two nodes that hold it hold the same bytes, whatever their
 * slugs are.
 */
export interface Content {
  readonly title: string
  readonly summary: string
  readonly body: LinkedBody
  /** In the order of their paths, by code unit. */
  readonly files: readonly SkillFile[]
  /** The frontmatter that it came with, as it was written, without its `---` lines; else null. */
  readonly header: string | null
}

/** What the namespace keeps of a skill, beside its content. */
export interface SkillRow {
  readonly uid: Uid
  readonly slug: Slug
  readonly title: string
  readonly summary: string
  readonly enabled: boolean
  readonly advertised: boolean
  /** Whether its files' exec bits are honoured here. Never by itself for what was received. */
  readonly exec: boolean
  /** The version that is shown. */
  readonly head: VersionHash
  /** The newest versions that no other follows: `head`, and what diverged from it. */
  readonly heads: readonly VersionHash[]
  /** The references of the shown version, in first-seen order. */
  readonly refs: readonly Ref[]
  readonly deleted: boolean
}

/** The name of a file's bytes. */
export function fileHash(bytes: Uint8Array): FileHash {
  return toHex(hash('selkie/file/v1', bytes)) as FileHash
}
