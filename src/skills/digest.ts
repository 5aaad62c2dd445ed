import { fileHash } from '../namespace/skill.js'
import { hash, toHex, utf8 } from '../keys/sodium.js'

/** All that a skill says and all that decides how it is offered. */
export interface SkillContent {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly hidden: boolean
  readonly tools: readonly string[]
  /** In the order of their paths, by code unit. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[]
}

/** BLAKE2b-256, lower-case hex: the same skill has the same wherever it lies. */
export function skillDigest({ name, description, body, hidden, tools, files }: SkillContent): string {
  const about = JSON.stringify([name, description, hidden, tools])
  const parts = files.flatMap(({ path, bytes }) => [utf8(path), utf8(fileHash(bytes))])
  return toHex(hash('selkie/skill/v1', utf8(about), utf8(body), ...parts))
}
