import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Diagnostic } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { MAX_BODY, MAX_HEADER, MAX_IMPORT } from '../base/limits.js'
import { diagnostic } from './diagnostics.js'
import { readFiles } from './files.js'
import { below, findSkills, type FoundSkill } from './find.js'
import { readText, type IncomingSkill } from './incoming.js'
import { readRegular, unreadable } from './regular.js'

export type { IncomingFile, IncomingSkill } from './incoming.js'

/**
 * Reads the skills of folders, as leniently as they can be, with everything that was
 * odd about them. A skill that two of the paths lead to comes once.
 *
 * @param paths absolute paths of folders; a link that is named itself is followed
 * @param called what each is called where its own name is needed: where it is a skill
 *   itself, where it holds none, and where it isn’t the only one; `.` unless given
 * @throws SelkieError E_FOLDER when a path isn’t a folder
 */
export async function readFolders(
  paths: readonly string[],
  called: readonly string[] = paths.map(() => '.')
): Promise<{ skills: IncomingSkill[]; diagnostics: Diagnostic[] }> {
  const skills: IncomingSkill[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  let size = 0
  for (const [i, path] of paths.entries()) {
    const search = await findSkills(await rootOf(path))
    const isPlain = paths.length === 1 && search.found.some(({ folder }) => folder !== '.')
    const within = (path: string): string => inside(isPlain ? '.' : called[i]!, path)
    for (const each of search.diagnostics) diagnostics.push({ ...each, path: within(each.path!) })
    if (search.found.length === 0) diagnostics.push(diagnostic('D_NO_SKILL', { path: within('.') }))
    for (const found of search.found) {
      if (seen.has(found.location)) continue
      seen.add(found.location)
      const { skill, diagnostics: about } = await readSkill({ ...found, folder: within(found.folder) })
      for (const each of about) diagnostics.push(each)
      if (!skill) continue
      const bytes = sizeOf(skill)
      if (size + bytes > MAX_IMPORT) {
        diagnostics.push(diagnostic('D_IMPORT_SIZE', { path: skill.path }, { limit: MAX_IMPORT }))
        continue
      }
      size += bytes
      skills.push(skill)
    }
  }
  return { skills, diagnostics }
}

/** A path that is relative to the folder of a name, with that before it. */
function inside(name: string, path: string): string {
  return path === '.' ? name : below(name, path)
}

async function rootOf(path: string): Promise<string> {
  try {
    const root = await realpath(path)
    if ((await stat(root)).isDirectory()) return root
  } catch (cause) {
    throw new SelkieError('E_FOLDER', { path }, { cause })
  }
  throw new SelkieError('E_FOLDER', { path })
}

async function readSkill(found: FoundSkill): Promise<{ skill?: IncomingSkill; diagnostics: Diagnostic[] }> {
  const { location, folder, textName } = found
  const place = { path: below(folder, textName) }
  const limit = MAX_BODY + MAX_HEADER
  const stats = await lstat(join(location, textName)).catch(unreadable)
  if ('code' in stats) return { diagnostics: [diagnostic(stats.code, place, stats.fields)] }
  if (stats.isSymbolicLink()) return { diagnostics: [diagnostic('D_SYMLINK', place)] }
  if (!stats.isFile()) return { diagnostics: [diagnostic('D_SPECIAL', place)] }
  if (stats.size > limit)
    return { diagnostics: [diagnostic('D_TEXT_SIZE', place, { size: stats.size, limit: MAX_BODY })] }

  const bytes = await readRegular(join(location, textName), stats)
  if (!(bytes instanceof Uint8Array)) return { diagnostics: [diagnostic(bytes.code, place, bytes.fields)] }
  const { text, diagnostics } = readText(bytes, basename(location), place)
  if (textName !== 'SKILL.md') diagnostics.unshift(diagnostic('D_FILE_NAME', place, { name: textName }))
  if (!text) return { diagnostics }

  const { files, diagnostics: ofFiles } = await readFiles(found)
  for (const each of ofFiles) diagnostics.push(each)
  return files
    ? { skill: { location, folder, path: place.path, ...text, files }, diagnostics }
    : { diagnostics }
}

function sizeOf(skill: IncomingSkill): number {
  return skill.files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(skill.body))
}
