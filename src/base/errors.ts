import { printable } from './printable.js'
import { ERRORS, type ErrorCode } from './codes.js'

export type { ErrorCode } from './codes.js'

/** Values that fill the `{braces}` of a message in the table. */
export type ErrorFields = Readonly<Record<string, string | number>>

/**
 * The one error that Selkie throws on purpose. Its message and hint come from the
 * table in `codes.ts`, filled with `fields`; both are fit to be shown to a person:
 * control and direction-changing characters in the fields are made visible.
 *
 * `fields` stay on the error for callers that need the values and not the sentence.
 * `cause` keeps what was thrown underneath; it is never shown.
 */
export class SelkieError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  readonly fields: ErrorFields

  constructor(code: ErrorCode, fields: ErrorFields = {}, options: { cause?: unknown } = {}) {
    const { says, hint } = ERRORS[code]
    super(fill(says, fields), options)
    this.name = 'SelkieError'
    this.code = code
    this.hint = fill(hint, fields)
    this.fields = fields
  }
}

/** Whether `error` is a SelkieError, of the given code where one is named. */
export function isSelkieError(error: unknown, code?: ErrorCode): error is SelkieError {
  return error instanceof SelkieError && (code === undefined || error.code === code)
}

function fill(template: string, fields: ErrorFields): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in fields ? printable(String(fields[name])) : whole
  )
}
