import { listed, shownSkill } from '../../src/editing/present.js'
import { shownContent } from '../../src/editing/find.js'
import { Memory } from '../../src/store/memory.js'
import type { StoredSkill } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import { brokenIn } from '../store/invariants.js'
import { readAll } from './replica-store.js'
import type { View } from './view-tree.js'

/** What doesn’t hold on a replica just now: in its view, in its memory, or in what it shows. */
export async function brokenReplica(self: Self, view: View): Promise<string[]> {
  const broken = await first(view, 'broken', async () => [
    ...(await brokenIn(view.table)),
    ...(await brokenShowing(self))
  ])
  const fresh = await first(view, 'memory', async () => {
    const memory = new Memory()
    readAll(memory, view)
    return memoryDump(memory)
  })
  return memoryDump(self.store.memory) === fresh ? broken : [...broken, 'memory isn’t what the view holds']
}

/** Replicas that see the same find the same out: once is enough. */
async function first<T>({ known }: View, what: string, find: () => Promise<T>): Promise<T> {
  if (!known.has(what)) known.set(what, await find())
  return known.get(what) as T
}

/** Every live skill can be listed and shown. */
async function brokenShowing({ store }: Self): Promise<string[]> {
  const broken: string[] = []
  for (const row of store.namespace.live() as StoredSkill[]) {
    try {
      const { slug, body } = shownSkill(store, row, row.head, await shownContent(store, row))
      if (body.includes('@missing-')) broken.push(`${slug}: shows a name that nothing has`)
      if (listed(store, row).mentions.length !== row.refs.length) broken.push(`${slug}: lists other mentions`)
    } catch (error) {
      broken.push(`${row.slug}: can’t be shown: ${String(error)}`)
    }
  }
  return broken
}

/** All that a memory answers, as one text. */
function memoryDump(memory: Memory): string {
  const { namespace, ...maps } = memory
  const rows = [...namespace.all()].sort((a, b) => (a.uid < b.uid ? -1 : 1))
  const names = rows.map((row) => ({
    row,
    aliases: namespace.aliasesOf(row.uid).sort(),
    target: namespace.uidOf(row.uid),
    mentioned: namespace.mentionersOf(row.uid).map(({ uid }) => uid)
  }))
  const kept = Object.entries(maps).map(([name, map]) => [
    name,
    [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, row]) => [key, plain(row)])
  ])
  return JSON.stringify([names, namespace.live().map(({ uid }) => uid), kept])
}

/** A row with its bytes as text. */
function plain(row: object): object {
  const fields = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  ])
  return Object.fromEntries(fields) as object
}
