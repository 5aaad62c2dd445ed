import t, { type Test } from 'tap'
import { isSelkieError } from '../../src/base/errors.js'
import { setBlurb, setInstructions, settingsOf } from '../../src/editing/agent-settings.js'
import { checkStore } from '../../src/editing/check.js'
import { addNote, deleteNote, editNote, listNotes, restoreNote, shownNote } from '../../src/editing/notes.js'
import { MAX_TEXT } from '../../src/store/note.js'
import { clockOf } from '../stories/memory-world.js'
import { home } from './home.js'

/** That a call is refused with this code, and that what it says is whole. */
async function refused(t: Test, call: Promise<unknown>, code: string, says = /./): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (!isSelkieError(error)) return void t.fail(`${code} expected`, { found: error })
  t.equal(error.code, code)
  t.match(`${error.message} ${error.hint}`, says)
  t.notOk(/[{}]/.test(error.message + error.hint), 'filled')
}

t.test('a note is written, found, changed, deleted and brought back, also after a restart', async (t) => {
  const ana = await home(t, 'Ana')
  const { id } = await ana.under(async (self) => {
    const added = await addNote(self, '\r\nGroceries \r\nMilk\n\n')
    t.match(added, { title: 'Groceries', text: '\nGroceries \nMilk', deleted: false })
    t.match(added.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const edited = await editNote(self, added.id.slice(0, 4), 'Milk, bread', { base: added.revision })
    t.match(edited, { id: added.id, title: 'Milk, bread' })
    t.not(edited.revision, added.revision)
    return edited
  })
  await ana.under(async (self) => {
    t.match(await listNotes(self, {}), [{ id, text: 'Milk, bread' }])
    t.match(await deleteNote(self, id.toUpperCase()), { id, text: 'Milk, bread', deleted: true })
    t.same(await listNotes(self, {}), [])
    t.match(await shownNote(self, id), { deleted: true }, 'it can still be read')
    await refused(t, editNote(self, id, 'x', {}), 'E_NOTE_DELETED', /selkie note restore/)
    await refused(t, deleteNote(self, id), 'E_NOTE_DELETED')
  })
  await ana.under(async (self) => {
    const [deleted] = await listNotes(self, { deleted: true })
    t.match(await restoreNote(self, id), { text: 'Milk, bread', deleted: false, time: deleted!.time })
    t.match(await restoreNote(self, id), { deleted: false }, 'one that is there stays')
    t.match(await listNotes(self, {}), [{ id }])
    t.match(await checkStore(self), { ok: true })
  })
})

t.test('what isn’t a note, and which note it is', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    await refused(t, addNote(self, ' \n\t'), 'E_NOTE_EMPTY')
    await refused(t, addNote(self, 'é'.repeat(MAX_TEXT / 2 + 1)), 'E_TEXT_LIMIT', /65538 bytes/)
    await refused(t, addNote(self, 'half \ud83d'), 'E_ENCODING')
    t.same(await listNotes(self, {}), [], 'nothing was saved')
    const most = await addNote(self, 'é'.repeat(MAX_TEXT / 2))
    t.equal([...most.title].length, 100)
    const { id, revision } = await addNote(self, 'Milk')
    for (const typed of [id.slice(0, 3), 'milk', '', 'f'.repeat(33), `${id}0`])
      await refused(t, shownNote(self, typed), 'E_NOTE_UNKNOWN')
    await refused(t, editNote(self, id, ' ', {}), 'E_NOTE_EMPTY')
    t.match(await editNote(self, id, 'Milk\n', {}), { revision }, 'the same text is no edit')
    await editNote(self, id, 'Bread', { base: revision })
    await refused(t, editNote(self, id, 'Eggs', { base: revision }), 'E_NOTE_STALE', /selkie note show/)
    t.match(await shownNote(self, id), { text: 'Bread' })
  })
})

t.test('an id that two notes begin with names neither', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    let count = 0
    const random = (length: number): Uint8Array => new Uint8Array(length).fill(7).with(length - 1, count++)
    const alike = { ...self, clock: { ...self.clock, random } }
    const one = await addNote(alike, 'One')
    await addNote(alike, 'Two')
    await refused(t, shownNote(self, one.id.slice(0, 31)), 'E_NOTE_UNKNOWN')
    t.match(await shownNote(self, one.id), { text: 'One' })
  })
})

t.test('the newest note comes first', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const later = { ...self, clock: clockOf('Ana', 0) }
    for (const text of ['One', 'Two', 'Three']) await addNote(later, text)
    t.same(
      (await listNotes(self, {})).map(({ text }) => text),
      ['Three', 'Two', 'One']
    )
  })
})

t.test('instructions and blurbs', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const { store } = self
    t.same(settingsOf(store), { instructions: null, blurbs: new Set() }, 'all off at first')
    await refused(t, setInstructions(self, 'é'.repeat(MAX_TEXT / 2 + 1)), 'E_TEXT_LIMIT')
    await setInstructions(self, 'Be brief.')
    await setBlurb(self, 'date', true)
    await setBlurb(self, 'files', true)
    await setBlurb(self, 'files', false)
    t.same(settingsOf(store), { instructions: 'Be brief.', blurbs: new Set(['date']) })
    const said = await store.view.get('counted', store.log)
    await setInstructions(self, 'Be brief.')
    await setBlurb(self, 'date', true)
    t.equal(await store.view.get('counted', store.log), said, 'what is so already isn’t said again')
  })
  await ana.under(async (self) => {
    t.same(
      settingsOf(self.store),
      { instructions: 'Be brief.', blurbs: new Set(['date']) },
      'after a restart'
    )
    await setInstructions(self, '')
    t.equal(settingsOf(self.store).instructions, '', 'none is another thing than those that Selkie has')
    await setInstructions(self, null)
    t.equal(settingsOf(self.store).instructions, null)
  })
})
