import fc from 'fast-check'
import t from 'tap'
import { fold } from '../../src/agent/memory/fold.js'
import { pack, type Packed } from '../../src/agent/memory/packed.js'
import { readPattern, type Pattern } from '../../src/agent/memory/pattern.js'
import { required } from '../../src/agent/memory/required.js'
import { scan } from '../../src/agent/memory/scan.js'
import { spokenLines } from '../../src/agent/memory/spoken.js'
import { naively } from './naively.js'

t.test('letters that the engine takes for alike are folded alike', (t) => {
  const cased: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code)
    if (/\p{Cased}|\p{CWL}|\p{CWU}|\p{CWT}|\p{CWCF}/u.test(char)) cased.push(char)
  }
  t.ok(cased.length > 2800, `${cased.length} letters`)
  const all = cased.join('')
  const apart = cased.flatMap((char) =>
    [...all.matchAll(new RegExp(char, 'giu'))]
      .map(([other]) => other)
      .filter((other) => fold(other) !== fold(char))
  )
  t.same(apart, [])
  t.equal(fold('ΣΑΣ ςσΣ'), 'σασ σσσ', 'wherever in a word they are')
  t.equal(fold(all), cased.map(fold).join(''))
  t.end()
})

/** Characters that are few, so that they meet, and each of which is odd in its way. */
const char = fc.constantFrom(...'aabBkKſsSßẞσςΣéÉ🏝1 _-.\u212aж'.match(/./gu)!)
const quantifier = fc.constantFrom(
  ...Array<string>(4).fill(''),
  ...'* + ? {2} {0} {1,2} {0,2} {2,} *? +?'.split(' ')
)
const atom = fc.oneof(
  { weight: 8, arbitrary: char.map((char) => (/[-.]/.test(char) ? `\\${char}` : char)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...'. \\w \\d \\s \\W \\D \\S [abk] [^a] [^\\s] [\\-_] [a-ß] \\p{L} \\x61 \\u0062 \\u{df}'.split(' '),
      ...'\\u{1f3dd} [\\]a] [^] \\P{Lu} \\n [\\s\\S] \\. \\1'.split(' ')
    )
  }
)
const assertion = fc.constantFrom('^', '$', '\\b', '\\B')
const { source } = fc.letrec<{ source: string; sequence: string; part: string; group: string }>((tie) => ({
  source: fc
    .array(tie('sequence'), { minLength: 1, maxLength: 3, size: 'small' })
    .map((each) => each.join('|')),
  sequence: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: fc.tuple(atom, quantifier).map(([atom, quantifier]) => atom + quantifier) },
    { weight: 1, arbitrary: assertion },
    { weight: 2, arbitrary: tie('group') }
  ),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'), tie('source'), quantifier)
    .map(([open, source, quantifier]) => {
      // Repeating what repeats takes a time of its own, which another test is about.
      const some = /[*+{]/.test(source) && quantifier !== '' ? '?' : quantifier
      return `${open}${source})${/^\(\?<?[=!]/.test(open) ? '' : some}`
    })
}))

/** Patterns of all kinds that are right. */
const pattern: fc.Arbitrary<Pattern> = fc
  .tuple(fc.constantFrom('', '', '(?i)'), source)
  .filter((parts) => isRight(parts.join('')))
  .map((parts) => readPattern(parts.join('')))

function isRight(text: string): boolean {
  try {
    return readPattern(text).source !== ''
  } catch {
    return false
  }
}

const text = fc
  .array(fc.oneof({ weight: 9, arbitrary: char }, fc.constantFrom('\n', '\r\n', '\u2028', '\n\n ')), {
    maxLength: 24
  })
  .map((chars) => chars.join(''))
const conversations = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 5 })

t.test('a line that a pattern matches has what the pattern requires', (t) => {
  let some = 0
  fc.assert(
    fc.property(pattern, conversations, fc.nat(3), ({ source, flags }, talks, by) => {
      const needed = required(source, (text) => (by === 0 ? text.length : by === 1 ? -text.length : 1))
      if (!needed) return
      const regex = new RegExp(source, flags)
      const alike = (text: string): string => (flags === 'iu' ? fold(text) : text)
      for (const { text } of talks.flatMap((said) => spokenLines(said))) {
        if (!regex.test(text)) continue
        some++
        const has = needed.texts.some((each) => alike(text).includes(alike(each)))
        if (!has) throw new Error(`${source} matches “${text}”, which has none of ${needed.texts.join(' ')}`)
      }
    }),
    { numRuns: 3000 }
  )
  t.ok(some > 300, `${some} lines`)
  t.end()
})

