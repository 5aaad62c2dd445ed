import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { NoteShown, ProfileShown } from '../../src/api.js'
import { serve } from '../../src/attach/server.js'
import { home } from '../editing/home.js'

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

/** Runs the real command on Ana’s node, without a terminal. */
async function ana(t: Test): Promise<(argv: string[], stdin?: string) => Promise<string>> {
  const { folder, node } = await home(t, 'Ana')
  const server = await serve(node, folder)
  t.teardown(() => server.close())
  return async (argv, stdin = '') => {
    const child = spawn(process.execPath, [MAIN, ...argv], { env: { ...process.env, SELKIE_HOME: folder } })
    child.stdin.end(stdin)
    const closed = once(child, 'close')
    const said = await Promise.all([text(child.stdout), text(child.stderr)])
    await closed
    return said.join('')
  }
}

t.test('the notebook from the command line', async (t) => {
  const selkie = await ana(t)
  t.match(await selkie(['note', 'list']), /^No notes\. `selkie note add`/)
  t.equal(await selkie(['note', 'list', '--deleted']), 'No note is deleted.\n')
  t.equal(await selkie(['note', 'list', '--search', 'zzz']), 'No note is found by “zzz”.\n')
  t.equal(await selkie(['note', 'list', '--search', 'zzz', '--json']), '[]\n')
  t.match(
    await selkie(['note', 'add', 'x'.repeat(70_000)]),
    /Shorten it, or split it into several notes\. \(E_T/
  )
  t.match(await selkie(['note', 'add', 'Milk\nand bread']), /^Saved “Milk” as note [0-9a-f]{12}\.\n$/)
  const key = JSON.parse(
    await selkie(['note', 'add', '-', '--json'], 'The key is under the stone.\n')
  ) as NoteShown
  const file = join(t.testdir(), 'note.txt')
  await writeFile(file, 'The key is with Ben.')
  const { id, title, text, deleted } = key
  t.same({ title, text, deleted }, { title: text, text, deleted: false })
  const short = id.slice(0, 12)
  t.match(
    await selkie(['note', 'list', '--search', 'stone']),
    new RegExp(`^${short} {2}\\d{4}-.* The key is`)
  )
  t.match(await selkie(['note', 'edit', short, '--file', file]), /^Saved “The key is with Ben\.”/)
  t.match(await selkie(['note', 'show', short]), new RegExp(`^note ${id}, .*\n\nThe key is with Ben\\.\n$`))
  t.match(await selkie(['note', 'delete', short]), /`selkie note restore [0-9a-f]{12}` brings it back/)
  t.equal((await selkie(['note', 'list'])).trim().split('\n').length, 1)
  t.match(await selkie(['note', 'list', '--deleted', '--json']), new RegExp(`^\\[\\{"id":"${id}"`))
  t.match(await selkie(['note', 'restore', short]), /is back\.\n$/)
  t.match(await selkie(['note', 'show', 'abc']), /\(E_NOTE_UNKNOWN\)\n$/)
  t.match(await selkie(['note', 'add']), /The text is missing.*\(E_USAGE\)/s)
  t.match(await selkie(['note', 'add', 'x', '--file', file]), /The text is given twice.*\(E_USAGE\)/s)
})

t.test('profiles from the command line', async (t) => {
  const selkie = await ana(t)
  const bind = (...flags: string[]): Promise<string> =>
    selkie(['profile', 'bind', 'at work', '@fetch-file', ...flags])
  t.match(await selkie(['profiles']), /^No profiles\. `selkie profile new NAME`/)
  t.match(
    await selkie(['profile', 'new', '']),
    /^A profile’s name .*\n.*`selkie profile new work`.*\(E_PROFILE_NAME\)/
  )
  t.match(await selkie(['profile', 'new', 'At work']), /selkie profile bind 'At work' @slug\n$/)
  t.match(await bind(), /^At work\n {2}@fetch-file {2}latest {2}[0-9a-f]{12}\n$/)
  t.match(await bind('--published'), /@fetch-file {2}published {2}nothing of it is published/)
  const shown = JSON.parse(await bind('--latest', '--json')) as ProfileShown
  const { version } = shown.bindings[0]!
  t.match(await bind('--version', version!.slice(0, 8)), new RegExp(`version {2}${version!.slice(0, 12)}\n$`))
  t.match(await bind('--latest', '--published'), /Give one of.*\(E_USAGE\)/s)
  t.same(JSON.parse(await selkie(['profiles', '--json'])), [
    { name: 'At work', bindings: [{ slug: 'fetch-file', to: { version }, version }] }
  ])
  t.match(await selkie(['profile', 'unbind', 'at work', 'fetch-file']), /^At work {2}binds nothing yet\n$/)
  t.match(await selkie(['profile', 'delete', 'AT WORK']), /^The profile At work is deleted\.\n$/)
  t.match(await selkie(['profile', 'delete', 'at work']), /\(E_PROFILE_UNKNOWN\)\n$/)
})
