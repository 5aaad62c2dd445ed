import fc from 'fast-check'
import t from 'tap'
import { formatHeader } from '../../src/folders/format.js'
import { joined, splitFrontmatter } from '../../src/folders/frontmatter.js'
import { parseHeader } from '../../src/folders/header.js'
import { readText } from '../../src/folders/incoming.js'
import type { Slug } from '../../src/base/ids.js'
import { decodeContent, encodeContent } from '../../src/namespace/content.js'

function read(text: string, folder = 'plan') {
  const { text: got, diagnostics } = readText(Buffer.from(text), folder, { path: 'SKILL.md' })
  return { got, codes: diagnostics.map(({ code, line }) => `${code}:${line ?? ''}`) }
}

/** The header as an untouched export writes it. */
function exported(text: string): string {
  const { got } = read(text)
  return formatHeader(parseHeader(got!.header ?? ''), got!).text
}

const frontmatter = (lines: string, body = 'Body.\n'): string => `---\n${lines}\n---\n${body}`

t.test('a plain skill is taken as it is', async (t) => {
  const text = frontmatter('# mine\nname: plan\ndescription: "How to plan."', '\n# Plan\n')
  const { got, codes } = read(text)
  t.same(codes, [])
  t.match(got, {
    name: 'plan',
    slug: 'plan',
    title: 'Plan',
    summary: 'How to plan.',
    body: '\n# Plan\n',
    bodyLine: 6
  })
  t.equal(joined(exported(text), got!.body), text)
})

t.test('what an export would write by itself is no header of its own', async (t) => {
  t.equal(read(frontmatter('name: plan\ndescription: How to plan.')).got!.header, null)
})

t.test('BOM before ---', async (t) => {
  const { got, codes } = read(`\ufeff${frontmatter('name: plan\ndescription: x')}`)
  t.same(codes, ['D_BOM:1'])
  t.equal(got!.summary, 'x')
})

t.test('CRLF', async (t) => {
  const { got, codes } = read(frontmatter('name: plan\ndescription: x').replaceAll('\n', '\r\n'))
  t.same(codes, ['D_CRLF:1'])
  t.equal(got!.body, 'Body.\n')
})

t.test('description: >- is not shown as ">-"', async (t) => {
  const { got, codes } = read(frontmatter('name: plan\ndescription: >-\n  One\n  two.'))
  t.same(codes, [])
  t.equal(got!.summary, 'One two.')
})

t.test('unquoted a: b', async (t) => {
  const text = frontmatter('name: plan\ndescription: Use when: planning\nlicense: MIT')
  const { got, codes } = read(text)
  t.same(codes, ['D_YAML_QUOTED:3'])
  t.equal(got!.summary, 'Use when: planning')
  t.equal(exported(text), 'name: plan\ndescription: "Use when: planning"\nlicense: MIT\n')
})

t.test('values that YAML can’t begin with', async (t) => {
  for (const value of ['@me and `you`', '[WIP] planning', '"open', '- a list', '%x', '{a', '&', '*x y: z']) {
    t.equal(read(frontmatter(`name: plan\ndescription: ${value}\nlicense: MIT`)).got!.summary, value)
  }
})

t.test('an unquoted colon in metadata spoils one value only', async (t) => {
  const text = frontmatter('name: plan\ndescription: x\nmetadata:\n  note: use when: y\n  version: "1"')
  t.equal(exported(text), 'name: plan\ndescription: x\nmetadata:\n  note: "use when: y"\n  version: "1"\n')
})

t.test('description over 1,024 does not drop the skill', async (t) => {
  const long = 'word '.repeat(300).trim()
  const text = frontmatter(`name: plan\ndescription: ${long}`)
  const { got, codes } = read(text)
  t.same(codes, ['D_DESCRIPTION_LONG:3'])
  t.equal(got!.summary, long)
  const again = read(joined(exported(text), got!.body))
  t.same(again.codes, [])
  t.equal(again.got!.summary, long)
})

t.test('a description over the summary’s limit is cut, and it is said', async (t) => {
  const { got, codes } = read(frontmatter(`name: plan\ndescription: ${'x'.repeat(5000)}`))
  t.same(codes, ['D_SUMMARY_CUT:3', 'D_DESCRIPTION_LONG:3'])
  t.equal(got!.summary.length, 4096)
})

t.test('---js frontmatter runs no code', async (t) => {
  const { got, codes } = read('---js\nglobalThis.ran = true\n---\nBody.\n')
  t.same(codes, ['D_FRONTMATTER_LANGUAGE:1'])
  t.notOk('ran' in globalThis)
  t.match(got, { header: null, body: 'Body.\n', summary: 'Body.', name: 'plan' })
})

t.test('version: 2.0 is not read as a float', async (t) => {
  const text = frontmatter('name: plan\ndescription: x\nmetadata:\n  version: 2.0\n  author: me # really')
  t.same(read(text).codes, ['D_KEY_TEXT:5'])
  t.equal(exported(text), 'name: plan\ndescription: x\nmetadata:\n  version: "2.0"\n  author: me # really\n')
})

