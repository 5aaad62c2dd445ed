import type { Diagnostic } from '../../api.js'
import type { ErrorFields } from '../../base/errors.js'
import { diagnostic, type DiagnosticCode } from '../../folders/diagnostics.js'

/** Different problems of one file that are told. */
const MAX_PROBLEMS = 10
/** Characters of a title in them. */
const MAX_TITLE = 60

/** What was found wrong with a file, each kind of problem once and with how often. */
export class Problems {
  readonly #path: string
  readonly #found = new Map<
    string,
    { readonly code: DiagnosticCode; readonly fields: ErrorFields; count: number }
  >()

  /** @param path of the file, as the person is told it */
  constructor(path: string) {
    this.#path = path
  }

  /** @param key tells two problems of one code apart */
  say(code: DiagnosticCode, fields: ErrorFields = {}, key = ''): void {
    const known = this.#found.get(code + key)
    if (known) known.count++
    else if (this.#found.size < MAX_PROBLEMS) this.#found.set(code + key, { code, fields, count: 1 })
  }

  get all(): Diagnostic[] {
    return [...this.#found.values()].map(({ code, fields, count }) =>
      diagnostic(code, { path: this.#path }, { ...fields, count })
    )
  }
}

/** An event’s title as a problem names it. */
export function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ')
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line || 'untitled'
}
