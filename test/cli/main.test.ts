import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { NodeApi } from '../../src/api.js'
import { SelkieError } from '../../src/base/errors.js'
import { wordsFrom } from '../../src/keys/identity.js'
import { DESKTOP, PLAN_TRIP, shortHome } from '../attach/fake-node.js'
import { ANNA, homeWith, MAIN, selkie } from './command.js'

t.test('a result as text, and as one JSON value', async (t) => {
  const home = await homeWith(t, { list: async () => [PLAN_TRIP] })
  t.same(await selkie(home, ['list']), { status: 0, stdout: '@plan-trip    Plan a trip\n', stderr: '' })
  const { status, stdout, stderr } = await selkie(home, ['--json', 'list'])
  t.same(
    { status, stderr, value: JSON.parse(stdout) as unknown },
    { status: 0, stderr: '', value: [PLAN_TRIP] }
  )
})

t.test('foreign text can’t command the terminal, and is untouched in JSON', async (t) => {
  const title = '\u001b[2J\u202eevil\n@fake  a row of its own'
  const home = await homeWith(t, { list: async () => [{ ...PLAN_TRIP, title }] })
  const { stdout } = await selkie(home, ['list'])
  t.equal(stdout, '@plan-trip    \\u{1b}[2J\\u{202e}evil @fake a row of its own\n')
  t.match(JSON.parse((await selkie(home, ['list', '--json'])).stdout), [{ title }])
})

t.test('a refusal: exit 1, said on stderr, or on stdout as the one JSON value', async (t) => {
  const refusal = new SelkieError('E_SLUG_TAKEN', { slug: 'find-file', kind: 'tool' })
  const home = await homeWith(t, { rename: () => Promise.reject(refusal) })
  const { code, message, hint } = refusal
  t.same(await selkie(home, ['rename', '@a', 'find-file']), {
    status: 1,
    stdout: '',
    stderr: `${message}\n${hint} (${code})\n`
  })
  const { status, stdout, stderr } = await selkie(home, ['rename', '@a', 'find-file', '--json'])
  t.same(
    { status, stderr, value: JSON.parse(stdout) as unknown },
    { status: 1, stderr: '', value: { error: { code, message, hint } } }
  )
})

t.test('a fault inside is a plain sentence, without a trace', async (t) => {
  const home = await homeWith(t, { list: () => Promise.reject(new TypeError('x is undefined')) })
  const { status, stderr } = await selkie(home, ['list'])
  t.equal(status, 1)
  t.match(stderr, 'E_INTERNAL')
  t.notMatch(stderr, /TypeError|undefined|^ +at /m)
})

t.test('wrong usage: exit 2, what was meant, and how it is used', async (t) => {
  const home = await shortHome(t)
  const verb = await selkie(home, ['accpt'])
  t.equal(verb.status, 2)
  t.equal(verb.stdout, '')
  t.match(verb.stderr, /There is no verb accpt\.\nDid you mean accept\?/)
  t.match(verb.stderr, /^ {2}accept ID/m)
  const flag = await selkie(home, ['list', '--jsno'])
  t.equal(flag.status, 2)
  t.match(flag.stderr, /Did you mean --json\?/)
  t.match(flag.stderr, /^selkie list \[flags\]$/m)
  t.match(await selkie(home, []), { status: 2, stdout: '', stderr: /A verb is missing/ })
  const json = await selkie(home, ['show', '--json'])
  t.match(json, { status: 2, stderr: '' })
  t.match(JSON.parse(json.stdout), { error: { code: 'E_USAGE', message: '@slug is missing.' } })
})

