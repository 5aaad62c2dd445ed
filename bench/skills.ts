import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes so many small SKILL.md folders, each mentioning the next; gives their folder. */
export async function skillFolders(folder: string, count: number): Promise<string> {
  for (let n = 0; n < count; n++) {
    const name = `skill-${n}`
    await mkdir(join(folder, name), { recursive: true })
    const text = `---\nname: ${name}\ndescription: One of many, number ${n}.\n---\n\nThen @skill-${(n + 1) % count}.\n`
    await writeFile(join(folder, name, 'SKILL.md'), text)
  }
  return folder
}
