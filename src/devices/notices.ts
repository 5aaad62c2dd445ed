import type { Notice } from '../api.js'
import { printable } from '../base/printable.js'
import { titleOf } from '../store/note.js'
import type { AgentNotice, NoticeRow, SkillNotice } from '../store/rows.js'
import type { Self } from '../store/self.js'
import type { LocalNotes } from './local-notes.js'

/**
 * What came out otherwise than the person had it because devices worked apart, and wasn't
 * told on this device yet. It counts as told from now on.
 */
export async function takeNotices({ store }: Self, notes: LocalNotes): Promise<Notice[]> {
  const { notices, devices } = store.memory
  const told = new Map<string, Notice | undefined>()
  for (const row of notices.values()) told.set(idOf(row), await noticeOf(store, row))
  for (const { device, name, refused } of devices.values()) {
    if (refused > 0) told.set(`refused/${device}/${refused}`, refusedOf(`refused/${device}/${refused}`, name))
  }
  const untold = [...told].filter(([id]) => !notes.isTold(id))
  if (untold.length === 0) return []
  await notes.noteTold(
    untold.map(([id]) => id),
    new Set(told.keys())
  )
  return untold.flatMap(([, notice]) => notice ?? [])
}

function refusedOf(id: string, name: string): Notice {
  return {
    id,
    kind: 'refused',
    message: `${printable(name)} has written what it may not into your store; it changed nothing.`,
    hint: `If it isn’t in your hands any more: selkie device remove ${printable(name)}.`
  }
}

function idOf(row: NoticeRow): string {
  return `${row.kind}/${'uid' in row ? row.uid : row.id}/${row.was}`
}

/** The notice of a row; undefined where what it says is over already. */
async function noticeOf(store: Self['store'], row: NoticeRow): Promise<Notice | undefined> {
  return 'uid' in row ? skillNotice(store.namespace, idOf(row), row) : agentNotice(store, idOf(row), row)
}

async function agentNotice(
  { view, memory }: Self['store'],
  id: string,
  row: AgentNotice
): Promise<Notice | undefined> {
  if (row.kind === 'profile-kept') {
    const profile = memory.profiles.get(row.id)
    if (!profile || profile.deleted) return undefined
    const name = printable(profile.name)
    return {
      id,
      kind: 'revived',
      message: `The profile “${name}” was deleted on one of your devices while another bound a skill in it: it stays.`,
      hint: `Delete it again if you don’t need it: selkie profile delete ${name}.`
    }
  }
  const note = await view.get('note', row.id)
  if (!note || note.deleted) return undefined
  const title = printable(titleOf(note.text))
  const short = note.id.slice(0, 12)
  if (row.kind === 'note-kept') {
    return {
      id,
      kind: 'revived',
      message: `The note “${title}” was deleted on one of your devices while another edited it: it stays.`,
      hint: `Delete it again if you don’t need it: selkie note delete ${short}.`
    }
  }
  const beside = await view.get('note', row.was)
  if (!beside || beside.deleted) return undefined
  const shorter = beside.id.slice(0, 12)
  return {
    id,
    kind: 'diverged',
    message: `A note was edited on two of your devices apart; the other text, “${title}”, is a note of its own now.`,
    hint: `Compare them with selkie note show ${shorter} and selkie note show ${short}, and delete what you don’t need.`
  }
}

function skillNotice(
  namespace: Self['store']['namespace'],
  id: string,
  { kind, uid, was }: SkillNotice
): Notice | undefined {
  const row = namespace.row(uid)
  if (!row || !namespace.isLive(uid)) return undefined
  const { slug } = row
  if (kind === 'slug') {
    if (slug === was) return undefined
    return {
      id,
      kind,
      slug,
      was,
      message: `Two of your devices gave the name @${was} to different skills: “${row.title}” is @${slug} now.`,
      hint: `Whatever mentions it shows @${slug}. To call it otherwise: selkie rename @${slug} NAME.`
    }
  }
  if (kind === 'diverged') {
    if (row.heads.length < 2) return undefined
    return {
      id,
      kind,
      slug,
      message: `@${slug} was edited on two of your devices apart; one version is shown, the other kept.`,
      hint: `See them with selkie conflicts, and join them with selkie merge @${slug}.`
    }
  }
  return {
    id,
    kind: 'revived',
    slug,
    message: `@${slug} was deleted on one of your devices while another mentioned it: it stays.`,
    hint: `To delete it, take it out of what mentions it first: selkie show @${slug} lists that.`
  }
}
