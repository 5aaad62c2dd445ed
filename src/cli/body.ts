import { usage } from './args.js'
import { readText } from './files.js'

/** The flags that give a skill’s body. */
export const BODY_FLAGS = {
  body: { type: 'string', value: 'TEXT', about: 'Its body; `-` reads it from stdin' },
  'body-file': { type: 'string', value: 'FILE', about: 'Its body, from a file' }
} as const

/**
 * The body that was given by a flag or by a bare `-`, or undefined where none was.
 *
 * @throws SelkieError E_USAGE when it was given twice, E_INPUT_FILE
 */
export async function bodyFrom(
  flags: { body: string | undefined; 'body-file': string | undefined },
  dash: string | undefined,
  verb: string
): Promise<string | undefined> {
  if (dash !== undefined && dash !== '-') throw usage(`“${dash}” is one too many`, verb)
  const given = [flags.body, flags['body-file'], dash].filter((source) => source !== undefined)
  if (given.length > 1) throw usage('The body is given twice', verb)
  if (flags['body-file'] !== undefined) return readText(flags['body-file'])
  return given[0] === '-' ? readText('-') : given[0]
}
