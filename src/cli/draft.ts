import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SelkieError } from '../base/errors.js'
import { readText, writeText } from './files.js'

/** A skill’s body in a file of its own, while a person edits it. */
export class Draft {
  private constructor(readonly path: string) {}

  /** Puts the body into a folder that only this user can enter. */
  static async of(slug: string, body: string): Promise<Draft> {
    const path = join(await mkdtemp(join(tmpdir(), 'selkie-')), `${slug}.md`)
    await writeText(path, body)
    return new Draft(path)
  }

  /**
   * Opens the file in $VISUAL or $EDITOR, and gives the text that is in it when the
   * editor has ended.
   *
   * @throws SelkieError E_EDITOR when it can’t be started or ends with an error
   */
  async edit(): Promise<string> {
    const editor =
      process.env['VISUAL'] || process.env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi')
    // Through the shell, because the variable may hold arguments: `code --wait`.
    const child = spawn(`${editor} "${this.path}"`, { shell: true, stdio: 'inherit' })
    const [status] = (await once(child, 'exit').catch(() => [1])) as [number | null]
    if (status !== 0) throw new SelkieError('E_EDITOR', { editor, path: this.path })
    return readText(this.path)
  }

  /** Takes the file away. */
  async discard(): Promise<void> {
    await rm(dirname(this.path), { recursive: true, force: true })
  }
}
