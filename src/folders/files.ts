import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../api.js'
import { MAX_BUNDLE, MAX_FILE, MAX_FILES } from '../base/limits.js'
import { diagnostic } from './diagnostics.js'
import { below, isSkillText, list, type FoundSkill } from './find.js'
import type { IncomingFile } from './incoming.js'
import { collisions, pathProblem } from './paths.js'
import { readRegular, unreadable, type LeftOut } from './regular.js'
import { unseenInFile } from './unseen.js'

/** A file that was looked at and may be read. */
interface Seen {
  readonly path: string
  readonly stats: Stats
}

/**
 * The files beside a skill’s SKILL.md. What a bundle couldn’t carry is left out, so that
 * a skill that came in can always be sent. `files` is undefined where the skill as a
 * whole passes a limit; nothing is read before the sizes are known.
 */
export async function readFiles(
  skill: FoundSkill
): Promise<{ files?: IncomingFile[]; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const say = (path: string, { code, fields }: LeftOut): void => {
    diagnostics.push(diagnostic(code, { path: below(skill.folder, path) }, fields))
  }
  const seen = await look(skill, say)
  if (!seen) return { diagnostics }

  const meeting = collisions(seen.map(({ path }) => path))
  for (const { path, with: other } of meeting) say(path, { code: 'D_PATH_COLLISION', fields: { other } })
  const left = new Set(meeting.map(({ path }) => path))
  const kept = seen.filter(({ path }) => !left.has(path))
  const size = kept.reduce((sum, { stats }) => sum + stats.size, 0)
  if (size > MAX_BUNDLE) {
    say(skill.textName, { code: 'D_FILES_SIZE', fields: { size, limit: MAX_BUNDLE } })
    return { diagnostics }
  }

  const files: IncomingFile[] = []
  for (const { path, stats } of kept) {
    const bytes = await readRegular(join(skill.location, path), stats)
    if (!(bytes instanceof Uint8Array)) {
      say(path, bytes)
      continue
    }
    files.push({ path, bytes, exec: (stats.mode & 0o100) !== 0 })
    const unseen = unseenInFile(below(skill.folder, path), bytes)
    if (unseen) diagnostics.push(unseen)
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), diagnostics }
}

/** Every file that may be kept, in the order of the folders; undefined where there are too many. */
async function look(
  skill: FoundSkill,
  say: (path: string, why: LeftOut) => void
): Promise<Seen[] | undefined> {
  const seen: Seen[] = []
  const folders = ['.']
  // The list grows while it is gone through.
  for (const folder of folders) {
    const entries = await list(join(skill.location, folder))
    if (!Array.isArray(entries)) {
      say(folder, entries)
      continue
    }
    if (entries.length === 0) say(folder, { code: 'D_EMPTY_FOLDER' })
    for (const entry of entries) {
      const path = below(folder, entry.name)
      if (path === skill.textName) continue
      if (!entry.isDirectory() && isSkillText(path)) {
        say(path, { code: 'D_FILE_NAME_TWICE' })
        continue
      }
      const stats = await lstat(join(skill.location, path)).catch(unreadable)
      const why = 'code' in stats ? stats : leftOut(path, entry.name, stats)
      if (why) say(path, why)
      else if (!('code' in stats) && stats.isDirectory()) folders.push(path)
      else if (!('code' in stats)) {
        if (isSkillText(entry.name)) say(path, { code: 'D_NESTED_SKILL' })
        seen.push({ path, stats })
      }
      if (seen.length > MAX_FILES) {
        say(skill.textName, { code: 'D_FILES_COUNT', fields: { limit: MAX_FILES } })
        return undefined
      }
    }
  }
  return seen
}

function leftOut(path: string, name: string, stats: Stats): LeftOut | undefined {
  if (stats.isSymbolicLink()) return { code: 'D_SYMLINK' }
  if (!stats.isFile() && !stats.isDirectory()) return { code: 'D_SPECIAL' }
  if (stats.isDirectory() && name === 'node_modules') return { code: 'D_NODE_MODULES' }
  const why = pathProblem(path)
  if (why) return { code: 'D_PATH', fields: { why } }
  if (stats.isFile() && stats.size > MAX_FILE) {
    return { code: 'D_FILE_SIZE', fields: { size: stats.size, limit: MAX_FILE } }
  }
  return undefined
}
