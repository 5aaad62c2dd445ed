import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeApi } from '../src/api.js'
import type { Slug, Uid, VersionHash } from '../src/base/ids.js'
import { closureOf } from '../src/namespace/closure.js'
import { Namespace } from '../src/namespace/resolve.js'
import type { SkillRow } from '../src/namespace/skill.js'
import { openNode } from '../src/node.js'
import { homeWith } from './skills.js'
import { median, ms, timesOf, type Figure } from './measure.js'

const MANY = 10_000
const FEW = 100
const ROUNDS = 21

/** A rename on a real store of 10,000 skills beside one of 100, in turn. */
export async function benchRename(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  try {
    const [few, many] = [await nodeWith(FEW, folder), await nodeWith(MANY, folder)]
    const rename = (node: NodeApi) => (round: number) =>
      node.rename(round % 2 ? 'renamed' : 'skill-7', round % 2 ? 'skill-7' : 'renamed')
    const [fewTimes, manyTimes]: number[][] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      const one = (node: NodeApi) => timesOf(1, () => rename(node)(round))
      fewTimes!.push(...(await one(few)))
      manyTimes!.push(...(await one(many)))
    }
    const [a, b] = [fewTimes!, manyTimes!].map((times) => median(times.sort((x, y) => x - y)))
    await few.close()
    await many.close()
    const ratio = b! / a!
    return {
      name: `rename among ${MANY} skills against ${FEW}`,
      found: `${ratio.toFixed(2)} × (${ms(b!)} against ${ms(a!)})`,
      goal: '≤ 2 ×',
      met: ratio <= 2
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function nodeWith(count: number, folder: string): Promise<NodeApi> {
  return openNode({ home: await homeWith(count, folder), passphrase: () => Promise.resolve('') })
}

/** The closure of a skill and the tools of a plan in a namespace of 10,000, each mentioning three others. */
export async function benchQueries(): Promise<Figure[]> {
  const namespace = new Namespace()
  for (let n = 0; n < MANY; n++) namespace.put(row(n))
  const root = namespace.resolve('skill-0' as Slug)
  if (root?.kind !== 'skill') throw new TypeError('the namespace has lost a skill')
  const { skills } = closureOf(namespace, root.skill)
  const closure = median(await timesOf(1001, () => closureOf(namespace, root.skill)))
  const tools = median(await timesOf(1001, () => namespace.toolsForPlan(['skill-0' as Slug])))
  return [
    {
      name: `closure of ${skills.length} skills among ${MANY}`,
      found: ms(closure),
      goal: '< 1 ms',
      met: closure < 1
    },
    { name: `toolsForPlan over the same`, found: ms(tools), goal: '< 1 ms', met: tools < 1 }
  ]
}

/** Skills in groups of 64 that mention each other: a closure is a whole group. */
function row(n: number): SkillRow {
  const group = n - (n % 64)
  const uid = (k: number): Uid => k.toString(16).padStart(32, '0') as Uid
  const next = [1, 7, 31].map((step) => ({ skill: uid(group + ((n - group + step) % 64)) }))
  const head = n.toString(16).padStart(64, '0') as VersionHash
  return {
    uid: uid(n),
    slug: `skill-${n}` as Slug,
    title: `Skill ${n}`,
    summary: 'One of many.',
    enabled: true,
    advertised: false,
    exec: true,
    head,
    heads: [head],
    refs: next,
    deleted: false
  }
}
