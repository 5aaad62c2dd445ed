import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initHome, openNode } from '../src/node.js'

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

/** Makes a home with so many small skills in a folder; gives its path. */
export async function homeWith(count: number, folder: string): Promise<string> {
  const home = join(folder, `home-${count}`)
  await initHome({ home, name: 'Bench' })
  const node = await openNode({ home, passphrase: () => Promise.resolve('') })
  await node.importFolders([await skillFolders(join(folder, `skills-${count}`), count)])
  await node.close()
  return home
}
