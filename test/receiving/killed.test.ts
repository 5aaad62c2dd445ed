import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Home } from '../editing/home.js'
import { deliver, people } from './people.js'

const SKILLS = 8
const KILLS = 6

/** Skills that need each other, with files: on Ana’s side one closure, new in every round. */
async function closure({ folder, node }: Home, round: number): Promise<string> {
  const root = join(folder, 'in', `round-${round}`)
  for (let n = 0; n < SKILLS; n++) {
    const name = `r${round}-s${n}`
    await mkdir(join(root, name), { recursive: true })
    const body = `See @r${round}-s${(n + 1) % SKILLS}.`
    await writeFile(
      join(root, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: Of ${round}.\n---\n${body}\n`
    )
    await writeFile(join(root, name, 'data.bin'), Buffer.alloc(60_000, `${round} ${n} `))
  }
  await node.importFolders([root])
  return `r${round}-s0`
}

/** Accepts in a process of its own, killed so many milliseconds after it begins; tells how long it took. */
async function acceptIn(folder: string, id: string, killAfter?: number): Promise<number> {
  const program = fileURLToPath(new URL('accept.js', import.meta.url))
  const argv = [program, folder, id, ...(killAfter === undefined ? [] : [String(killAfter)])]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [took] = await Promise.all([text(child.stdout), once(child, 'close')])
  return Number(took)
}

t.test('killed while it accepts, a node has all of the bundle or nothing, and can go on', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  let took = 0
  const outcomes = new Set<string>()
  for (let round = 0; round <= KILLS; round++) {
    const { id } = await deliver(ana, await closure(ana, round), 'ben', ben)
    await ben.node.review(id)
    await ben.released(async () => {
      if (round === 0) took = await acceptIn(ben.folder, id)
      else await acceptIn(ben.folder, id, (took * (round - 1)) / (KILLS - 2))
    })
    const here = (await ben.node.list()).filter(({ slug }) => slug.startsWith(`r${round}-`)).length
    const { state } = (await ben.node.inbox()).find((delivery) => delivery.id === id)!
    outcomes.add(state)
    t.match([here, state], state === 'imported' ? [SKILLS, 'imported'] : [0, 'waiting'], `round ${round}`)
    if (state === 'waiting') await ben.node.accept(id, {})
    else await t.rejects(ben.node.accept(id, {}), { code: 'E_INBOX_DONE' })
    t.match(await ben.node.check(), {
      ok: true,
      skills: 3 + SKILLS * (round + 1),
      files: SKILLS * (round + 1)
    })
  }
  t.same(await readdir(join(ben.folder, 'bundles', 'in')), [], 'no sealed bytes are left behind')
  t.same([...outcomes].sort(), ['imported', 'waiting'], 'it was killed before and after the step')
})
