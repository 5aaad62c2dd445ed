import { SelkieError } from '../../base/errors.js'

/** A regular expression over lines. */
export interface Pattern {
  /** As it was given. */
  readonly text: string
  /** In JavaScript’s syntax. */
  readonly source: string
  /** With `i` it doesn’t regard case. */
  readonly flags: 'u' | 'iu'
}

/**
 * The regular expression of a text, in JavaScript’s syntax of its Unicode mode; a needless
 * backslash before a punctuation mark is taken too. Case counts once there is a capital
 * in it, unless it begins with `(?i)`.
 *
 * @throws SelkieError E_PATTERN
 */
export function readPattern(text: string): Pattern {
  const isLoose = text.startsWith('(?i)')
  const plain = text.slice(isLoose ? 4 : 0).replace(/\\(?:([!"#%&',\-:;<=>@_`~ ])|.)/gsu, unescaped)
  try {
    const flags = isLoose || !/\p{Lu}/u.test(plain.replace(NO_LETTERS, '')) ? 'iu' : 'u'
    return { text, source: new RegExp(plain, flags).source, flags }
  } catch (cause) {
    throw badPattern(text, cause)
  }
}

/** What is wrong with a pattern, by what the engine says of it. */
function badPattern(pattern: string, cause: unknown): SelkieError {
  // The pattern itself stands before it.
  const says = String(cause).split(': ').at(-1)!
  const why = WHY.find(([about]) => about.test(says))?.[1] ?? 'it can’t be read in JavaScript’s syntax'
  return new SelkieError('E_PATTERN', { pattern, why }, { cause })
}

/** Unicode mode takes no needless backslash; as a number the character is the same everywhere. */
function unescaped(whole: string, mark: string | undefined): string {
  return mark === undefined ? whole : `\\x${mark.charCodeAt(0).toString(16)}`
}

/** Letters that stand for something else, and names. */
const NO_LETTERS =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|k<[^>]*>|.)|\(\?<[^=!>][^>]*>/gisu

const WHY: readonly (readonly [RegExp, string])[] = [
  [/unterminated group/i, 'a ( has no )'],
  [/unmatched '\)'/i, 'a ) has no (; as a character it is \\)'],
  [/unterminated character class/i, 'a [ has no ]; as a character it is \\['],
  [/nothing to repeat/i, 'a *, + or ? has nothing before it; as characters they are \\*, \\+ and \\?'],
  [/lone quantifier brackets/i, 'a {, } or ] stands alone; as characters they are \\{, \\} and \\]'],
  [/incomplete quantifier/i, 'a { has no count and }; as a character it is \\{'],
  [/numbers out of order/i, 'in {n,m}, n is larger than m'],
  [/range out of order/i, 'a range in […] ends before it begins'],
  [/invalid character class/i, 'a range in […] has no single character at an end'],
  [/at end of pattern/i, 'it ends in a backslash'],
  [
    /invalid (unicode|decimal|class)? ?escape/i,
    'a backslash stands before what needs none, or is incomplete'
  ],
  [/invalid property name/i, 'there is no such \\p{…}'],
  [/invalid group/i, 'of (?…) only (?:…), (?<name>…), (?=…), (?!…), (?<=…) and (?<!…) are there'],
  [/duplicate capture group name/i, 'two groups have the same name'],
  [/invalid capture group name/i, 'the name of a group isn’t one'],
  [/invalid named (capture )?reference/i, '\\k names no group'],
  [/too (large|many|big)|stack/i, 'it is too large']
]
