import t from 'tap'
import { escapeMentions, mentions, mentionsIn } from '../../src/namespace/mention.js'
import type { Slug } from '../../src/base/ids.js'

/** A text, and the slugs that it mentions. */
type Example = readonly [text: string, slugs: string]

function examples(name: string, list: readonly Example[]): void {
  t.test(name, (t) => {
    for (const [text, slugs] of list) t.equal(mentions(text).join(' '), slugs, JSON.stringify(text))
    t.end()
  })
}

const longest = 'a'.repeat(64)

examples('a mention is an at-sign and a whole slug', [
  ['@plan', 'plan'],
  ['Use @plan, then @find-file.', 'plan find-file'],
  ['@b @a @b @c @a', 'b a c'],
  ['@Plan-TRIP and @plan-trip', 'plan-trip'],
  ['@plan-trip', 'plan-trip'],
  ['@2026-plan @7', '2026-plan 7'],
  [`@${longest}`, longest],
  [`@${longest}a`, ''],
  ['', ''],
  ['@', ''],
  ['@ plan', ''],
  ['@-plan', ''],
  ['@plan--trip', ''],
  ['@plan-', ''],
  ['@_plan', '']
])

examples('what may stand to its left', [
  ['(@plan)', 'plan'],
  ['[@plan]', 'plan'],
  ['"@plan"', 'plan'],
  ['“@plan”', 'plan'],
  ['*@plan*', 'plan'],
  ['a,@plan', 'plan'],
  ['a\n@plan', 'plan'],
  ['a\r\n@plan\r\n', 'plan'],
  ['👍@plan', 'plan'],
  ['。@plan', 'plan'],
  ['me@plan.org', ''],
  ['me@plan', ''],
  ['_@plan', ''],
  ['@@plan', ''],
  ['a.@plan', ''],
  ['npm/@plan', ''],
  ['-@plan', ''],
  ['\\@plan', ''],
  ['\\\\@plan', ''],
  ['é@plan', ''],
  ['e\u0301@plan', ''],
  ['北@plan', ''],
  ['٣@plan', ''],
  ['𝒜@plan', '']
])

examples('what may stand to its right', [
  ['@plan.', 'plan'],
  ['@plan. Then', 'plan'],
  ['@plan...', 'plan'],
  ['@plan.)', 'plan'],
  ['@plan: go', 'plan'],
  ['@plan’s', 'plan'],
  ['@plan\\', 'plan'],
  ['@plan👍', 'plan'],
  ['@plan。', 'plan'],
  ['@plan.x', ''],
  ['@plan.md', ''],
  ['@plan.é', ''],
  ['@plan_b', ''],
  ['@user@host', ''],
  ['@scope/pkg', ''],
  ['@scope/pkg@1.2.3', ''],
  ['@plané', ''],
  ['@plane\u0301', ''],
  ['@plan北', ''],
  ['@a@b@c', '']
])

examples('code blocks are literal', [
  ['```\n@plan\n```\n@b', 'b'],
  ['```sh @a\n@plan', ''],
  ['~~~\n@plan\n~~~', ''],
  ['````\n```\n@plan\n````', ''],
  ['    @plan', ''],
  ['\t@plan', ''],
  ['text\n    @plan', 'plan'],
  ['- item\n\n      @plan', ''],
  ['- item\n\n  @plan', 'plan'],
  ['- ```\n  @plan\n  ```\n- @b', 'b'],
  ['> ```\n> @plan\n> ```\n> @b', 'b'],
  ['> ```\n> @a\n@plan', 'plan'],
  ['>     @plan', ''],
  ['```\n> @plan\n```', ''],
  ['```\r\n@plan\r\n```\r\n@b', 'b'],
  ['`` ` ``` @plan', 'plan']
])

examples('an inline span is literal unless it is exactly one mention', [
  ['`@plan`', 'plan'],
  ['use `@plan`, `@b`', 'plan b'],
  ['``@plan``', 'plan'],
  ['`@PLAN`', 'plan'],
  ['**`@plan`**', 'plan'],
  ['`@plan` and `run @b`', 'plan'],
  ['`@plan x`', ''],
  ['`x @plan`', ''],
  ['` @plan `', ''],
  ['`@a @b`', ''],
  ['`@a`@b`', 'a b'],
  ['`` `@plan` ``', ''],
  ['`a\n@plan\nb`', ''],
  ['`@scope/pkg`', ''],
  ['`@plan.md`', ''],
  ['`\\@plan`', ''],
  [`\`@${longest}a\``, '']
])

examples('backticks that make no code', [
  ['\\`@plan\\`', 'plan'],
  ['`@plan', 'plan'],
  ['`@plan``', 'plan'],
  ['`a\n\n@plan`', 'plan'],
  ['<details>\n`@plan`\n</details>', 'plan'],
  [`${'`'.repeat(81)}@plan${'`'.repeat(81)}`, 'plan'],
  [`${'`'.repeat(80)}x @plan${'`'.repeat(80)}`, '']
])

examples('other markup is no code', [
  ['# @plan', 'plan'],
  ['[@plan](https://example.org)', 'plan'],
  ['| @a | @b |', 'a b'],
  ['<b>@plan</b>', 'plan'],
  ['<!-- @plan -->', 'plan'],
  ['<pre>\n@plan\n</pre>', 'plan'],
  ['---\n@plan\n---', 'plan'],
  ['1. @a\n2. @b', 'a b']
])

t.test('a quote in more quotes than are followed is plain text', (t) => {
  const quoted = (depth: number): string => `${'> '.repeat(depth)}    @plan`
  t.same(mentions(quoted(31)), [])
  t.same(mentions(quoted(40)), ['plan'])
  t.end()
})

t.test('where a mention stands', (t) => {
  const text = '👍 `@Fetch-File`, ```x @a``` @plan.'
  const found = mentionsIn(text)
  t.same(
    found.map(({ from, to }) => text.slice(from, to)),
    ['@Fetch-File', '@plan']
  )
  t.same(
    found.map(({ slug }) => slug),
    ['fetch-file', 'plan']
  )
  t.end()
})

t.test('escaping makes the named mentions literal, and no others', (t) => {
  const text = '@a, `@a`, `run @a`, @b and @A'
  const escaped = escapeMentions(text, new Set(['a' as Slug]))
  t.equal(escaped, '\\@a, `\\@a`, `run @a`, @b and \\@A')
  t.same(mentions(escaped), ['b'])
  t.end()
})

t.test('a megabyte of anything is read', { timeout: 60_000 }, (t) => {
  const megabyte = (unit: string): string => unit.repeat(Math.floor((1 << 20) / unit.length))
  const runs = Array.from({ length: 1400 }, (_, i) => '`'.repeat(i + 1)).join(' ')
  const cases: Record<string, string> = {
    'quotes in quotes': `${megabyte('> ')}x`,
    'lists in lists': `${megabyte('1. ')}x`,
    'deep lists, line by line': megabyte(`${'- '.repeat(70)}x\n`),
    'backticks of every length': runs,
    'open brackets': megabyte('['),
    'links that never end': megabyte('[a](<b'),
    'footnotes in a row': megabyte('[a]'),
    'tags that never end': megabyte('x<!A '),
    'emphasis that never ends': megabyte('*a_ '),
    'a slug that never ends': `@${megabyte('a-')}_`,
    'at-signs': megabyte('@')
  }
  for (const [name, text] of Object.entries(cases)) t.same(mentions(`${text}\n\n@plan`), ['plan'], name)
  t.equal(mentionsIn(megabyte('@a ')).length, Math.floor((1 << 20) / 3), 'mentions')
  t.end()
})