t.test('help and version go to stdout', async (t) => {
  const home = await shortHome(t)
  t.match(await selkie(home, ['--help']), { status: 0, stderr: '', stdout: /^ {2}tools-for @slug…/m })
  t.match(await selkie(home, ['accept', '--help']), { status: 0, stdout: /--rename incoming=slug …/ })
  t.match(await selkie(home, ['--version']), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
})

t.test('a body comes from a flag, a file or stdin, and from one of them only', async (t) => {
  const bodies: string[] = []
  const home = await homeWith(t, {
    create: async ({ title, summary, body }) => {
      bodies.push(body)
      return { uid: PLAN_TRIP.uid, slug: 'plan-trip', title, summary, version: 'v1', mentions: [] }
    }
  })
  const file = join(home, 'body.md')
  await writeFile(file, 'from a file\n')
  const create = ['new', 'Plan a trip', '--summary', 's']
  t.match(await selkie(home, [...create, '--body', 'from a flag']), {
    status: 0,
    stdout: 'Saved @plan-trip, version v1.\n'
  })
  t.match(await selkie(home, [...create, '--body-file', file]), { status: 0 })
  t.match(await selkie(home, [...create, '-'], 'from stdin\n'), { status: 0 })
  t.match(await selkie(home, [...create, '--body', '-'], 'from stdin too\n'), { status: 0 })
  t.same(bodies, ['from a flag', 'from a file\n', 'from stdin\n', 'from stdin too\n'])
  t.match(await selkie(home, [...create, '-', '--body', 'x']), { status: 2, stderr: /given twice/ })
  t.match(await selkie(home, create), { status: 2, stderr: /The body is missing/ })
  t.match(await selkie(home, [...create, '--body-file', join(home, 'none')]), {
    status: 1,
    stderr: /none can’t be read: no such file or directory\.[^]*E_INPUT_FILE/
  })
})

t.test('edit changes what was given and leaves the rest out', async (t) => {
  const changes: unknown[] = []
  const home = await homeWith(t, {
    edit: async (slug, change) => {
      changes.push([slug, change])
      return { uid: PLAN_TRIP.uid, slug, title: '', summary: '', version: 'v2', mentions: ['find-file'] }
    }
  })
  const { stdout } = await selkie(home, ['edit', 'plan-trip', '--title', 'Trip'])
  t.equal(stdout, 'Saved @plan-trip, version v2.\nIt mentions @find-file.\n')
  t.same(changes, [['plan-trip', { title: 'Trip' }]])
  t.match(
    await selkie(home, ['edit', 'plan-trip']),
    { status: 2, stderr: /Nothing to change/ },
    'no terminal, no editor'
  )
})

t.test('decisions reach the node as they were given', async (t) => {
  const home = await homeWith(t, {
    accept: async (id, decisions) => {
      t.same(decisions, { rename: { a: 'b', c: 'd' }, useMine: { e: 'f' }, drop: ['g'], exec: true })
      return { id, imported: [{ incoming: 'a', slug: 'b', status: 'new' }] }
    }
  })
  const flags = ['--rename', 'a=@b', '--rename', 'c=d', '--use-mine', 'e=f', '--drop', '@g', '--exec']
  t.match(await selkie(home, ['accept', 'id', ...flags]), { status: 0, stdout: '@b  new  from @a\n' })
})

t.test('what must be asked is refused without a terminal, and names the flag', async (t) => {
  const home = await homeWith(t, {
    contact: async () => ANNA,
    verify: async (_contact, verified) => ({ ...ANNA, verified }),
    forget: async () => ANNA
  })
  t.match(await selkie(home, ['verify', 'Anna', '--yes']), { status: 0, stdout: 'Anna is verified.\n' })
  t.match(await selkie(home, ['verify', 'Anna', '--undo']), {
    status: 0,
    stdout: 'Anna is not verified any more.\n'
  })
  t.match(await selkie(home, ['forget', 'Anna']), { status: 1, stderr: /E_ASK/ })
  t.match(await selkie(home, ['forget', 'Anna', '--yes']), { status: 0, stdout: 'Anna is forgotten.\n' })
})

t.test('an invite: at once for a program, and waited for with a person', async (t) => {
  const invite = { invite: 'come-in', expires: '2026-03-01T12:00:00Z' }
  const status = { online: true } as Awaited<ReturnType<NodeApi['status']>>
  const home = await homeWith(t, {
    status: async () => status,
    invite: async ({ expiresInSeconds }) => {
      t.equal(expiresInSeconds, 120)
      return invite
    },
    invited: async () => ({
      name: 'Bo',
      identity: 'cd',
      verified: false,
      devices: [],
      safetyWords: 'one two',
      online: true
    })
  })
  const json = await selkie(home, ['invite', '--expires', '2m', '--json'])
  t.same(JSON.parse(json.stdout), invite)
  const { stdout, stderr } = await selkie(home, ['invite', '--expires', '2m'])
  t.match(stdout, /^come-in\n[^]*Bo is a contact now[^]*one two/)
  t.match(stderr, /Waiting for the other side/)
  t.equal((await selkie(home, ['invite', '--expires', '2m', '--quiet'])).stderr, '')

  const none = await shortHome(t)
  const down = await selkie(none, ['invite', '--json'])
  t.equal(down.status, 1)
  t.match(JSON.parse(down.stdout), { error: { code: 'E_NODE_DOWN' } })
})

t.test('an invite for a device: at once for a program, and waited for with a person', async (t) => {
  const invite = { invite: 'come-in', expires: '2026-03-01T12:00:00Z' }
  const home = await homeWith(t, {
    status: async () => ({ online: true }) as Awaited<ReturnType<NodeApi['status']>>,
    deviceInvite: async ({ expiresInSeconds }) => {
      t.equal(expiresInSeconds, 600)
      return invite
    },
    deviceInvited: async (text) => {
      t.equal(text, 'come-in')
      return DESKTOP
    }
  })
  const json = await selkie(home, ['device', 'invite', '--json'])
  t.same(JSON.parse(json.stdout), invite)
  const { stdout, stderr } = await selkie(home, ['device', 'invite'])
  t.match(stdout, /^come-in\n[^]*desktop is one of your devices now/)
  t.match(stderr, /Waiting for the other side/)
})

t.test('devices are listed and renamed', async (t) => {
  const home = await homeWith(t, {
    devices: async () => [DESKTOP],
    renameDevice: async (device, name) => {
      t.equal(device, 'desktop')
      return { ...DESKTOP, name }
    }
  })
  t.same(JSON.parse((await selkie(home, ['devices', '--json'])).stdout), [DESKTOP])
  t.match(await selkie(home, ['devices']), { status: 0, stdout: /^desktop +not seen yet/ })
  t.same(await selkie(home, ['device', 'rename', 'desktop', 'my desk']), {
    status: 0,
    stdout: 'That device is called my desk now.\n',
    stderr: ''
  })
})

t.test('a device is removed by the words on stdin, which are said nowhere', async (t) => {
  const words = wordsFrom(new Uint8Array(32).fill(7))
  const laptop = { ...DESKTOP, name: 'laptop', device: '1a'.repeat(32), current: true }
  const asked: string[][] = []
  let online = true
  const home = await homeWith(t, {
    status: async () => ({ online }) as Awaited<ReturnType<NodeApi['status']>>,
    devices: async () => [laptop, DESKTOP],
    removeDevice: async (device, given) => {
      asked.push([device, given.trim()])
      return DESKTOP
    }
  })
  const remove = ['device', 'remove', 'desktop']
  t.match(await selkie(home, remove, words), { status: 1, stdout: '', stderr: /`--yes`[^]*E_ASK/ })
  t.match(await selkie(home, [...remove, '--yes']), { status: 1, stderr: /E_WORDS_NEEDED/ })
  const wrong = await selkie(home, [...remove, '--yes'], words.replace(/^\S+/, 'secretly'))
  t.match(wrong, { status: 1, stdout: '', stderr: /E_WORDS\)/ })
  t.notMatch(wrong.stderr, 'secretly')
  t.match(await selkie(home, ['device', 'remove', 'laptop', '--yes'], words), {
    status: 1,
    stderr: /E_DEVICE_CURRENT/
  })
  t.match(await selkie(home, ['device', 'remove', 'phone', '--yes'], words), {
    status: 1,
    stderr: /E_DEVICE_UNKNOWN/
  })
  t.same(asked, [], 'nothing was removed so far')

  const removed = await selkie(home, [...remove, '--yes'], `${words}\n`)
  t.match(removed, { status: 0, stderr: '', stdout: /^desktop is removed\./ })
  const json = await selkie(home, [...remove, '--yes', '--json'], words)
  t.same(JSON.parse(json.stdout), DESKTOP)
  online = false
  t.match((await selkie(home, [...remove, '--yes'], words)).stderr, /`selkie up` tells your devices/)
  t.same(
    asked,
    [1, 2, 3].map(() => [DESKTOP.device, words])
  )
})

