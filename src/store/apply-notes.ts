import { apartId, MAX_TEXT } from './note.js'
import type { Op } from './ops.js'
import type { AgentNotice } from './rows.js'
import type { Table } from './table.js'

type NoteOp = Extract<Op, { type: 'note' | 'note-delete' }>

/**
 * Folds an op about a note into the view. Of edits that were made apart the earlier stays
 * in the note, and the later becomes a note of its own; one that was deleted meanwhile
 * comes back. What is known already changes nothing.
 *
 * @returns whether it was sound
 */
export async function applyNote(view: Table, op: NoteOp): Promise<boolean> {
  if (op.type === 'note') return save(view, op)
  const id = (await view.get('revision', op.over))?.note ?? op.id
  const row = await view.get('note', id)
  if (!row || row.deleted) return true
  // Whoever deleted it hadn’t seen this text.
  if (row.revision !== op.over) await tell(view, 'note-kept', id, op.over)
  else await view.put('note', { ...row, deleted: true }, id)
  return true
}

async function save(view: Table, op: Extract<Op, { type: 'note' }>): Promise<boolean> {
  const { text, revision, over, time } = op
  if (Buffer.byteLength(text) > MAX_TEXT) return false
  if (await view.get('revision', revision)) return true
  const meant = await noteMeant(view, op)
  const before = await view.get('note', meant)
  const isNext = !before || over.includes(before.revision)
  const id = isNext ? meant : await freeId(view, meant, revision)
  await view.put('note', { id, text, time, revision, deleted: false }, id)
  await view.put('revision', { note: id, over }, revision)
  for (const each of over) {
    // Should it come yet, its place is taken already.
    if (!(await view.get('revision', each))) await view.put('revision', { note: id, over: [] }, each)
  }
  // A deleted one gets its own text again from who brings it back.
  if (before?.deleted && before.text !== text) await tell(view, 'note-kept', id, before.revision)
  else if (!isNext) await tell(view, 'note-apart', id, meant)
  return true
}

/** The note that has what an edit began from: that may have become a note of its own meanwhile. */
async function noteMeant(view: Table, { id, over }: Extract<Op, { type: 'note' }>): Promise<string> {
  let meant: string | undefined
  for (const each of over) {
    const known = await view.get('revision', each)
    if (!known) continue
    meant ??= known.note
    if ((await view.get('note', known.note))?.revision === each) return known.note
  }
  return meant ?? id
}

async function freeId(view: Table, meant: string, revision: string): Promise<string> {
  let id = apartId(meant, revision)
  while (await view.get('note', id)) id = apartId(id, revision)
  return id
}

/** What a person is told once: it came out otherwise than they had it. */
async function tell(view: Table, kind: AgentNotice['kind'], id: string, was: string): Promise<void> {
  await view.put('notice', { kind, id, was }, kind, id)
}
