import type { OnProgress } from '../api.js'

/** What is done sooner needs no bar. */
const SHOW_AFTER_MS = 1000
const WIDTH = 24

/**
 * A bar on stderr for the steps of one command, from its first second on. It is drawn
 * here and not by the prompts’ library, whose bars take hold of the keyboard and make
 * Ctrl-C end the process as if all were well.
 */
export class ProgressBar {
  readonly #since = Date.now()
  #drawn = ''

  readonly onProgress: OnProgress = ({ label, done, total }) => {
    if (Date.now() - this.#since < SHOW_AFTER_MS) return
    const full = total > 0 ? Math.round((Math.min(done, total) / total) * WIDTH) : 0
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
    this.#draw(`${bar} ${label} ${done}/${total}`.slice(0, (process.stderr.columns || 80) - 1))
  }

  /** Takes the bar away, before anything else is printed. */
  clear(): void {
    if (this.#drawn !== '') this.#draw('')
  }

  #draw(line: string): void {
    if (line === this.#drawn) return
    this.#drawn = line
    process.stderr.write(`\r\u001b[2K${line}`)
  }
}
