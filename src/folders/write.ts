import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { systemWords } from '../base/system.js'
import { diagnostic } from './diagnostics.js'
import { formatHeader, type Wanted } from './format.js'
import { joined } from './frontmatter.js'
import { parseHeader } from './header.js'
import { collisions, pathProblem } from './paths.js'

/** A skill as it leaves for a folder. */
export interface OutgoingSkill extends Wanted {
  /** As `Content.header`. */
  readonly header: string | null
  /** With its mentions shown. */
  readonly body: string
  readonly files: readonly OutgoingFile[]
}

export interface OutgoingFile {
  readonly path: string
  /** Whether it shall be executable there. */
  readonly exec: boolean
  /** Called once, for one file at a time. */
  bytes(): Promise<Uint8Array>
}

/**
 * Writes a skill as the folder `directory`/`slug`, which is there in whole or not at
 * all. Its SKILL.md is exactly the Agent Skills format; what that changed of the
 * frontmatter that the skill came with is in the diagnostics.
 *
 * @param directory absolute; made where it doesn’t exist
 * @returns the folder, absolute, and how many files beside SKILL.md are in it
 * @throws SelkieError E_EXPORT_EXISTS when the folder is there and isn’t empty, E_EXPORT
 */
export async function writeSkill(
  skill: OutgoingSkill,
  directory: string
): Promise<{ folder: string; files: number; diagnostics: Diagnostic[] }> {
  const folder = join(directory, skill.slug)
  const header = parseHeader(skill.header ?? '')
  const formatted = formatHeader(header, skill)
  const text = joined(formatted.text, skill.body)
  const diagnostics: Diagnostic[] = []
  if (skill.header !== null) {
    for (const { code, line, fields } of [...header.findings, ...formatted.findings]) {
      diagnostics.push(diagnostic(code, { path: `${skill.slug}/SKILL.md`, line: line + 1 }, fields))
    }
  }
  const files = writable(skill, diagnostics)

  let parent: string | undefined
  try {
    await mkdir(directory, { recursive: true })
    await makeRoom(folder)
    // Beside its place, so that one rename puts it there.
    parent = await mkdtemp(join(directory, '.selkie-export-'))
    const staged = join(parent, skill.slug)
    await mkdir(staged)
    await writeFile(join(staged, 'SKILL.md'), text, { flag: 'wx' })
    for (const file of files) {
      const path = join(staged, ...file.path.split('/'))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, await file.bytes(), { flag: 'wx', mode: file.exec ? 0o777 : 0o666 })
      if (file.exec) await chmod(path, 0o755)
    }
    await rename(staged, folder)
  } catch (cause) {
    if (cause instanceof SelkieError) throw cause
    throw new SelkieError('E_EXPORT', { folder, why: systemWords(cause) }, { cause })
  } finally {
    if (parent) await rm(parent, { recursive: true, force: true })
  }
  return { folder, files: files.length, diagnostics }
}

/** The files that may be written; every path is checked again, whatever let it in. */
function writable(skill: OutgoingSkill, diagnostics: Diagnostic[]): OutgoingFile[] {
  const meeting = new Map(
    collisions(skill.files.map(({ path }) => path)).map(({ path, with: other }) => [path, other])
  )
  return skill.files.filter(({ path }) => {
    const place = { path: `${skill.slug}/${path}` }
    const why = pathProblem(path)
    const other = meeting.get(path)
    if (why) diagnostics.push(diagnostic('D_PATH', place, { why }))
    else if (other !== undefined) diagnostics.push(diagnostic('D_PATH_COLLISION', place, { other }))
    return !why && other === undefined
  })
}

async function makeRoom(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined)
  if (!stats) return
  if (!stats.isDirectory() || (await readdir(folder)).length > 0)
    throw new SelkieError('E_EXPORT_EXISTS', { folder })
  await rmdir(folder)
}
