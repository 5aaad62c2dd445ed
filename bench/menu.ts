import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Slug } from '../src/base/ids.js'
import { bind, shownVersion } from '../src/agent/bind.js'
import { alignmentText, menuOf } from '../src/agent/menu.js'
import { initHome, openNode } from '../src/node.js'
import { openSelf } from '../src/store/open-self.js'
import { median, ms, timesOf, type Figure } from './measure.js'

const MANY = 10_000
const ADVERTISED = 1000
/** Skills that mention each other: each handle of a plan brings so many. */
const GROUP = 8
const HANDLES = 5
const ROUNDS = 51

const passphrase = (): Promise<string> => Promise.resolve('')

/** The menu of 1,000 advertised skills of 10,000, and the binding of a plan that names five of them. */
export async function benchMenu(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  try {
    const home = join(folder, 'home')
    await initHome({ home, name: 'Bench' })
    const node = await openNode({ home, passphrase })
    await node.importFolders([await grouped(folder)])
    for (let n = 0; n < ADVERTISED; n++) await node.setAdvertised(`skill-${n * (MANY / ADVERTISED)}`, true)
    await node.close()

    const { self } = await openSelf(home, passphrase)
    const { store } = self
    const handles = Array.from({ length: HANDLES }, (_, i) => `skill-${i * 2000}` as Slug)
    const times = await timesOf(ROUNDS, async () => {
      alignmentText({ instructions: '', blurbs: new Set(), menu: await menuOf(store) })
      await bind(store, store.namespace.refsOf(handles), shownVersion)
    })
    await store.close()
    await self.logs.close()
    const time = median(times)
    return {
      name: `menu of ${ADVERTISED} skills among ${MANY}, and a plan of ${HANDLES} bound, ${HANDLES * GROUP} skills with it`,
      found: ms(time),
      goal: '< 20 ms',
      met: time < 20
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function grouped(folder: string): Promise<string> {
  const skills = join(folder, 'skills')
  for (let n = 0; n < MANY; n++) {
    const next = n - (n % GROUP) + ((n + 1) % GROUP)
    const place = join(skills, `skill-${n}`)
    await mkdir(place, { recursive: true })
    const text = `---\nname: skill-${n}\ndescription: One of many, number ${n}.\n---\n\nFirst @find-file, then @skill-${next}.\n`
    await writeFile(join(place, 'SKILL.md'), text)
  }
  return skills
}