t.test('a home that has an identity is refused before anything is asked', async (t) => {
  const home = await shortHome(t)
  await mkdir(join(home, 'keys'))
  await writeFile(join(home, 'keys', 'device.key'), 'a key')
  for (const argv of [['recover'], ['device', 'join', 'come-in', '--passphrase'], ['init', '--passphrase']])
    t.match(await selkie(home, argv), { status: 1, stdout: '', stderr: /E_HOME_EXISTS/ }, argv.join(' '))
})

t.test('to recover takes the words, from stdin where there is no terminal', async (t) => {
  const home = await shortHome(t)
  t.match(await selkie(home, ['recover']), { status: 1, stdout: '', stderr: /on stdin[^]*E_WORDS_NEEDED/ })
  const wrong = await selkie(home, ['recover', '--json'], 'abandon ability able')
  t.match(JSON.parse(wrong.stdout), { error: { code: 'E_WORDS' } })
  t.notMatch(wrong.stdout + wrong.stderr, /abandon|ability/)
  const given = await selkie(home, ['recover', 'abandon', 'ability'])
  t.match(given, { status: 2, stdout: '', stderr: /The 24 words are asked for/ })
  t.notMatch(given.stderr, /abandon|ability/)
})

t.test('the first word of a verb alone says what can follow it', async (t) => {
  const home = await shortHome(t)
  const alone = await selkie(home, ['device'])
  t.match(alone, { status: 2, stdout: '', stderr: /After device comes invite, join, rename, remove\./ })
  t.match(alone.stderr, /^ {2}device join INVITE/m)
  t.notMatch(alone.stderr, /^ {2}list/m, 'the other verbs aren’t shown')
  t.match(await selkie(home, ['device', '--help']), { status: 0, stderr: '', stdout: /^ {2}device remove/m })
  t.match(await selkie(home, ['device', 'remove', '--help']), {
    status: 0,
    stdout: /^selkie device remove DEVICE/
  })
  t.match(await selkie(home, ['device', 'jion', 'x']), { status: 2, stderr: /Did you mean device join\?/ })
})

