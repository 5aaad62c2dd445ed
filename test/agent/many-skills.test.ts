import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bind, shownVersion } from '../../src/agent/bind.js'
import type { Slug, ToolName, Uid } from '../../src/base/ids.js'
import type { Ref } from '../../src/namespace/linked.js'
import { Namespace } from '../../src/namespace/resolve.js'
import type { SkillRow } from '../../src/namespace/skill.js'
import type { Store } from '../../src/store/store.js'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

/** Folders of skills, each with a body of its own. */
async function folderOf(t: Test, bodies: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-skills-'))
  t.teardown(() => rm(folder, { recursive: true }))
  for (const [n, body] of bodies.entries()) {
    await mkdir(join(folder, `s${n}`))
    await writeFile(
      join(folder, `s${n}`, 'SKILL.md'),
      `---\nname: s${n}\ndescription: One.\n---\n\n${body}\n`
    )
  }
  return folder
}

t.test('a chain of skills was walked anew from each of its links', async (t) => {
  const namespace = new Namespace()
  const length = 20_000
  for (let n = 0; n < length; n++) {
    const next: Ref = n + 1 < length ? { skill: `${n + 1}` as Uid } : { tool: 'query_calendar' as ToolName }
    const row = { uid: `${n}`, slug: `s${n}`, title: 'One', head: 'ab', enabled: true, deleted: false }
    namespace.put({ ...row, refs: [next] } as unknown as SkillRow)
  }
  const view = { get: async () => undefined } as unknown as Store['view']
  const store = { namespace, view } as Store
  let looks = 0
  const uidOf = namespace.uidOf.bind(namespace)
  namespace.uidOf = (uid) => {
    looks++
    return uidOf(uid)
  }
  const { tools, skills } = await bind(store, store.namespace.refsOf(['s0' as Slug]), shownVersion)
  t.ok(looks < 10 * length, `${looks} looks at a skill`)
  t.same(tools, ['query_calendar'])
  t.equal(skills.length, length)
  t.same(skills[0]!.tools(), ['query_calendar'])
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
  t.match(run.truncations.at(-1), /36 skills.*@s4, @s5/)
})
