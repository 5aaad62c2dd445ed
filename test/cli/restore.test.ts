import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { serve } from '../../src/attach/server.js'
import { home, type Home } from '../editing/home.js'

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

interface Said {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** A node that is up, and the program that speaks to it. */
async function up(t: Test): Promise<Home & { selkie: (...argv: string[]) => Promise<Said> }> {
  const person = await home(t, 'Ana')
  const server = await serve(person.node, person.folder)
  t.teardown(() => server.close())
  const env = { ...process.env, SELKIE_HOME: person.folder }
  const selkie = async (...argv: string[]): Promise<Said> => {
    const child = spawn(process.execPath, [MAIN, ...argv], { env })
    const [out, err, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>
    ])
    return { status, out, err }
  }
  return { ...person, selkie }
}

t.test('what `delete` says brings a skill back brought back another', async (t) => {
  const { node, selkie } = await up(t)
  const said: string[][] = []
  for (const body of ['First.', 'Second.']) {
    await node.create({ title: 'Dup', summary: 'How to.', body })
    const { out } = await selkie('delete', '@dup')
    said.push(
      /^@dup is deleted\. `selkie (restore @dup --uid [0-9a-f]{8})` brings it back\.$/m
        .exec(out)![1]!
        .split(' ')
    )
  }
  const list = (await selkie('list', '--deleted')).out
  for (const [, , , digits] of said)
    t.match(list, new RegExp(`^@dup  ${digits}  1 version  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  Dup$`, 'm'))
  t.match(list, '`selkie restore @slug` brings one back')
  t.match(list, '`--uid` and the digits beside it')

  const { status, err } = await selkie('restore', '@dup')
  t.equal(status, 1)
  for (const [, , , digits] of said) t.match(err, digits)
  t.match(err, '`selkie restore @dup --uid DIGITS`')
  t.match(await selkie('restore', '@dup', '0123', '--uid', '0123'), { status: 2, err: /--uid/ })

  t.match(await selkie(...said[1]!), { status: 0, out: /^@dup is as it was/ })
  t.equal((await node.show('dup')).body, 'Second.')
  t.match(await selkie(...said[0]!), { status: 0, out: /^@dup-2 is as it was/ })
  t.equal((await node.show('dup-2')).body, 'First.')
})

t.test('`card --out` wrote over a file, also through a link', async (t) => {
  const { folder, selkie } = await up(t)
  const file = join(folder, 'file')
  await writeFile(file, 'mine')
  await symlink(file, join(folder, 'link'))
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
  for (const name of ['file', 'link', 'dangling']) {
    const { status, out } = await selkie('card', '--out', join(folder, name), '--json')
    t.equal(status, 1)
    t.match(JSON.parse(out), { error: { code: 'E_FILE_EXISTS' } })
  }
  t.equal(await readFile(file, 'utf8'), 'mine')
  t.equal(await readlink(join(folder, 'link')), file)
  await t.rejects(lstat(join(folder, 'nowhere')), { code: 'ENOENT' })
  t.equal((await selkie('card', '--out', join(folder, 'new'))).status, 0)
  t.match(await readFile(join(folder, 'new'), 'utf8'), /^\S+\n$/)
})

t.test('one skill “now say so too”, and who mentions a disabled one wasn’t told', async (t) => {
  const { node, selkie } = await up(t)
  await node.create({ title: 'Pack', summary: 'How to.', body: 'Pack.' })
  t.equal((await selkie('disable', '@pack')).out, '@pack is disabled.\n')
  t.equal((await selkie('enable', '@pack')).out, '@pack is enabled.\n')
  await node.create({ title: 'Plan a trip', summary: 'How to.', body: 'Then @pack.' })
  t.equal((await selkie('rename', '@pack', 'bag')).out, '@pack is now @bag. @plan-a-trip now says so too.\n')
  t.match(
    (await selkie('disable', '@bag')).out,
    /^@bag is disabled\. @plan-a-trip still mentions it, to no effect; an edit of that text is refused/
  )
  await t.rejects(node.edit('plan-a-trip', { body: 'Now @bag.' }), { code: 'E_MENTIONS' }, 'as it says')
  await selkie('enable', '@bag')
  await node.create({ title: 'Move house', summary: 'How to.', body: 'With @bag, @bag.' })
  t.equal(
    (await selkie('rename', '@bag', 'pack')).out,
    '@bag is now @pack. @move-house, @plan-a-trip now say so too.\n'
  )
  t.match((await selkie('disable', '@pack')).out, '@move-house, @plan-a-trip still mention it')
  const { out } = await selkie('disable', '@pack', '--json')
  t.match(JSON.parse(out), { slug: 'pack', enabled: false, mentionedBy: ['move-house', 'plan-a-trip'] })
})
