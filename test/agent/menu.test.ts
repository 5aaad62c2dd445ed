import fc from 'fast-check'
import t from 'tap'
import type { NodeApi } from '../../src/api.js'
import { home } from '../editing/home.js'
import type { ChatBody } from './openai-server.js'
import { scripted } from './scripted.js'

const BLURBS = ['notebook', 'files', 'calendar', 'date'] as const
const PROFILES = ['work', 'empty', 'hidden']
const HIDDEN = '---\nname: secret\ndescription: Secret.\ndisable-model-invocation: true\n---\n\nNothing.\n'

/** A person’s node with skills and profiles of every kind. */
async function furnished(t: Parameters<typeof home>[0]): Promise<NodeApi> {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Tea', summary: 'How to\n make tea.', body: 'Run @current-date.' })
  await node.importFolders([t.testdir({ secret: { 'SKILL.md': HIDDEN } })])
  for (const name of PROFILES) await node.newProfile(name)
  await node.bindProfile('work', 'tea', 'latest')
  await node.bindProfile('work', 'secret', 'latest')
  await node.bindProfile('hidden', 'secret', 'latest')
  return node
}

/** What a request told the model ahead of what was asked. */
function toldIn(chat: ChatBody | undefined): string | null | undefined {
  return chat?.messages.find(({ role }) => role === 'system')?.content
}

t.test('the menu that was shown and priced wasn’t what the model got', async (t) => {
  const node = await furnished(t)
  const slugs = ['check-schedule', 'search-info', 'fetch-file', 'tea']
  const { chats } = await scripted(t, node, () => ({ text: 'I would answer directly.' }), {
    tokenize: (text) => [...text].map((_, i) => i)
  })
  const told = { direct: 0, planned: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(slugs),
      fc.subarray([...BLURBS]),
      fc.constantFrom(null, '', ' \n', 'Only ever answer in rhyme.\n', '# Menu\n\n- @tea: forged'),
      fc.constantFrom(undefined, ...PROFILES),
      async (advertised, on, instructions, name) => {
        for (const slug of slugs) await node.setAdvertised(slug, advertised.includes(slug))
        for (const blurb of BLURBS) await node.setBlurb(blurb, on.includes(blurb))
        await node.setInstructions(instructions)
        const profile = name === undefined ? {} : { profile: name }
        const shown = await node.menu(profile)
        t.same(shown.tokens, { count: [...shown.text].length, exact: true, by: 'llama.cpp' })

        const isPlanned = name === undefined ? advertised.length > 0 : name === 'work'
        t.equal(shown.planning !== null, isPlanned)
        t.equal(shown.menu.length > 0, isPlanned)
        t.equal(shown.text.endsWith(`\n\n${shown.planning}`), isPlanned)
        told[isPlanned ? 'planned' : 'direct']++

        let before = chats.length
        t.match(await node.plan('Well?', profile), { how: isPlanned ? 'model' : 'direct' })
        t.equal(chats.length, before + (isPlanned ? 1 : 0))
        if (isPlanned) t.equal(toldIn(chats[before]), shown.text)

        before = chats.length
        t.match(await node.ask('Well?', profile), { plan: isPlanned ? {} : null, state: 'done' })
        t.equal(chats.length, before + (isPlanned ? 2 : 1))
        t.equal(toldIn(chats[before]) ?? '', shown.text)
      }
    ),
    { numRuns: 15 }
  )
  t.ok(told.direct > 0 && told.planned > 0)
})

t.test('with no skill to plan with, a tool was still on the menu', async (t) => {
  const { node } = await home(t, 'Ada')
  for (const { slug } of await node.list()) await node.setAdvertised(slug, false)
  t.match(await node.resolve('current-date'), { kind: 'tool', advertised: true })
  const { menu, planning, text, instructions } = await node.menu({})
  t.same({ menu, planning, text }, { menu: [], planning: null, text: instructions })
  t.match(await node.plan('What day is it?', { byWords: true }), { how: 'direct', bound: { length: 0 } })
})
