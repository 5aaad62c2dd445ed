import fc from 'fast-check'
import t from 'tap'
import { mergeLines } from '../../src/editing/merge-lines.js'

const blank = (count: number): string => '\n'.repeat(count)
const numbered = (sign: string, count: number): string =>
  Array.from({ length: count }, (_, i) => sign + i).join('\n')

t.test('edits apart from each other go together', (t) => {
  t.same(mergeLines('a\nb\nc\nd\ne', 'a\nB\nc\nd\ne', 'a\nb\nc\nd\nE'), {
    text: 'a\nB\nc\nd\nE',
    conflict: false
  })
  t.same(mergeLines('a\nb\nc', 'a\nb\nb\nc', 'a\nb\nb\nc'), { text: 'a\nb\nb\nc', conflict: false })
  t.end()
})

t.test('what is alike at both ends stays outside of the marks', (t) => {
  const { text, conflict } = mergeLines('a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc')
  t.ok(conflict)
  t.equal(text, 'a\n<<<<<<< yours\nmine\n||||||| before\nb\n=======\ntheirs\n>>>>>>> theirs\nc')
  t.same(mergeLines(undefined, 'mine', 'theirs'), {
    text: '<<<<<<< yours\nmine\n||||||| before\n=======\ntheirs\n>>>>>>> theirs',
    conflict: true
  })
  t.end()
})

t.test('every line of one side is kept, whatever is cut off first', (t) => {
  const text = fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 8 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (base, changed) => {
      t.same(mergeLines(base, changed, base), { text: changed, conflict: false })
      t.same(mergeLines(base, base, changed), { text: changed, conflict: false })
      t.same(mergeLines(base, changed, changed), { text: changed, conflict: false })
    }),
    { numRuns: 300 }
  )
  t.end()
})

t.test('a body of blank lines held the merge up for hours', (t) => {
  const lines = blank(500_000)
  const merged = mergeLines(`x${lines}y`, `a${lines}a`, `${lines}b`)
  t.ok(merged.conflict)
  t.ok(merged.text.startsWith(`<<<<<<< yours\na${lines}a\n||||||| before\n`))
  t.end()
})

t.test('lines that are alike at both ends cost nothing', (t) => {
  const lines = blank(200_000)
  t.same(mergeLines(`${lines}a\n.\nb${lines}`, `${lines}A\n.\nb${lines}`, `${lines}a\n.\nB${lines}`), {
    text: `${lines}A\n.\nB${lines}`,
    conflict: false
  })
  t.end()
})

t.test('more lines than a call takes arguments were an exception', (t) => {
  const many = numbered('m', 150_000)
  t.match(mergeLines('a\nb\nc', `a\n${many}\nc`, 'A\nb\nc'), { conflict: true })
  t.end()
})