t.test('allowed-tools as a list', async (t) => {
  for (const list of ['allowed-tools: [Read, "Bash(git:*)"]', 'allowed-tools:\n  - Read\n  - Bash(git:*)']) {
    const text = frontmatter(`name: plan\ndescription: x\n${list}\nlicense: MIT`)
    t.same(read(text).codes, ['D_TOOLS_LIST:4'])
    t.equal(exported(text), 'name: plan\ndescription: x\nallowed-tools: Read Bash(git:*)\nlicense: MIT\n')
  }
})

t.test('duplicate YAML keys', async (t) => {
  const text = frontmatter('name: plan\ndescription: one\ndescription: two')
  t.same(read(text).codes, ['D_YAML_DUPLICATE:3'])
  t.equal(exported(text), 'name: plan\ndescription: two\n')
})

t.test('no closing ---', async (t) => {
  const { got, codes } = read('---\nname: plan\ndescription: x\n\n# Plan\n')
  t.same(codes, ['D_FRONTMATTER_OPEN:1'])
  t.match(got, { summary: 'x', body: '\n# Plan\n', bodyLine: 4 })
})

t.test('tabs', async (t) => {
  const text = frontmatter('name:\tplan\ndescription: x\nmetadata:\n\tauthor: me')
  t.same(read(text).codes, ['D_YAML_TAB:4'])
  t.equal(exported(text), 'name:\tplan\ndescription: x\nmetadata:\n  author: me\n')
})

t.test('--- inside a value and spaces behind a fence', async (t) => {
  t.equal(read(frontmatter('name: plan\ndescription: a --- b')).got!.summary, 'a --- b')
  t.same(read('--- \nname: plan\ndescription: x\n---  \nBody').codes, [
    'D_FRONTMATTER_FENCE:1',
    'D_FRONTMATTER_FENCE:4'
  ])
  t.same(read('---\nname: plan\ndescription: x\n---').codes, ['D_FRONTMATTER_FENCE:4'])
})

t.test('a line of a header that begins with --- was kept in it, where other readers end it', async (t) => {
  const dashes = read('---\nname: plan\ndescription: x\n-----\nBody\n')
  t.same(dashes.codes, ['D_FRONTMATTER_FENCE:4'])
  t.match(dashes.got, { summary: 'x', body: 'Body\n', bodyLine: 5 })
  const words = read('---\nname: plan\ndescription: x\n--- Body\n---\n')
  t.same(words.codes, ['D_FRONTMATTER_FENCE:4'])
  t.match(words.got, { summary: 'x', body: ' Body\n---\n', bodyLine: 4 })
})

t.test('unknown keys are named, and kept under metadata', async (t) => {
  const text = frontmatter(
    'name: plan\ndisable-model-invocation: true\n# why\ndescription: x\nhooks:\n  a: [1, 2]\nempty:'
  )
  t.same(read(text).codes, ['D_KEY_UNKNOWN:3', 'D_KEY_UNKNOWN:6', 'D_KEY_EMPTY:8'])
  t.equal(
    exported(text),
    'name: plan\n# why\ndescription: x\nmetadata:\n  disable-model-invocation: "true"\n  hooks: "{\\"a\\":[\\"1\\",\\"2\\"]}"\n'
  )
})

t.test('braces, anchors and aliases are written plain', async (t) => {
  const text = frontmatter('name: plan\ndescription: x\nmetadata: {a: 1, b: c}')
  t.same(read(text).codes, ['D_YAML_STYLE:4'])
  t.equal(exported(text), 'name: plan\ndescription: x\nmetadata:\n  a: "1"\n  b: c\n')
  const shared = frontmatter('name: plan\ndescription: &d x\nlicense: *d')
  t.equal(exported(shared), 'name: plan\ndescription: x\nlicense: x\n')
  t.equal(exported(frontmatter('{name: plan, description: "a: b"}')), 'name: plan\ndescription: "a: b"\n')
})

