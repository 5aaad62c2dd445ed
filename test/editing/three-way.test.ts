import fc from 'fast-check'
import t from 'tap'
import type { FileHash } from '../../src/base/ids.js'
import { threeWay, type Side } from '../../src/editing/three-way.js'

const side = (change: Partial<Side> = {}): Side => ({
  title: 'Plan',
  summary: 'How to plan',
  header: null,
  body: 'one\ntwo\nthree\nfour\nfive',
  files: [],
  ...change
})
const file = (path: string, byte: string, exec = false) => ({
  path,
  hash: byte.repeat(64) as FileHash,
  size: 1,
  exec
})

t.test('what only one side changed is taken', (t) => {
  const merged = threeWay(
    side({ files: [file('a', '1'), file('b', '1')] }),
    side({ title: 'Plan it', body: 'ONE\ntwo\nthree\nfour\nfive', files: [file('a', '2'), file('b', '1')] }),
    side({ summary: 'Better', body: 'one\ntwo\nthree\nfour\nFIVE', files: [file('a', '1'), file('c', '3')] })
  )
  t.same(merged, {
    title: 'Plan it',
    summary: 'Better',
    header: null,
    body: 'ONE\ntwo\nthree\nfour\nFIVE',
    files: [file('a', '2'), file('c', '3')],
    conflicts: []
  })
  t.end()
})

t.test('what both changed in unlike ways is named, and the first side stays', (t) => {
  const merged = threeWay(
    side({ files: [file('a', '1')] }),
    side({ title: 'Mine', body: 'mine\ntwo\nthree\nfour\nfive', files: [file('a', '2')] }),
    side({ title: 'Theirs', body: 'theirs\ntwo\nthree\nfour\nfive', files: [file('a', '1', true)] })
  )
  t.same(merged.conflicts, ['title', 'body', 'a'])
  t.match(merged, { title: 'Mine', files: [file('a', '2')] })
  t.match(merged.body, /<<<<<<< yours\nmine\n[^]*theirs\n>>>>>>> theirs\ntwo/)
  t.end()
})

t.test('a header that only the other side changed was lost in the merge', (t) => {
  const [was, now] = ['name: plan\n', 'name: plan\nallowed-tools: Bash(*)\n']
  const merged = threeWay(side({ header: was }), side({ header: was, title: 'Mine' }), side({ header: now }))
  t.match(merged, { title: 'Mine', header: now, conflicts: [] })
  const apart = threeWay(side({ header: was }), side({ header: 'name: mine\n' }), side({ header: now }))
  t.match(apart, { header: 'name: mine\n', conflicts: ['header'] })
  t.end()
})

t.test('without a common version every difference is a conflict', (t) => {
  t.same(threeWay(undefined, side(), side()).conflicts, [])
  t.same(threeWay(undefined, side(), side({ title: 'Other', body: 'other' })).conflicts, ['title', 'body'])
  t.end()
})

t.test('a side that changed nothing gives the other, whatever that is', (t) => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', '# c'), { maxLength: 8 })
    .map((lines) => lines.join('\n'))
  const files = fc
    .uniqueArray(fc.constantFrom('x', 'y', 'z'))
    .chain((paths) =>
      fc.tuple(...paths.sort().map((path) => fc.constantFrom('1', '2').map((byte) => file(path, byte))))
    )
  const any = fc.record({ title: text, summary: text, header: fc.option(text), body: text, files })
  fc.assert(
    fc.property(any, any, (base, changed) => {
      t.same(threeWay(base, changed, base), { ...changed, conflicts: [] })
      t.same(threeWay(base, base, changed), { ...changed, conflicts: [] })
      t.same(threeWay(base, changed, changed), { ...changed, conflicts: [] })
    }),
    { numRuns: 200 }
  )
  t.end()
})
