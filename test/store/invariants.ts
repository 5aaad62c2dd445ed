import type { Uid } from '../../src/base/ids.js'
import { decodeContent } from '../../src/namespace/content.js'
import { refsOf } from '../../src/namespace/linked.js'
import { isSlug } from '../../src/namespace/slug.js'
import { toolBySlug } from '../../src/namespace/tool.js'
import type { Table } from '../../src/store/table.js'

/** What is broken in a view of what must hold after every op; empty where all holds. */
export async function brokenIn(view: Table): Promise<string[]> {
  const broken: string[] = []
  const slugs = new Map<string, Uid>()
  const mentions = new Set<string>()
  const target = async (uid: Uid): Promise<Uid> => (await view.get('alias', uid))?.to ?? uid
  for await (const { row } of view.all('skill')) {
    if (!row.heads.includes(row.head)) broken.push(`${row.slug}: its head is none of its heads`)
    for (const head of row.heads)
      if (!(await view.get('version', head))) broken.push(`${row.slug}: a head is missing`)
    if (row.deleted) continue
    if (await view.get('alias', row.uid)) broken.push(`${row.slug}: live, and another stands in for it`)
    if (!isSlug(row.slug) || toolBySlug(row.slug)) broken.push(`${row.slug}: no slug for a skill`)
    if (slugs.has(row.slug)) broken.push(`${row.slug}: taken twice`)
    slugs.set(row.slug, row.uid)
    const encoded = await view.content((await view.get('version', row.head))!.content)
    const refs = encoded && refsOf(decodeContent(encoded).body)
    if (JSON.stringify(refs) !== JSON.stringify(row.refs))
      broken.push(`${row.slug}: its row says other mentions`)
    for (const ref of row.refs) {
      if ('tool' in ref) continue
      const uid = await target(ref.skill)
      mentions.add(`${uid}/${row.uid}`)
      if ((await view.get('skill', uid))?.deleted !== false)
        broken.push(`${row.slug}: mentions what isn’t there`)
    }
  }
  const indexed = new Map<string, Uid>()
  for await (const { name, row } of view.all('slug')) indexed.set(name, row)
  const agree = indexed.size === slugs.size && [...slugs].every(([slug, uid]) => indexed.get(slug) === uid)
  if (!agree) broken.push('the index of slugs')
  const noted: string[] = []
  for await (const { name } of view.all('mention')) noted.push(name)
  if (noted.sort().join() !== [...mentions].sort().join()) broken.push('the index of mentions')
  for await (const { name, row } of view.all('alias')) {
    if (await view.get('alias', row.to)) broken.push(`alias ${name} leads to an alias`)
    if (!(await view.get('skill', row.to))) broken.push(`alias ${name} leads nowhere`)
  }
  for await (const { row } of view.all('version')) {
    if (!(await view.get('attestation', row.author, row.device)))
      broken.push('a version without its attestation')
  }
  broken.push(...(await brokenAgent(view)))
  return broken
}

async function brokenAgent(view: Table): Promise<string[]> {
  const broken: string[] = []
  for await (const { name, row } of view.all('note')) {
    if (name !== row.id) broken.push(`note ${name} says that it is another`)
    if ((await view.get('revision', row.revision))?.note !== name)
      broken.push(`note ${name}: what it shows is no text of it`)
  }
  for await (const { name, row } of view.all('revision'))
    if (!(await view.get('note', row.note))) broken.push(`revision ${name} is of no note`)
  for await (const { name, row } of view.all('profile')) {
    const targets = await Promise.all(
      row.bindings.map(async ({ uid }) => (await view.get('alias', uid))?.to ?? uid)
    )
    const rows = await Promise.all(targets.map((uid) => view.get('skill', uid)))
    if (rows.some((skill) => !skill)) broken.push(`profile ${name} binds what never was`)
  }
  return broken
}
