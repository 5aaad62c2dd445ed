import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bind, refsHere, shownVersion } from '../../src/agent/bind.js'
import type { Slug } from '../../src/base/ids.js'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

/** Folders of skills, each with a body of its own. */
async function folderOf(t: Test, bodies: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-skills-'))
  t.teardown(() => rm(folder, { recursive: true }))
  for (const [n, body] of bodies.entries()) {
    await mkdir(join(folder, `s${n}`))
    await writeFile(join(folder, `s${n}`, 'SKILL.md'), `---\nname: s${n}\ndescription: One.\n---\n\n${body}\n`)
  }
  return folder
}

t.test('a chain of skills was walked anew from each of its links', async (t) => {
  const ada = await home(t, 'Ada')
  const length = 5000
  const bodies = Array.from({ length }, (_, n) => (n + 1 < length ? `Then @s${n + 1}.` : 'Run @calendar.'))
  await ada.node.importFolders([await folderOf(t, bodies)])
  await ada.under(async ({ store }) => {
    const start = performance.now()
    const { tools, skills } = await bind(store, refsHere(store, ['s0' as Slug]), shownVersion)
    t.same(tools, ['query_calendar'])
    t.equal(skills.length, length)
    t.same(skills.at(-1)!.tools(), ['query_calendar'])
    t.ok(performance.now() - start < 1000)
  })
})

t.test('what the bodies before it left no room for is left out, and said so once', async (t) => {
  const { node } = await home(t, 'Ada')
  const long = 'Word and word. '.repeat(5000)
  const bodies = Array.from({ length: 40 }, (_, n) => `Then @s${(n + 1) % 40}, by @current-date.\n\n${long}`)
  await node.importFolders([await folderOf(t, bodies)])
  await node.setAdvertised('s0', true)
  const { chats } = await scripted(t, node, [
    { text: '@s0' },
    { calls: [calling('current_date', {}, 's39')] },
    { text: 'Done.' }
  ])
  const run = await node.ask('Go.', {})
  t.equal(run.skills.length, 40)
  t.equal(callsOf(run)[0]!.outcome, 'ran')
  t.ok(chats[1]!.messages[0]!.content!.length < 300_000)
  t.match(chats[1]!.messages[0]!.content, '\n## @s3: ')
  t.notMatch(chats[1]!.messages[0]!.content, '## @s20')
  t.ok(run.truncations.length < 10)
  t.match(run.truncations.at(-1), /35 skills.*@s5/)
})
