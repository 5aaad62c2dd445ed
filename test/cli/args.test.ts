import t from 'tap'
import type { SelkieError } from '../../src/base/errors.js'
import { parse, splitVerb } from '../../src/cli/args.js'
import { secondsOf } from '../../src/cli/invite.js'
import { loadVerb, secondWords, VERB_NAMES } from '../../src/cli/verbs.js'
import { pairs } from '../../src/cli/verbs/accept.js'

/** What a command line comes to, as `selkie` itself would read it. */
async function read(...argv: string[]) {
  const { name, rest } = splitVerb(argv, VERB_NAMES)
  const verb = name === undefined ? undefined : (await loadVerb(name)?.())?.verb
  return parse(rest, name, verb)
}

t.test('global flags stand before or after the verb', async (t) => {
  const split = (...argv: string[]) => splitVerb(argv, VERB_NAMES)
  t.same(split('--home', '/h', 'list', '--json'), { name: 'list', rest: ['--home', '/h', '--json'] })
  t.same(split('--json'), { name: undefined, rest: ['--json'] })
  t.match(await read('--home', '/h', '--json', 'list'), { flags: { home: '/h', json: true } })
  t.match(await read('list', '--json', '--home=/h'), { flags: { home: '/h', json: true } })
})

t.test('a verb of two words, with flags before, between and after', async (t) => {
  const split = (...argv: string[]) => splitVerb(argv, VERB_NAMES)
  t.same(split('device', 'rename', 'a', 'b'), { name: 'device rename', rest: ['a', 'b'] })
  t.same(split('--home', '/h', 'device', '--json', 'join', '--quiet', 'x'), {
    name: 'device join',
    rest: ['--home', '/h', '--json', '--quiet', 'x']
  })
  t.same(split('device'), { name: 'device', rest: [] })
  t.same(split('device', 'constructor'), { name: 'device constructor', rest: [] })
  t.same(split('show', 'device', 'join'), { name: 'show', rest: ['device', 'join'] })
  t.same((await read('device', 'rename', '--json', 'a', 'b')).args, ['a', 'b'])
  t.match((await read('device', 'invite', '--expires', '2h')).flags, { expires: '2h' })
  t.same(secondWords('device'), ['invite', 'join', 'rename', 'remove'])
  t.same(secondWords('devic'), [])
  await t.rejects(read('device', 'rename', 'a'), { code: 'E_USAGE', hint: /`selkie device rename --help`/ })
})

t.test('the 24 words, given on the command line, were repeated on stderr', async (t) => {
  for (const argv of [
    ['recover', 'abandon', 'ability'],
    ['device', 'remove', 'desktop', 'abandon', 'ability'],
    ['recover', '--words', 'abandon'],
    ['recover', '--words=abandon']
  ]) {
    const error = (await read(...argv).catch((caught: unknown) => caught)) as SelkieError
    t.equal(error.code, 'E_USAGE')
    t.notMatch(error.message + error.hint, /abandon|ability/, argv.join(' '))
  }
})

t.test('positionals: one, a choice, many', async (t) => {
  t.same((await read('show', '@a')).args, ['@a'])
  t.same((await read('diff', '@a')).args, ['@a', undefined, undefined])
  t.same((await read('diff', '@a', 'v1', 'v2')).args, ['@a', 'v1', 'v2'])
  t.same((await read('tools-for', '@a', '@b', '@c')).args, [['@a', '@b', '@c']])
  t.same((await read('new', '--summary', 's', '--', '--title--', '-')).args, ['--title--', '-'])
  t.same((await read('new', 'T', '-', '--summary', 's')).args, ['T', '-'], 'a bare - is positional')
})

t.test('flags: values, repeated, and one of a verb that is a global one elsewhere', async (t) => {
  const { args, flags } = await read(
    'accept',
    'id',
    '--rename',
    'a=b',
    '--drop',
    'x',
    '--rename=c=d',
    '--exec'
  )
  t.same(args, ['id'])
  t.match(flags, { rename: ['a=b', 'c=d'], drop: ['x'], exec: true })
  t.match((await read('show', '@a', '--version', 'abc')).flags, { version: 'abc' })
  t.match((await read('--version')).flags, { version: true })
  t.match((await read('new', 'T', '--summary=--s', '--body', '-')).flags, { summary: '--s', body: '-' })
})

t.test('wrong usage says what is wrong', async (t) => {
  const wrong: [string[], RegExp][] = [
    [['show'], /@slug is missing/],
    [['tools-for'], /@slug… is missing/],
    [['list', 'me'], /“me” is one too many/],
    [['new', 'T'], /--summary S is missing/],
    [['export', '@a'], /--to DIR is missing/],
    [['list', '--jsn'], /no flag --jsn/],
    [['list', '-x'], /no flag -x/],
    [['list', '--constructor'], /no flag --constructor/],
    [['list', '--version'], /no flag --version/],
    [['list', '--json=yes'], /--json takes no value/],
    [['list', '--home'], /--home needs a value: DIR/],
    [['list', '--home', '--json'], /--home needs a value; if it is “--json”, write --home=--json/],
    [['list', '--home', 'a', '--home', 'b'], /--home was given twice/]
  ]
  for (const [argv, message] of wrong)
    await t.rejects(read(...argv), { code: 'E_USAGE', message }, argv.join(' '))
  const hint = async (...argv: string[]) =>
    ((await read(...argv).catch((error: unknown) => error)) as SelkieError).hint
  t.match(await hint('list', '--jsn'), /^Did you mean --json\? Run/)
  t.match(await hint('list', '--spaceship'), /^Run `selkie list --help`/)
  t.match(await read('seal', '--help'), { args: [], flags: { help: true } }, 'help needs nothing else')
})

t.test('every verb loads, and declares what it takes', async (t) => {
  t.equal(new Set(VERB_NAMES).size, 76)
  for (const name of VERB_NAMES) {
    const { verb } = await loadVerb(name)!()
    t.match(verb.about, /^[A-Z].*[^.]$/, name)
    const many = verb.positionals.findIndex((positional) => positional.endsWith('…'))
    t.ok(many === -1 || many === verb.positionals.length - 1, `${name}: what takes many comes last`)
    for (const [flag, { type, value }] of Object.entries(verb.flags)) {
      t.equal(type === 'string', value !== undefined, `${name} --${flag}`)
    }
  }
  t.equal(loadVerb('constructor'), undefined)
})

t.test('decisions on the command line', (t) => {
  t.same({ ...pairs(['@a=@b', 'c=d'], '--rename') }, { a: 'b', c: 'd' })
  t.same(Object.keys(pairs(['__proto__=d'], '--rename')), ['__proto__'])
  for (const wrong of ['a', 'a=', '=b', 'a=b=c', ''])
    t.throws(() => pairs([wrong], '--rename'), { code: 'E_USAGE' })
  t.throws(() => pairs(['a=b', '@a=c'], '--rename'), { code: 'E_USAGE', message: /names a twice/ })
  t.end()
})

t.test('lengths of time', (t) => {
  t.same(
    ['90s', '10m', '2h', '1d'].map((text) => secondsOf(text, 'invite')),
    [90, 600, 7200, 86_400]
  )
  for (const wrong of ['', '10', 'm', '0m', '-1m', '1.5h', '10 m', '1w', '9999999s']) {
    t.throws(() => secondsOf(wrong, 'device invite'), { code: 'E_USAGE', hint: /device invite/ }, wrong)
  }
  t.end()
})
