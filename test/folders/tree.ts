import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

/** A new folder, its path a real one, that holds `files`, their paths with `/`; gone when the test ends. */
export async function tree(t: Test, files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'selkie-folders-')))
  t.teardown(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

/** A SKILL.md with the two keys that every skill has. */
export function skillText(name: string, body = '# Steps\n', more = ''): string {
  return `---\nname: ${name}\ndescription: How to ${name}.\n${more}---\n${body}`
}
