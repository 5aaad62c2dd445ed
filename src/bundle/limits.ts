import { SelkieError, type ErrorCode } from '../base/errors.js'
import {
  MAX_ALIASES,
  MAX_BODY,
  MAX_FILE,
  MAX_FILES,
  MAX_LINEAGE,
  MAX_MANIFEST,
  MAX_NOTE,
  MAX_SKILLS
} from '../base/limits.js'
import { shown } from '../namespace/linked.js'
import type { Manifest, Payload } from './manifest.js'

/** An encoded content: its body, and as much beside it as a manifest may have. */
const MAX_CONTENT = MAX_BODY + MAX_MANIFEST

/**
 * Refuses what the manifest alone shows to be too much, before anything is built.
 *
 * @throws SelkieError E_LIMIT_NOTE, E_LIMIT_SKILLS, E_LIMIT_CONTENT, E_LIMIT_LINEAGE,
 *   E_LIMIT_ALIASES, E_LIMIT_FILES, E_LIMIT_FILE
 */
export function refuseManifestOverLimits({ note, skills, aliases, files }: Manifest): void {
  refuseOver('E_LIMIT_NOTE', MAX_NOTE, [...note].length)
  refuseOver('E_LIMIT_SKILLS', MAX_SKILLS, skills.length)
  for (const { slug, size, versions } of skills) {
    refuseOver('E_LIMIT_CONTENT', MAX_CONTENT, size, { slug })
    refuseOver('E_LIMIT_LINEAGE', MAX_LINEAGE, versions.length, { slug })
  }
  refuseOver('E_LIMIT_ALIASES', MAX_ALIASES, aliases.length)
  refuseOver('E_LIMIT_FILES', MAX_FILES, files.length)
  for (const { hash, size } of files) refuseOver('E_LIMIT_FILE', MAX_FILE, size, { file: hash })
}

/**
 * Refuses too many files, counted once for each skill that has them, and a body that
 * is too long when it is shown with the slugs of the bundle. Its links were checked.
 *
 * @throws SelkieError E_LIMIT_FILES, E_LIMIT_BODY
 */
export function refuseContentsOverLimits({
  manifest,
  contents
}: Pick<Payload, 'manifest' | 'contents'>): void {
  const targets = new Map(manifest.aliases.map(({ from, to }) => [from, to]))
  const slugs = new Map(manifest.skills.map(({ uid, slug }) => [uid, slug]))
  const bundled = manifest.skills.map((skill) => ({
    slug: skill.slug,
    ...contents.get(skill.content)!.content
  }))
  refuseOver('E_LIMIT_FILES', MAX_FILES, sum(bundled.map(({ files }) => files.length)))
  for (const { slug, body } of bundled) {
    const text = shown(body, (uid) => slugs.get(targets.get(uid) ?? uid)!)
    refuseOver('E_LIMIT_BODY', MAX_BODY, Buffer.byteLength(text), { slug })
  }
}

function refuseOver(code: ErrorCode, limit: number, size: number, of: Record<string, string> = {}): void {
  if (size > limit) throw new SelkieError(code, { ...of, size, limit })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
