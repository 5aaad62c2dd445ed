import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { fold, foldUtf8 } from '../../src/agent/memory/fold.js'
import { doJob } from '../../src/agent/memory/jobs.js'
import { sizeOf, type Packed, type Section } from '../../src/agent/memory/packed.js'
import { spokenLines } from '../../src/agent/memory/spoken.js'
import { decodeHead, encodeHead, type Head } from '../../src/store/conversations.js'

/** Characters of each size, breaks of lines, spaces of all kinds, and letters whose size changes when folded. */
const char = fc.constantFrom(
  ...'aAzZ@[`{09 ’“äÄßẞſKİıΐﬁΣςжЖ日🏝𐐀𐐨\n\r\u2028\u2029\u0085\t\v\f\0\x7f'.match(/./gsu)!,
  ...'\u00a0\u2003\u3000\ufeff\u200b\u1680\ufffd\u{10ffff}'.match(/./gu)!,
  '\r\n',
  '\n\n'
)
const unicode = fc.string({ unit: 'binary', maxLength: 8 })
const text = fc
  .array(fc.oneof({ weight: 20, arbitrary: char }, unicode), { maxLength: 30 })
  .map((parts) => parts.join(''))
/** Of the lengths and counts that are encoded differently. */
const odd = fc.constantFrom(0, 15, 16, 31, 32, 255, 256, 65_535, 65_536)
const texts = fc.oneof(
  { weight: 8, arbitrary: fc.array(text, { maxLength: 4 }) },
  { weight: 1, arbitrary: odd.map((length) => ['Question', 'x'.repeat(length)]) },
  { weight: 1, arbitrary: odd.map((count) => Array<string>(count % 1000).fill('é')) }
)
const head: fc.Arbitrary<Head> = fc.record(
  {
    type: fc.constantFrom('end', 'end', 'begin'),
    id: fc.constant('0123456789abcdef'.repeat(2)),
    said: texts,
    run: fc.oneof(
      text,
      fc.constant('{"said":"type"}'),
      odd.map((length) => 'r'.repeat(length))
    ),
    open: fc.oneof(
      fc.array(fc.constantFrom(0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1), { maxLength: 4 }),
      odd.map((count) => Array<number>(count % 1000).fill(count))
    )
  },
  { noNullPrototype: true }
)

/** How heads are packed, the newest first. */
function packed(heads: readonly Head[]): Packed {
  const encoded = heads.map((head) => encodeHead(head))
  const job = {
    from: 10,
    to: 10 + heads.length,
    bytes: new Uint8Array(Buffer.concat(encoded)),
    sizes: encoded.map(({ length }) => length)
  }
  return (doJob({ pack: job }) as { packed: Packed }).packed
}

interface Line {
  readonly place: number
  readonly number: number
  readonly text: string
  readonly folded: string
}

/** The lines of a section in their order, taken apart again. */
function linesOf({ text, folded, starts, foldedStarts, places, numbers }: Section): Line[] {
  const between = (bytes: Uint8Array, starts: Uint32Array, n: number): string => {
    const line = Buffer.from(bytes.slice(starts[n], starts[n + 1])).toString()
    if (!line.endsWith('\n')) throw new Error(`“${line}” is no line`)
    return line.slice(0, -1)
  }
  if (starts.at(-1) !== text.length || foldedStarts.at(-1) !== folded.length) throw new Error('more is there')
  return [...places].map((place, n) => ({
    place,
    number: numbers[n]!,
    text: between(text, starts, n),
    folded: between(folded, foldedStarts, n)
  }))
}

/** What the lines are, by way of strings. */
function expected(heads: readonly Head[]): { ascii: Line[]; other: Line[] } {
  const [ascii, other]: [Line[], Line[]] = [[], []]
  for (const [n, { type, said }] of heads.entries()) {
    if (type === 'begin') continue
    for (const [number, { text, utterance }] of spokenLines(said).entries())
      (/[^\0-\x7f]/.test(said[utterance]!) ? other : ascii).push({
        place: 10 + heads.length - 1 - n,
        number,
        text,
        folded: fold(text)
      })
  }
  return { ascii, other }
}

t.test('what is packed is what the lines are by way of strings', (t) => {
  let lines = 0
  fc.assert(
    fc.property(fc.array(head, { maxLength: 6 }), (heads) => {
      const { ascii, other, from, to } = packed(heads)
      const found = { ascii: linesOf(ascii), other: linesOf(other) }
      lines += found.ascii.length + found.other.length
      return (
        JSON.stringify({ ...found, from, to }) ===
        JSON.stringify({ ...expected(heads), from: 10, to: 10 + heads.length })
      )
    }),
    { numRuns: 1500 }
  )
  t.ok(lines > 5000, `${lines} lines`)
  t.end()
})

t.test('a head is read as it was written', (t) => {
  fc.assert(
    fc.property(head, (head) => isDeepStrictEqual(decodeHead(encodeHead(head)), head)),
    { numRuns: 1500 }
  )
  t.end()
})

t.test('every character is folded in bytes as in strings, at whatever place', (t) => {
  const words = (text: string): Buffer => {
    const bytes = Buffer.from(text)
    const whole = Buffer.from(new ArrayBuffer(4 * Math.ceil(bytes.length / 4)), 0, bytes.length)
    whole.set(bytes)
    return whole
  }
  const wrong: string[] = []
  let resized = 0
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const char = String.fromCodePoint(code)
    const keepsSize = Buffer.byteLength(fold(char)) === Buffer.byteLength(char)
    if (!keepsSize) resized++
    const text = words(`${'Z'.repeat(code % 4)}${char}A`)
    const folded = words('.'.repeat(text.length))
    if (foldUtf8(text, folded) !== keepsSize) wrong.push(char)
    if (keepsSize && folded.toString() !== fold(text.toString())) wrong.push(char)
  }
  t.same(wrong, [])
  t.ok(resized > 100 && resized < 200, `${resized} change their size`)
  t.end()
})

t.test('packed, a conversation takes little more than twice its bytes', (t) => {
  const line = 'A line of some length, as they are in answers – or longer.\n'
  const said = ['Question', line.repeat(10_000)]
  const size = sizeOf(packed([{ type: 'end', id: 'a', said, run: '{}', open: [] }]))
  t.ok(size < 2.5 * Buffer.byteLength(said[1]!), `${size} bytes`)
  t.end()
})
