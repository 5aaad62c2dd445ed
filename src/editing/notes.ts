import type { NoteShown } from '../agent-api.js'
import { SelkieError } from '../base/errors.js'
import { toHex } from '../keys/sodium.js'
import { MAX_TEXT, NOTE_ID_BYTES, revisionOf, titleOf } from '../store/note.js'
import type { NoteRow } from '../store/rows.js'
import { isoTime, seconds, type Self } from '../store/self.js'
import type { Store } from '../store/store.js'

/** Digits that name a note. */
const ENOUGH = 4

/**
 * Puts a new note into the notebook.
 *
 * @throws SelkieError E_NOTE_EMPTY, E_TEXT_LIMIT
 */
export async function addNote(self: Self, text: string): Promise<NoteShown> {
  const plain = checkedText(text)
  const id = toHex(self.clock.random(NOTE_ID_BYTES))
  return self.store.turn(() => saveNote(self, id, plain, []))
}

/**
 * Gives a note another text; where it is the same, nothing is saved.
 *
 * @throws SelkieError E_NOTE_UNKNOWN, E_NOTE_DELETED, E_NOTE_EMPTY, E_TEXT_LIMIT,
 *   E_NOTE_STALE when `base` is no longer what is shown
 */
export async function editNote(
  self: Self,
  typed: string,
  text: string,
  { base }: { base?: string }
): Promise<NoteShown> {
  const plain = checkedText(text)
  return self.store.turn(async () => {
    const row = await liveNote(self.store, typed)
    if (base !== undefined && base !== row.revision)
      throw new SelkieError('E_NOTE_STALE', { id: short(row.id) })
    return row.text === plain ? noteShown(row) : saveNote(self, row.id, plain, [row.revision])
  })
}

/**
 * Deletes a note. Its text stays, and {@link restoreNote} brings it back.
 *
 * @throws SelkieError E_NOTE_UNKNOWN, E_NOTE_DELETED
 */
export async function deleteNote(self: Self, typed: string): Promise<NoteShown> {
  return self.store.turn(async () => {
    const { id, revision } = await liveNote(self.store, typed)
    await self.store.append({ type: 'note-delete', id, over: revision })
    return noteShown((await self.store.view.get('note', id))!)
  })
}

/**
 * Brings a deleted note back; a live one stays as it is.
 *
 * @throws SelkieError E_NOTE_UNKNOWN
 */
export async function restoreNote(self: Self, typed: string): Promise<NoteShown> {
  return self.store.turn(async () => {
    const row = await namedNote(self.store, typed)
    if (!row.deleted) return noteShown(row)
    // By another revision of the same text, so that what was deleted isn’t what is shown.
    return saveNote(self, row.id, row.text, [row.revision], row.time)
  })
}

/**
 * A note, a deleted one too.
 *
 * @throws SelkieError E_NOTE_UNKNOWN
 */
export async function shownNote({ store }: Self, typed: string): Promise<NoteShown> {
  return noteShown(await namedNote(store, typed))
}

/** The notes, or instead of them the deleted ones, the newest first. */
export async function listNotes(
  { store }: Self,
  { deleted = false }: { deleted?: boolean }
): Promise<NoteShown[]> {
  const rows = (await noteRows(store)).filter((row) => row.deleted === deleted)
  return rows.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1)).map(noteShown)
}

/** Every note, deleted ones too, in the order of their ids. */
export async function noteRows({ view }: Store): Promise<NoteRow[]> {
  const rows: NoteRow[] = []
  for await (const { row } of view.all('note')) rows.push(row)
  return rows
}

/**
 * The note that a person named by the beginning of its id, at least four digits; a
 * deleted one too.
 *
 * @throws SelkieError E_NOTE_UNKNOWN where none or several begin so
 */
async function namedNote({ view }: Store, typed: string): Promise<NoteRow> {
  const wanted = typed.trim().toLowerCase()
  const found: NoteRow[] = []
  if (wanted.length >= ENOUGH && /^[0-9a-f]+$/.test(wanted)) {
    for await (const { row } of view.all('note', wanted)) found.push(row)
  }
  if (found.length !== 1) throw new SelkieError('E_NOTE_UNKNOWN', { id: typed })
  return found[0]!
}

/** A note as a person sees it. */
export function noteShown({ id, text, time, revision, deleted }: NoteRow): NoteShown {
  return { id, title: titleOf(text), text, time: isoTime(time), revision, deleted }
}

async function liveNote(store: Store, typed: string): Promise<NoteRow> {
  const row = await namedNote(store, typed)
  if (row.deleted) throw new SelkieError('E_NOTE_DELETED', { id: short(row.id) })
  return row
}

async function saveNote(
  { store, clock }: Self,
  id: string,
  text: string,
  over: readonly string[],
  time = seconds(clock)
): Promise<NoteShown> {
  const revision = revisionOf(id, text, over[0] ?? null)
  await store.append({ type: 'note', id, revision, text, over, time })
  return noteShown((await store.view.get('note', id))!)
}

function checkedText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').trimEnd()
  if (!plain.trim()) throw new SelkieError('E_NOTE_EMPTY')
  refuseLonger('note', plain, ', or split it into several notes')
  return plain
}

/**
 * Refuses a text of the agent’s that is longer than one may be.
 *
 * @param or what can be done but to shorten it
 * @throws SelkieError E_TEXT_LIMIT
 */
export function refuseLonger(what: string, text: string, or: string): void {
  const size = Buffer.byteLength(text)
  if (size > MAX_TEXT)
    throw new SelkieError('E_TEXT_LIMIT', { what, size: `${size} bytes`, limit: `${MAX_TEXT} bytes`, or })
}

function short(id: string): string {
  return id.slice(0, 12)
}