t.test('an alias bomb and deep nesting are only lost', async (t) => {
  const bomb = Array.from({ length: 20 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(i && 9)}x]`).join(
    '\n'
  )
  t.equal(read(frontmatter(`name: plan\ndescription: x\n${bomb}`)).got!.body, 'Body.\n')
  for (const deep of ['['.repeat(30_000), '- '.repeat(20_000), '{a: '.repeat(10_000), '? '.repeat(20_000)]) {
    const { got, codes } = read(frontmatter(`name: plan\ndescription: x\ndeep: ${deep}`))
    t.equal(got!.summary, 'x')
    t.same(codes, ['D_YAML_LOST:4'])
  }
})

t.test('names that are no slug, and names that aren’t the folder’s', async (t) => {
  const named = read(frontmatter('name: Écrire Mieux!\ndescription: x'))
  t.same(named.codes, ['D_NAME_FOLDER:2', 'D_NAME:2', 'D_TITLE:2'])
  t.match(named.got, { slug: 'ecrire-mieux', title: 'Écrire Mieux!' })
  t.same(read(frontmatter('name: other\ndescription: x')).codes, ['D_NAME_FOLDER:2'])
  t.same(read(frontmatter('description: x')).codes, ['D_NAME_MISSING:1'])
  t.same(read(frontmatter('name: 123\ndescription: x'), '123').codes, ['D_KEY_TEXT:2'])
})

t.test('no description, and no frontmatter', async (t) => {
  const { got, codes } = read(frontmatter('name: plan', '# Plan\n\nFirst  this,\nthen that.\n\nMore.\n'))
  t.same(codes, ['D_DESCRIPTION_MISSING:1'])
  t.equal(got!.summary, 'First this, then that.')
  const bare = read('# Plan it\n')
  t.same(bare.codes, ['D_FRONTMATTER_MISSING:1'])
  t.match(bare.got, { summary: 'Plan it', header: null, body: '# Plan it\n' })
  t.equal(read(frontmatter('name: plan', '```\ncode\n```\n')).got!.summary, 'Plan')
})

t.test('nothing usable, not UTF-8, and too long: left out', async (t) => {
  t.same(read(' \n'), { got: undefined, codes: ['D_FRONTMATTER_MISSING:1', 'D_SKILL_EMPTY:'] })
  const latin = readText(Uint8Array.of(0xe9), 'plan', {})
  t.equal(latin.diagnostics[0]!.code, 'D_NOT_UTF8')
  t.same(read(frontmatter(`name: plan\nx: ${'y'.repeat(65536)}`)).codes, ['D_FRONTMATTER_SIZE:'])
  t.ok(read(frontmatter('description: x', 'y'.repeat(1024 * 1024))).got)
  t.same(read(frontmatter('description: x', 'y'.repeat(1024 * 1024 + 1))).codes, ['D_TEXT_SIZE:'])
})

t.test('compatibility over 500', async (t) => {
  const text = frontmatter(`name: plan\ndescription: x\ncompatibility: ${'y'.repeat(501)}`)
  t.same(read(text).codes, ['D_COMPATIBILITY_LONG:4'])
  t.match(exported(text), `selkie-compatibility: ${'y'.repeat(501)}\n`)
})

t.test('an edit changes its lines only', async (t) => {
  const written = "# top\nname: plan   # short\ndescription:\n  Two\n  lines.\nmetadata:\n    author: 'me'\n"
  const wanted = { slug: 'plan-2' as Slug, title: 'Plan', summary: 'New: text' }
  t.equal(
    formatHeader(parseHeader(written), wanted).text,
    '# top\nname: plan-2   # short\ndescription: "New: text"\nmetadata:\n    author: \'me\'\n    selkie-title: Plan\n'
  )
})

t.test('what is nothing only before the first key stays behind no other line', async (t) => {
  for (const header of ['\u2028\n', '\ufeff\n', '\ufeff# c\nname: plan\n', '!\nname: plan\n', '...\n']) {
    const { got } = read(`---\n${header}---\nBody.\n`)
    const { text } = formatHeader(parseHeader(got!.header ?? ''), got!)
    t.same(read(joined(text, got!.body)).codes, [], JSON.stringify(header))
  }
})

t.test('whatever a frontmatter holds, an export is exact and stays so', async (t) => {
  const line = fc.oneof(
    fc.constantFrom(
      'name: a',
      'description: b: c',
      'metadata:',
      '  x: 1',
      '\ty: 2',
      '- z',
      'license: [a',
      'k: &a {b: c}',
      'm: *a',
      '? q',
      '!',
      '...',
      '# c',
      '%YAML 1.2',
      '\u2028',
      'a\u2028b: c',
      '\ufeff',
      '\ufeff# c',
      '\ufeffname: x'
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 })
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const { got } = read(`---\n${lines.join('\n').replace(/\r/g, '')}\n---\nBody.\n`)
      const text = formatHeader(parseHeader(got!.header ?? ''), got!).text
      const again = read(joined(text, got!.body), got!.slug)
      const { title, summary, body } = got!
      t.match(again.got, { slug: got!.slug, title, summary, body })
      // What nobody sees is kept as it is, and told each time.
      return again.codes.every((code) => code.startsWith('D_INVISIBLE'))
    }),
    { numRuns: 500 }
  )
})

t.test('any header that was read can be received', async (t) => {
  const line = fc.string({ unit: fc.constantFrom('-', ' ', 'a', ':', '\u2028', '\r', '"', '#') })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), (lines, closed) => {
      const { got } = read(`---\n${lines.join('\n')}${closed ? '\n---\n' : ''}Body.\n`)
      if (!got) return
      const { title, summary, header } = got
      const content = { title, summary, header, body: [], files: [] }
      t.same(decodeContent(encodeContent(content)), content)
    }),
    { numRuns: 500 }
  )
})

t.test('a text is split and joined again', async (t) => {
  const { header, body } = splitFrontmatter('---\na: b\n---\n\n---\nc\n')
  t.equal(joined(header!, body), '---\na: b\n---\n\n---\nc\n')
})
