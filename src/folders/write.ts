import { chmod, mkdir, mkdtemp, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { makeFolder } from '../base/make-folder.js'
import { systemWords } from '../base/system.js'
import { filesOf, type OutgoingFile, type OutgoingSkill } from './outgoing.js'
import { standingOf, type Standing } from './standing.js'

/** The folder of a skill. */
export interface WrittenSkill {
  /** Absolute. */
  readonly folder: string
  /** How many files beside SKILL.md are in it. */
  readonly files: number
  /** Whether it was there and held exactly this. */
  readonly unchanged: boolean
}

/** A folder on its way to the disk. */
interface Outgoing {
  readonly folder: string
  readonly slug: string
  /** SKILL.md first. */
  readonly files: readonly OutgoingFile[]
  readonly standing: Standing
}

/**
 * Writes each skill as the folder `directory`/`slug`: all of them, or none, and never a
 * part of one. A folder that holds exactly what would be written stays; where anything
 * else is in the way, nothing is written. Each SKILL.md is exactly the Agent Skills
 * format; what that changed of the frontmatter that the skill came with is in the
 * diagnostics.
 *
 * @param directory absolute; made where it doesn’t exist
 * @throws SelkieError E_EXPORT_EXISTS for what is in the way, E_EXPORT, and what the files throw
 */
export async function writeSkills(
  skills: readonly OutgoingSkill[],
  directory: string
): Promise<{ written: WrittenSkill[]; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const outgoing: Outgoing[] = []
  for (const skill of skills) {
    const folder = join(directory, skill.slug)
    const { files, diagnostics: about } = filesOf(skill)
    diagnostics.push(...about)
    const standing = await standingOf(folder, files).catch(refused(folder))
    outgoing.push({ folder, slug: skill.slug, files, standing })
  }
  refuseOther(outgoing.filter(({ standing }) => standing === 'other'))
  const fresh = outgoing.filter(({ standing }) => standing !== 'same')
  if (fresh.length > 0) await writeAll(fresh, directory)
  const written = outgoing.map(({ folder, files, standing }): WrittenSkill => ({
    folder,
    files: files.length - 1,
    unchanged: standing === 'same'
  }))
  return { written, diagnostics }
}

/** Puts all folders in their places; whatever it made is gone again when one can’t be. */
async function writeAll(skills: readonly Outgoing[], directory: string): Promise<void> {
  const made: string[] = []
  const placed: { skill: Outgoing; staged: string }[] = []
  let stage: string | undefined
  let at = directory
  try {
    await makeFolder(directory, undefined, made)
    // Beside their places, so that one rename puts each there.
    stage = await mkdtemp(join(directory, '.selkie-export-'))
    for (const { folder, slug, files } of skills) {
      at = folder
      await writeFiles(join(stage, slug), files)
    }
    for (const skill of skills) {
      at = skill.folder
      const staged = join(stage, skill.slug)
      await place(staged, skill)
      placed.push({ skill, staged })
    }
  } catch (cause) {
    for (const { skill, staged } of placed) await takeBack(staged, skill)
    if (stage) await rm(stage, { recursive: true, force: true })
    // One that someone has put something into meanwhile is theirs.
    for (const folder of made.reverse()) await rmdir(folder).catch(() => {})
    return refused(at)(cause)
  }
  await rm(stage, { recursive: true, force: true })
}

async function writeFiles(folder: string, files: readonly OutgoingFile[]): Promise<void> {
  await mkdir(folder)
  for (const file of files) {
    const { path, exec } = file
    const place = join(folder, ...path.split('/'))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, await file.bytes(), { flag: 'wx', mode: exec ? 0o777 : 0o666 })
    if (exec) await chmod(place, 0o755)
  }
}

async function place(staged: string, { folder, standing }: Outgoing): Promise<void> {
  try {
    // Elsewhere a rename takes the place of an empty folder by itself.
    if (standing === 'empty' && process.platform === 'win32') await rmdir(folder)
    await rename(staged, folder)
  } catch (cause) {
    // It has come there since it was looked at.
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')
    throw isTaken ? new SelkieError('E_EXPORT_EXISTS', { folder }, { cause }) : cause
  }
}

async function takeBack(staged: string, { folder, standing }: Outgoing): Promise<void> {
  await rename(folder, staged)
  if (standing === 'empty') await mkdir(folder)
}

function refuseOther(skills: readonly Outgoing[]): void {
  if (skills.length === 0) return
  throw new SelkieError('E_EXPORT_EXISTS', { folder: skills.map(({ folder }) => folder).join(', ') })
}

/** Turns why a folder can’t be written into E_EXPORT; for `catch`. */
function refused(folder: string): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof SelkieError) throw cause
    throw new SelkieError('E_EXPORT', { folder, why: systemWords(cause) }, { cause })
  }
}