t.test('what is required of known patterns is what one would look for', (t) => {
  const longest = (source: string): string | undefined =>
    required(source, (text) => -text.length)?.texts.join(' ')
  const known: [string, string | undefined][] = [
    ['lisbon', 'lisbon'],
    ['lisbon|porto \\d+', 'lisbon porto '],
    ['\\w+ing\\s+lisbon', 'lisbon'],
    ['(?:by|for) (ship|boat)s?\\b', 'ship boat'],
    ['^the (?<what>ferry)\\.$', 'ferry'],
    ['a+b', 'ab'],
    ['colou?r', 'colo'],
    ['(abc)?d', 'd'],
    ['x{0,3}yz', 'yz'],
    ['(?=abcdef)gh', 'gh'],
    ['[abc]\\[d\\]', '[d]'],
    ['a|b*', undefined],
    ['\\d{4}', undefined],
    ['.*', undefined]
  ]
  for (const [source, texts] of known) t.equal(longest(source), texts, source)
  t.end()
})

/** Lines that make what is looked for rare, so that it is worth looking for. */
const filler = Array.from({ length: 1000 }, (_, n) => `zyxwvut ${n * 7}`).join('\n')

/** Packed entries, so many of them together, the newest first. */
function packedBy(size: number, entries: readonly { place: number; said: string[] }[]): Packed[] {
  const chunks: Packed[] = []
  for (let to = entries.length; to > 0; to -= size) {
    const some = entries.slice(Math.max(0, to - size), to).reverse()
    const packed = some.map(({ place, said }) => ({ place, texts: said.map((text) => Buffer.from(text)) }))
    chunks.push(pack(0, 0, packed))
  }
  return chunks
}

t.test('what is found is what matching each line would find', (t) => {
  let all = 0
  const size = fc.integer({ min: 1, max: 5 })
  const limit = fc.constantFrom(1, 2, 1000)
  fc.assert(
    fc.property(
      pattern,
      conversations,
      fc.boolean(),
      size,
      limit,
      (pattern, talks, isFilled, size, limit) => {
        const whole = isFilled ? [...talks, [filler]] : talks
        const entries = whole.map((said, n) => ({ place: 2 * n + 1, said }))
        const found = scan(packedBy(size, entries), pattern, limit)
        all += found.length
        return JSON.stringify(found) === JSON.stringify(naively(pattern, entries).slice(0, limit))
      }
    ),
    { numRuns: 1500 }
  )
  t.ok(all > 1500, `${all} lines`)
  t.end()
})

t.test('capitals count where there is one in the pattern', (t) => {
  for (const text of [
    'lisbon',
    '\\W\\S\\D\\B',
    '\\p{Lu}',
    '\\u00E9',
    '(?<Name>a)\\k<Name>',
    'é',
    '(?i)Lisbon'
  ])
    t.equal(readPattern(text).flags, 'iu', text)
  for (const text of ['Lisbon', '\\\\S', '[A-Z]', 'É', 'a(?:B)', '\\p{L}A'])
    t.equal(readPattern(text).flags, 'u', text)
  t.end()
})

t.test('a needless backslash does no harm', (t) => {
  for (const [text, line] of [
    ['\\d\\-\\d', '1-2'],
    ['[\\-\\_]\\"\\@\\#', '-"@#'],
    ['a\\ b\\:', 'a b:'],
    ['\\\\-', '\\-'],
    ['\\/', '/']
  ] as const) {
    const { source, flags } = readPattern(text)
    t.match(line, new RegExp(`^(?:${source})$`, flags), text)
  }
  t.end()
})

t.test('of a pattern that is none, what is wrong is said in our words', (t) => {
  const wrong = [
    '(a',
    'a)',
    '[a',
    '*',
    'a**',
    '}',
    'a{1',
    'a{2,1}',
    '[b-a]',
    '[\\w-a]',
    'a\\',
    '\\q',
    '\\u12'
  ]
  wrong.push(
    '\\p{Nonsense}',
    '(?#a)',
    '(?<n>a)(?<n>b)',
    '(?<1>a)',
    '\\k<n>',
    '(?<=a',
    '\\2',
    '(?<n>a)\\k',
    '[\\q]'
  )
  for (const text of wrong) {
    const why = whyNot(text)
    t.match(why, /^[^A-Z/]/, `${text}: ${why}`)
    t.notMatch(why, /Invalid|RegExp|can’t be read/, text)
  }
  t.end()
})

function whyNot(text: string): string {
  try {
    readPattern(text)
    return 'It is one.'
  } catch (error) {
    return (error as { fields: { why: string } }).fields.why
  }
}
