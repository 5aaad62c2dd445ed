import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../api.js'
import { MAX_PATH_DEPTH } from '../base/limits.js'
import { diagnostic } from './diagnostics.js'
import { unreadable } from './regular.js'

/** A folder that holds a SKILL.md. Paths below a named folder are relative to it, with `/`. */
export interface FoundSkill {
  /** Absolute. */
  readonly location: string
  /** `.` for the named folder itself. */
  readonly folder: string
  /** What its SKILL.md is called there. */
  readonly textName: string
}

/**
 * The skills of a folder: itself where it has a SKILL.md, else those below it. What
 * lies inside a skill’s folder is that skill’s. Never under `node_modules` or `.git`.
 */
export async function findSkills(root: string): Promise<{ found: FoundSkill[]; diagnostics: Diagnostic[] }> {
  const found: FoundSkill[] = []
  const diagnostics: Diagnostic[] = []

  const search = async (folder: string, depth: number): Promise<void> => {
    const place = { path: folder }
    if (depth > MAX_PATH_DEPTH)
      return void diagnostics.push(diagnostic('D_TOO_DEEP', place, { limit: MAX_PATH_DEPTH }))
    const entries = await list(join(root, folder))
    if (!Array.isArray(entries)) return void diagnostics.push(diagnostic(entries.code, place, entries.fields))

    const textName = skillText(entries)
    if (textName !== undefined) return void found.push({ location: join(root, folder), folder, textName })
    for (const entry of entries) {
      const path = below(folder, entry.name)
      if (entry.isSymbolicLink()) diagnostics.push(diagnostic('D_SYMLINK', { path }))
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
        await search(path, depth + 1)
    }
  }
  await search('.', 0)
  return { found, diagnostics }
}

/** A folder’s entries in the order of their names, by code unit; or why they can’t be had. */
export async function list(location: string): Promise<Dirent[] | ReturnType<typeof unreadable>> {
  try {
    const entries = await readdir(location, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    return unreadable(error)
  }
}

/** A path one level below `folder`, relative to what `folder` is relative to. */
export function below(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}

/** The name of the entry that is a folder’s SKILL.md: that spelling first, then any other. */
function skillText(entries: readonly Dirent[]): string | undefined {
  const names = entries
    .filter((entry) => !entry.isDirectory() && isSkillText(entry.name))
    .map(({ name }) => name)
  return names.includes('SKILL.md') ? 'SKILL.md' : names[0]
}

/** Whether a file of this name is a skill’s text. */
export function isSkillText(name: string): boolean {
  return name.toLowerCase() === 'skill.md'
}
