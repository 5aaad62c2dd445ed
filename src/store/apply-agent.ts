import type { Uid } from '../base/ids.js'
import { applyNote } from './apply-notes.js'
import { target } from './apply-skill.js'
import { MAX_TEXT } from './note.js'
import { MAX_BINDINGS_APART, type Op } from './ops.js'
import type { Binding, ProfileRow } from './rows.js'
import type { Table } from './table.js'

type ProfileOp = Extract<Op, { type: 'profile' | 'profile-delete' | 'bind' | 'unbind' }>
export type AgentOp = Extract<Op, { type: 'note' | 'note-delete' | 'instructions' | 'blurb' }> | ProfileOp

/**
 * Folds an op about what the agent is given on all of a person’s devices into the view: a
 * note, a setting, of which the last in the order counts, or a profile.
 *
 * @returns whether it was sound
 */
export async function applyAgent(view: Table, op: AgentOp): Promise<boolean> {
  switch (op.type) {
    case 'note':
    case 'note-delete':
      return applyNote(view, op)
    case 'instructions':
      if (op.text !== null && Buffer.byteLength(op.text) > MAX_TEXT) return false
      await view.put('setting', { value: op.text }, 'instructions')
      return true
    case 'blurb':
      await view.put('setting', { value: op.on }, `blurb/${op.blurb}`)
      return true
    case 'profile':
    case 'profile-delete':
    case 'bind':
    case 'unbind':
      break
  }
  return applyProfile(view, op)
}

async function applyProfile(view: Table, op: ProfileOp): Promise<boolean> {
  const row = await view.get('profile', op.profile)
  switch (op.type) {
    case 'profile':
      // Made on two devices, it is one.
      if (row && !row.deleted) return true
      await view.put('profile', { id: op.profile, name: op.name, bindings: [], deleted: false }, op.profile)
      return true
    case 'profile-delete':
      if (row && !row.deleted) await remove(view, row, op.seen)
      return true
    case 'bind':
      return bind(view, row, op)
    case 'unbind':
      break
  }
  if (row) await putBindings(view, row, await without(view, row.bindings, op.uid))
  return true
}

/** Deletes a profile, unless it binds something by now that whoever deleted it hadn’t seen. */
async function remove(view: Table, row: ProfileRow, seen: readonly Binding[]): Promise<void> {
  const known = new Set(seen.map(bindingKey))
  const unseen = row.bindings.find((each) => !known.has(bindingKey(each)))
  if (unseen) await tellKept(view, row, unseen.uid)
  else await view.put('profile', { ...row, deleted: true }, row.id)
}

async function bind(
  view: Table,
  row: ProfileRow | undefined,
  { profile, name, uid, to }: Extract<Op, { type: 'bind' }>
): Promise<boolean> {
  const skill = await target(view, uid)
  if (!(await view.get('skill', skill))) return false
  if (typeof to === 'object') {
    const version = await view.get('version', to.version)
    if (!version || (await target(view, version.uid)) !== skill) return true
  }
  const before = row ?? { id: profile, name, bindings: [], deleted: false }
  if (!before.deleted && before.bindings.some((each) => bindingKey(each) === bindingKey({ uid: skill, to })))
    return true
  const others = await without(view, before.bindings, skill)
  if (others.length >= MAX_BINDINGS_APART) return true
  // Whoever bound something in it hadn’t seen that it was deleted.
  if (before.deleted) await tellKept(view, before, skill)
  await putBindings(view, { ...before, deleted: false }, [...others, { uid: skill, to }])
  return true
}

/** The bindings but for that of a skill, by whatever it was called when it was bound. */
async function without(view: Table, bindings: readonly Binding[], uid: Uid): Promise<Binding[]> {
  const skill = await target(view, uid)
  const targets = await Promise.all(bindings.map((each) => target(view, each.uid)))
  return bindings.filter((_, i) => targets[i] !== skill)
}

async function putBindings(view: Table, row: ProfileRow, bindings: readonly Binding[]): Promise<void> {
  await view.put('profile', { ...row, bindings }, row.id)
}

async function tellKept(view: Table, { id }: ProfileRow, was: Uid): Promise<void> {
  await view.put('notice', { kind: 'profile-kept', id, was }, 'profile-kept', id)
}

function bindingKey({ uid, to }: Binding): string {
  return `${uid} ${typeof to === 'object' ? to.version : to}`
}
