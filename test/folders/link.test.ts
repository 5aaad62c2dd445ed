import fc from 'fast-check'
import t from 'tap'
import type { Slug, Uid } from '../../src/base/ids.js'
import type { IncomingSkill } from '../../src/folders/incoming.js'
import { linkFolders } from '../../src/folders/link.js'
import { isCanonical, shown } from '../../src/namespace/linked.js'
import { Namespace } from '../../src/namespace/resolve.js'

const namespace = new Namespace()

function skill(slug: string, body = '', location = `/set/${slug}`): IncomingSkill {
  const folder = location.slice('/set/'.length)
  const text = { name: slug, slug: slug as Slug, title: slug, summary: slug, header: null, bodyLine: 5 }
  return { ...text, body, location, folder, path: `${folder}/SKILL.md`, files: [] }
}

/** Links `body` beside the others, and shows it under names that differ from the incoming ones. */
function link(body: string, others: IncomingSkill[]) {
  const skills = [skill('me', body), ...others]
  const uids = skills.map((_, i) => i.toString(16).padStart(32, '0') as Uid)
  const { bodies, diagnostics } = linkFolders(skills, {
    uidOf: (one) => uids[skills.indexOf(one)]!,
    refOf: (slug) => namespace.refOf(slug)
  })
  const text = shown(bodies[0]!, (uid) => {
    const one = skills[uids.indexOf(uid)]!
    return (one.location.startsWith('/set/b/') ? `${one.slug}-2` : one.slug) as Slug
  })
  t.ok(bodies.every(isCanonical), body)
  return { text, found: diagnostics.map(({ code, line }) => `${code}:${line ?? ''}`) }
}

const plan = skill('writing-plans')
const other = skill('other')

t.test('foreign styles become mentions', async (t) => {
  for (const [body, expected] of [
    ['Use /other first.', 'Use @other first.'],
    ['`/other`', '`@other`'],
    ['(/other), "/other" and **/other**: /other.', '(@other), "@other" and **@other**: @other.'],
    ['Use superpowers:writing-plans now', 'Use @writing-plans now'],
    ['`superpowers:writing-plans`', '`@writing-plans`'],
    ['set:other', '@other'],
    ['the [plan](../writing-plans/SKILL.md)', 'the plan (@writing-plans)'],
    ['[other](../other/SKILL.md)', '@other'],
    ['[`other`](<../other/skill.md#top>)', '@other'],
    ['| a | /other |\n|---|---|\n| /other | b |', '| a | @other |\n|---|---|\n| @other | b |']
  ] as const) {
    const { text, found } = link(body, [plan, other])
    t.equal(text, expected, body)
    t.ok(found.length > 0 && found.every((line) => line.startsWith('D_LINKED:')), body)
  }
  t.same(link('a\n\nb /other\n/other', [other]).found, ['D_LINKED:7', 'D_LINKED:8'])
})

t.test('paths, addresses, code and markup stay', async (t) => {
  for (const body of [
    '/usr/other a/other ./other ../other ~/other /other/x /other.md \\/other //other x:/other',
    'https://x.y/other http:other https://x.y/?a=/other <https://x.y/other>',
    '```\n/other\n```\n\n    /other\n\n`run /other now` `/other x`',
    '<a href="/other">x</a> </other> <x y=/other>',
    '[x](/other) [x](https://x.y/other/SKILL.md) [x](../other/README.md) [x](../missing/SKILL.md)',
    '[x]: /other',
    '`bug:other` a:b:other other:thing me@x:other',
    '/others /other-one /unknown team:unknown'
  ]) {
    t.same(link(body, [other]), { text: body, found: [] }, body)
  }
})

t.test('a mention that names nothing is escaped', async (t) => {
  const { text, found } = link('Ask @nobody.\n\n`@Nobody` @other\n```\n@nobody\n```', [other])
  t.equal(text, 'Ask \\@nobody.\n\n`\\@Nobody` @other\n```\n@nobody\n```')
  t.same(found, ['D_MENTION_ESCAPED:5', 'D_MENTION_ESCAPED:7'])
})

t.test('e-mail addresses, scopes and hosts are no mentions', async (t) => {
  const body = 'me@other.org @other/pkg user@other @other.py'
  t.same(link(body, [other]), { text: body, found: [] })
})

t.test('the set comes before the namespace, the namespace before nothing', async (t) => {
  t.same(link('@calendar', []), { text: '@calendar', found: [] })
  const mine = skill('calendar', '', '/set/b/calendar')
  t.equal(link('@calendar @find-file', [mine]).text, '@calendar-2 @find-file')
})

t.test('other case is shown in lower case, and said', async (t) => {
  t.same(link('@Other', [other]), { text: '@other', found: ['D_MENTION_SHOWN:5'] })
})

t.test('a folder’s name counts beside the name', async (t) => {
  const renamed = skill('vercel-rules', '', '/set/rules')
  t.same(link('/rules', [renamed]), { text: '@vercel-rules', found: ['D_LINKED:5'] })
  t.same(link('@rules', [renamed]), { text: '@vercel-rules', found: ['D_MENTION_SHOWN:5'] })
})

t.test('of two of one name, the nearest is meant', async (t) => {
  const [one, two] = [skill('other', '', '/set/a/other'), skill('other', '', '/set/b/other')]
  const skills = [one, two, skill('x', '@other', '/set/b/x'), skill('y', '@other', '/set/c/y')]
  const uidOf = (one: IncomingSkill): Uid => skills.indexOf(one).toString(16).padStart(32, '0') as Uid
  const { bodies, diagnostics } = linkFolders(skills, { uidOf, refOf: () => undefined })
  t.same([bodies[2], bodies[3]], [[{ skill: uidOf(two) }], [{ skill: uidOf(one) }]])
  t.same(
    diagnostics.map(({ code, path }) => [code, path]),
    [['D_NAME_TWICE', 'b/other/SKILL.md']]
  )
  t.equal(link('[it](../b/other/SKILL.md)', [one, two]).text, 'it (@other-2)')
})

t.test('whatever a body holds, it links to a canonical one', async () => {
  const part = fc.constantFrom(
    '/other',
    'x:other',
    '@other',
    '@nobody',
    '[a](../other/SKILL.md)',
    '[`b](../other/SKILL.md)',
    '`',
    '``',
    '```',
    '\n',
    '\n\n',

    '    ',
    ' ',
    '\\',
    '<a ',
    '>',
    '*',
    '_',
    '[',
    ']',
    '(',
    '- ',
    '> ',
    'a',
    '@',
    '/',
    '-',
    '.',
    '|',
    '<!--',
    '-->',
    '[x]: '
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
      const skills = [skill('me', parts.join('')), other]
      const uidOf = (one: IncomingSkill): Uid => skills.indexOf(one).toString(16).padStart(32, '0') as Uid
      return linkFolders(skills, { uidOf, refOf: () => undefined }).bodies.every(isCanonical)
    }),
    { numRuns: 3000 }
  )
})
