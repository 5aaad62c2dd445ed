import { applyPatch } from 'diff'
import t from 'tap'
import { unifiedDiff } from '../../src/editing/unified-diff.js'

const numbered = (sign: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${sign}${i}\n`).join('')

t.test('a small change is shown with what stands around it', (t) => {
  t.equal(unifiedDiff('a\nb\nc\n', 'a\nB\nc\n'), '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n')
  t.equal(unifiedDiff('a\n', 'a\n'), '')
  t.equal(unifiedDiff('', 'a'), '@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n')
  t.end()
})

t.test('bodies that have nothing in common held the diff up for hours', (t) => {
  const [before, after] = [numbered('a', 100_000), numbered('b', 100_000)]
  const diff = unifiedDiff(before, after)
  t.ok(diff.startsWith('@@ -1,100000 +1,100000 @@\n-a0\n-a1\n'))
  t.ok(diff.endsWith('\n+b99998\n+b99999\n'))
  t.end()
})

t.test('what is taken out and put in as a whole is a diff that can be applied', (t) => {
  for (const end of ['', 'no newline here']) {
    const before = `${numbered('a', 2000)}\n\n${end}`
    const after = `\n${numbered('b', 2000)}${end}`
    t.equal(applyPatch(before, unifiedDiff(before, after)), after)
    t.equal(applyPatch('', unifiedDiff('', after)), after)
    t.equal(applyPatch(before, unifiedDiff(before, '')), '')
  }
  t.end()
})

t.test('a few changes in a body of a million blank lines are found, or all of it is shown', (t) => {
  const lines = '\n'.repeat(500_000)
  t.equal(unifiedDiff(`${lines}a\n`, `${lines}b\n`).match(/^[-+]/gm)?.length, 2)
  const unlike = unifiedDiff(`${numbered('a', 500)}${lines}`, `${lines}${numbered('b', 500)}`)
  t.ok(unlike.startsWith('@@ -1,500500 +1,500500 @@\n-a0\n'))
  t.end()
})