t.test('what changed by itself is told once, after the result, and only to a person', async (t) => {
  let told = 0
  const notice = { id: '1', kind: 'slug', slug: 'plan-2', was: 'plan', hint: 'Rename it.' } as const
  const home = await homeWith(t, {
    list: async () => [PLAN_TRIP],
    show: () => Promise.reject(new SelkieError('E_SLUG_TAKEN', { slug: 'a', kind: 'tool' })),
    notices: async () => (told++ === 0 ? [{ ...notice, message: 'Yours is\n@plan-2\u001b[2J now.' }] : [])
  })
  await selkie(home, ['list', '--json'])
  await selkie(home, ['list', '--quiet'])
  await selkie(home, ['show', '@a'])
  t.equal(told, 0, 'a program, a quiet command and a refused one leave them untold')
  t.same(await selkie(home, ['list']), {
    status: 0,
    stdout: '@plan-trip    Plan a trip\n',
    stderr: 'Yours is @plan-2\\u{1b}[2J now. Rename it.\n'
  })
  t.equal((await selkie(home, ['list'])).stderr, '')
  told = 0
  const { stdout, stderr } = await selkie(home, ['notices'])
  t.match(stdout, /^Yours is @plan-2/)
  t.equal(stderr, '')
  told = 0
  t.match(JSON.parse((await selkie(home, ['notices', '--json'])).stdout), [notice])
})

t.test('notices that could not be had don’t undo what was done', async (t) => {
  const home = await homeWith(t, {
    list: async () => [PLAN_TRIP],
    notices: () => Promise.reject(new SelkieError('E_DISK_FULL'))
  })
  t.match(await selkie(home, ['list']), { status: 0, stdout: /plan-trip/, stderr: /E_DISK_FULL/ })
})

t.test('a node that is up can’t be brought up again', async (t) => {
  const home = await homeWith(t, {
    status: async () => ({ online: true }) as Awaited<ReturnType<NodeApi['status']>>
  })
  t.match(await selkie(home, ['up']), { status: 1, stdout: '', stderr: /E_UP_ALREADY/ })
})

t.test('what was queued with no node up says so, on stderr', async (t) => {
  const home = await homeWith(t, {
    status: async () => ({ online: false }) as Awaited<ReturnType<NodeApi['status']>>,
    send: async (root, contact, { note }) => {
      t.equal(note, 'for you')
      return { id: 'id', state: 'queued', contact, root, bytes: 100, skills: ['a', 'b', 'c'], tools: [] }
    }
  })
  const { stdout, stderr } = await selkie(home, ['send', 'a', 'Anna', '--note', 'for you'])
  t.equal(stdout, '@a and 2 skills that it needs to Anna: queued, 100 bytes, id\n')
  t.match(stderr, /`selkie up` delivers it/)
})

t.test('a check that finds something exits with 1, its report printed', async (t) => {
  const report = {
    ok: false,
    skills: 1,
    versions: 1,
    files: 0,
    problems: [{ code: 'E_X', message: 'bad', slug: 'a' }]
  }
  const home = await homeWith(t, { check: async () => report })
  t.same(await selkie(home, ['check']), {
    status: 1,
    stdout: '1 problem in 1 skill, 1 version, 0 files:\n  @a: bad (E_X)\n',
    stderr: ''
  })
})

t.test('a reader that stops reading is no error', async (t) => {
  const home = await homeWith(t, { list: async () => Array.from({ length: 50_000 }, () => PLAN_TRIP) })
  const child = spawn(process.execPath, [MAIN, 'list'], { env: { ...process.env, SELKIE_HOME: home } })
  child.stdout.once('data', () => child.stdout.destroy())
  const [[status], stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stderr)
  ])
  t.same({ status, stderr }, { status: 0, stderr: '' })
})

t.test('a body that isn’t UTF-8 was saved with other letters', async (t) => {
  const home = await homeWith(t, {})
  const latin = join(home, 'latin')
  await writeFile(latin, Buffer.from('caf\u00e9\n', 'latin1'))
  const { status, stdout } = await selkie(home, [
    'new',
    'T',
    '--summary',
    's',
    '--body-file',
    latin,
    '--json'
  ])
  t.equal(status, 1)
  t.match(JSON.parse(stdout), { error: { code: 'E_INPUT_TEXT' } })
})
