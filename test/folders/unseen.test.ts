import fc from 'fast-check'
import t from 'tap'
import type { Slug } from '../../src/base/ids.js'
import { readText } from '../../src/folders/incoming.js'
import { readFolders } from '../../src/folders/read.js'
import { invisibleIn } from '../../src/namespace/invisible.js'
import { blockedBy } from '../../src/receiving/scan.js'
import { skillText, tree } from './tree.js'

const HIDDEN = ['D_INVISIBLE', 'D_INVISIBLE_MORE', 'D_INVISIBLE_FILE']

async function found(text: string, files: Record<string, string> = {}): Promise<string[]> {
  const { diagnostics } = await readFolders([await tree(t, { 'plan/SKILL.md': text, ...files })])
  return diagnostics
    .filter(({ code }) => HIDDEN.includes(code))
    .map(({ code, path, line, message }) => `${code} ${path}:${line} ${/\((.*)\)/.exec(message)?.[1]}`)
}

t.test('an import was silent on characters that nobody sees', async (t) => {
  const body = 'Look.\n\nDo\u200b this\u202e.\nAnd \u200b\u200bthat.\n'
  t.same(await found(skillText('plan', body)), [
    'D_INVISIBLE plan/SKILL.md:7 U+200B, U+202E',
    'D_INVISIBLE plan/SKILL.md:8 U+200B'
  ])
  t.same(await found(skillText('plan', '# Steps\n', 'license: M\u2060IT # \u00ad\n')), [
    'D_INVISIBLE plan/SKILL.md:4 U+2060, U+00AD'
  ])
  t.same(
    await found('---\nname: plan\ndescription: How to \u200bplan.\n---\nx\n'),
    ['D_INVISIBLE plan/SKILL.md:3 U+200B'],
    'once, although it is the summary too'
  )
  t.same(
    await found('---\nname: plan\ndescription: "How to \\u200bplan."\n---\nx\n'),
    ['D_INVISIBLE plan/SKILL.md:3 U+200B'],
    'also where YAML makes it of letters'
  )
  t.same(
    await found('\ufeff---\r\nname: plan\r\ndescription: x\r\n---\r\n\u2764\ufe0f\r\n'),
    [],
    'nor of what it isn’t'
  )
  const files = { 'plan/a.md': 'a\r\nb\u200b\nc\u200b', 'plan/b.bin': '\u0000\u200b', 'plan/c.md': 'c' }
  t.same(await found(skillText('plan'), files), ['D_INVISIBLE_FILE plan/a.md:2 U+200B'])
})

t.test('a text that is full of them is told in 100 lines', async (t) => {
  const lines = await found(skillText('plan', 'x\u200b\n'.repeat(5000)))
  t.equal(lines.length, 101)
  t.match(lines.at(-1), /^D_INVISIBLE_MORE/)
  const all = Array.from({ length: 20 }, (_, i) => String.fromCodePoint(0xe0100 + i)).join('x\u0001')
  t.match(await found(skillText('plan', all)), [/ and \d+ more$/])
})

t.test('what a review would be blocked by, an import tells, and nothing else', (t) => {
  let told = 0
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r\n',
    '@x',
    '\u200b',
    '\u202e',
    '\u200d',
    '\ufe0f',
    '\u2764',
    '"',
    '\\u200b',
    '# ',
    '- '
  )
  const words = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const line = words.map((text) => text.replace(/[\r\n]/g, ''))
  fc.assert(
    fc.property(line, line, words, fc.boolean(), (title, description, body, plain) => {
      const header = `---\nname: ${title}\ndescription: "${description}"\nlicense: ${title}\n---\n`
      const { text, diagnostics } = readText(Buffer.from((plain ? '' : header) + body), 'plan', { path: 'p' })
      if (!text) return true
      const { title: is, summary, header: kept, body: own } = text
      const blocked = invisibleIn({ title: is, summary, header: kept, body: [own], files: [] })
      const said = diagnostics.filter(({ code }) => code === 'D_INVISIBLE')
      if (said.length > 0) told++
      if (said.length > 0 !== blocked.length > 0) return false
      // The line that it names holds it, as it is or as YAML spells it.
      const lines = ((plain ? '' : header) + body).replace(/\r\n?/g, '\n').split('\n')
      return said.every(({ line }) => /\u200b|\u202e|\u200d|\ufe0f|\\u200b/.test(lines[line! - 1]!))
    }),
    { numRuns: 1000 }
  )
  t.ok(told > 100, `${told} were told of`)
  const content = { title: 'x', summary: 'x', header: null, body: ['a\u200b'], files: [] }
  t.equal(blockedBy('x' as Slug, content).length, 1)
  t.end()
})
