import { parseArgs } from 'node:util'
import { SelkieError } from '../base/errors.js'
import type { Flags, FlagValues } from './flags.js'
import { BARE_FLAGS, GLOBAL_FLAGS, type GlobalValues } from './globals.js'
import type { Verb } from './verb.js'

/**
 * The verb’s name, of one word or two as `names` has them, and what remains of the
 * command line without it; no name where there is none.
 */
export function splitVerb(
  argv: readonly string[],
  names: readonly string[]
): { name: string | undefined; rest: string[] } {
  const [first, second] = tokensOf(argv, BARE_FLAGS).filter((token) => token.kind === 'positional')
  if (!first) return { name: undefined, rest: [...argv] }
  const rest = argv.toSpliced(first.index, 1)
  if (!second || !names.some((name) => name.startsWith(`${first.value} `))) return { name: first.value, rest }
  return { name: `${first.value} ${second.value}`, rest: rest.toSpliced(second.index - 1, 1) }
}

/** A verb’s command line, as its declaration reads it. */
export interface Parsed {
  args: readonly (string | string[] | undefined)[]
  flags: FlagValues<Flags> & GlobalValues
}

/**
 * Reads what follows a verb. Flags and positionals may come in any order; what follows
 * `--` is positional. Without a verb only global flags are known.
 *
 * @throws SelkieError E_USAGE
 */
export async function parse(
  argv: readonly string[],
  name: string | undefined,
  verb?: Pick<Verb, 'positionals' | 'flags' | 'words'>
): Promise<Parsed> {
  const known: Flags = verb ? { ...GLOBAL_FLAGS, ...verb.flags } : BARE_FLAGS
  const values: Record<string, boolean | string | string[]> = {}
  const given: string[] = []
  for (const token of tokensOf(argv, known)) {
    if (token.kind === 'positional') given.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!flag)
      throw await unknown(
        'flag',
        token.rawName,
        Object.keys(known).map((flag) => `--${flag}`),
        name
      )
    if (flag.type === 'boolean') {
      if (token.value !== undefined) throw usage(`${token.rawName} takes no value`, name)
      values[token.name] = true
    } else {
      if (token.value === undefined) throw usage(`${token.rawName} needs a value: ${flag.value}`, name)
      if (!token.inlineValue && /^-./.test(token.value)) {
        throw usage(
          `${token.rawName} needs a value; if it is “${token.value}”, write ${token.rawName}=${token.value}`,
          name
        )
      }
      if (flag.multiple)
        values[token.name] = [...((values[token.name] as string[] | undefined) ?? []), token.value]
      else if (token.name in values) throw usage(`${token.rawName} was given twice`, name)
      else values[token.name] = token.value
    }
  }
  const flags = values as Parsed['flags']
  // Who asks for help need not give the rest.
  if (flags.help || !verb) return { args: [], flags }
  const missing = Object.entries(known).find(([flag, { required }]) => required && !(flag in values))
  if (missing) throw usage(`--${missing[0]} ${missing[1].value} is missing`, name)
  return { args: assign(given, verb, name), flags }
}

/** The words of a command line; what is wrong with them is left to us to say. */
function tokensOf(argv: readonly string[], options: Flags) {
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function assign(
  given: string[],
  { positionals, words }: Pick<Verb, 'positionals' | 'words'>,
  verb: string | undefined
): Parsed['args'] {
  const left = [...given]
  const args = positionals.map((name) => {
    if (left.length === 0 && !name.startsWith('[')) throw usage(`${name} is missing`, verb)
    return name.endsWith('…') ? left.splice(0) : left.shift()
  })
  if (left.length === 0) return args
  // What is too many may be the words: they are not said again.
  throw usage(
    words
      ? 'The 24 words are asked for; on the command line others can read them, and the shell keeps them'
      : `“${left[0]}” is one too many`,
    verb
  )
}

/** Wrong usage of a verb: `why` is a sentence without its full stop. */
export function usage(why: string, verb: string | undefined, near = ''): SelkieError {
  return new SelkieError('E_USAGE', { why, near, verb: verb === undefined ? '' : `${verb} ` })
}

/** Wrong usage by a flag or verb that doesn’t exist, with the one that was probably meant. */
export async function unknown(
  kind: 'flag' | 'verb',
  typed: string,
  known: string[],
  verb?: string
): Promise<SelkieError> {
  const { closest, distance } = await import('fastest-levenshtein')
  const near = closest(typed, known)
  const likely = distance(typed, near) <= Math.max(2, Math.floor(typed.length / 3))
  return usage(`There is no ${kind} ${typed}`, verb, likely ? `Did you mean ${near}? ` : '')
}
