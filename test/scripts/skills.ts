import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One skill as a folder is made of it. */
export interface Written {
  readonly name: string
  readonly body: string
  /** Sizes in bytes of random files, by their paths. */
  readonly files?: Readonly<Record<string, number>>
}

/** Writes skills as SKILL.md folders into a new folder, and gives its path. */
export async function writeSkills(folder: string, skills: readonly Written[]): Promise<string> {
  for (const { name, body, files = {} } of skills) {
    const here = join(folder, name)
    await mkdir(here, { recursive: true })
    await writeFile(
      join(here, 'SKILL.md'),
      `---\nname: ${name}\ndescription: How to ${name}.\n---\n${body}\n`
    )
    for (const [path, size] of Object.entries(files)) await writeFile(join(here, path), randomBytes(size))
  }
  return folder
}

/** A skill that mentions two others, one of which mentions a fourth and a tool. */
export const TRIP: readonly Written[] = [
  { name: 'plan-trip', body: 'First @pack-bag, then @book-train.' },
  { name: 'pack-bag', body: 'Look at @check-weather before you choose.' },
  { name: 'book-train', body: 'Ask @current-date which day it is.' },
  { name: 'check-weather', body: 'Read the forecast in @find-file.' }
]
