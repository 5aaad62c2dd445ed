import t from 'tap'
import type { NoteShown, ProfileShown } from '../../src/agent-api.js'
import { Notebook } from '../../src/agent/notebook/notebook.js'
import {
  setBlurb,
  setInstructions,
  settingsOf,
  type AgentSettings
} from '../../src/editing/agent-settings.js'
import { addNote, deleteNote, editNote, listNotes, restoreNote } from '../../src/editing/notes.js'
import { bindProfile, deleteProfile, newProfile, profilesShown } from '../../src/editing/profiles.js'
import { dhtFor, until } from '../scripts/person.js'
import { devices, make, met, names, only, settled, type Device } from './devices.js'

const dht = await dhtFor(t)

/** What a device has for its agent; it is closed by it. */
interface ForAgent {
  readonly notes: readonly NoteShown[]
  readonly deleted: readonly NoteShown[]
  readonly settings: AgentSettings
  readonly profiles: readonly ProfileShown[]
}

function forAgent(device: Device): Promise<ForAgent> {
  return device.under(async (self) => ({
    notes: await listNotes(self, {}),
    deleted: await listNotes(self, { deleted: true }),
    settings: settingsOf(self.store),
    profiles: await profilesShown(self)
  }))
}

const texts = (notes: readonly NoteShown[]): string =>
  notes
    .map(({ text }) => text)
    .sort()
    .join(' ')

async function online(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.online()
}

async function offline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.offline()
}

t.test(
  'what is written on one device is found on the other, and edits made apart are both kept',
  async (t) => {
    const { all } = await devices(t, dht, 'Ana', 'laptop', 'desktop')
    const [laptop, desktop] = all
    const { version } = await make(laptop, 'Plan', 'Do it.')
    const [list, key] = await laptop.under(async (self) => {
      await setInstructions(self, 'Be brief.')
      await setBlurb(self, 'notebook', true)
      await newProfile(self, 'Work')
      await bindProfile(self, 'work', 'plan', 'latest')
      return [await addNote(self, 'Milk'), await addNote(self, 'The key is under the stone.')]
    })
    await laptop.online()
    await met(...all)
    await desktop.under(async (self) => {
      const { notes } = await new Notebook(self.store).search('stone')
      t.match(notes, [{ note: { id: key.id, text: 'The key is under the stone.' } }])
      t.same(settingsOf(self.store), { instructions: 'Be brief.', blurbs: new Set(['notebook']) })
      t.match(await profilesShown(self), [{ name: 'Work', bindings: [{ slug: 'plan', version }] }])
      await editNote(self, list.id, 'Milk, eggs', {})
      await editNote(self, key.id, 'The key is with Ben.', {})
      await setInstructions(self, 'Be kind.')
      await deleteProfile(self, 'work')
    })
    await laptop.under(async (self) => {
      await editNote(self, list.id, 'Milk, bread', {})
      await deleteNote(self, key.id)
      await bindProfile(self, 'work', 'fetch-file', 'latest')
    })
    await online(...all)
    await settled(...all)
    for (const device of all) {
      t.match(await device.node.notices(), [
        { kind: 'diverged', message: /^A note was edited .*“Milk, eggs”/ },
        { kind: 'revived', message: /^The note “The key is with Ben\.” was deleted/ },
        { kind: 'revived', message: /^The profile “Work” was deleted/ }
      ])
    }
    const [here, there] = [await forAgent(laptop), await forAgent(desktop)]
    t.same(here, there)
    t.equal(texts(here.notes), 'Milk, bread Milk, eggs The key is with Ben.')
    t.equal(here.settings.instructions, 'Be kind.')
    t.match(here.profiles, [{ name: 'Work', bindings: [{ slug: 'fetch-file' }, { slug: 'plan' }] }])
  }
)

t.test(
  'when a device is removed, all that the others have said of notes and profiles comes along',
  async (t) => {
    const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
    const [laptop, desktop, phone] = all
    await make(laptop, 'Plan', 'As it was.')
    const [list, key, call] = await laptop.under(async (self) => {
      await newProfile(self, 'Work')
      const texts = ['Milk', 'Key', 'Call']
      const notes: NoteShown[] = []
      for (const text of texts) notes.push(await addNote(self, text))
      return notes
    })
    await laptop.online()
    await met(...all)
    await offline(...all)
    // The phone is in other hands; the desktop hasn’t heard of that.
    const { version } = await make(phone, 'Late', 'Too late.')
    await phone.under(async (self) => {
      await editNote(self, list!.id, 'Milk, by the phone', {})
      await addNote(self, 'Of the phone')
      await setBlurb(self, 'files', true)
    })
    await online(desktop, phone)
    await met(desktop, phone)
    await offline(phone)
    await desktop.under(async (self) => {
      await editNote(self, list!.id, 'Milk, by the desktop', {})
      await editNote(self, list!.id, 'Milk, by the desktop again', {})
      await deleteNote(self, key!.id)
      await deleteNote(self, call!.id)
      await restoreNote(self, call!.id)
      await addNote(self, 'Of the desktop')
      await setInstructions(self, 'Be brief.')
      await bindProfile(self, 'work', 'late', { version })
      await newProfile(self, 'Home')
      await bindProfile(self, 'home', 'plan', 'latest')
    })
    await offline(laptop)
    await laptop.node.removeDevice('phone', words)
    await online(laptop, desktop)
    await only(laptop, desktop)
    const [here, there] = [await forAgent(laptop), await forAgent(desktop)]
    t.same(here, there)
    t.equal(texts(here.notes), 'Call Milk, by the desktop again Of the desktop')
    t.equal(texts(here.deleted), 'Key')
    t.same(here.settings, { instructions: 'Be brief.', blurbs: new Set() }, 'what the phone set stays behind')
    t.match(here.profiles, [
      { name: 'Home', bindings: [{ slug: 'plan' }] },
      { name: 'Work', bindings: [{ slug: 'late', version }] }
    ])
  }
)

t.test('two removals apart: no note of either side is lost, and none is there twice', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone', 'tablet')
  const [laptop, desktop, phone] = all
  const [list, key] = await laptop.under(async (self) => {
    await newProfile(self, 'Work')
    return [await addNote(self, 'Milk'), await addNote(self, 'Key')]
  })
  await laptop.online()
  await met(...all)
  await offline(...all)
  // The phone says something that only the desktop hears before it removes the phone.
  await phone.under(async (self) => {
    await editNote(self, list.id, 'Milk, by the phone', {})
    await addNote(self, 'Of the phone')
    await setBlurb(self, 'date', true)
    await bindProfile(self, 'work', 'fetch-file', 'latest')
    await deleteNote(self, key.id)
  })
  await online(desktop, phone)
  await met(desktop, phone)
  await offline(desktop, phone)
  await desktop.node.removeDevice('phone', words)
  await desktop.under(async (self) => {
    await editNote(self, list.id, 'Milk, by the desktop', {})
    await addNote(self, 'Of the desktop')
  })
  await laptop.under(async (self) => {
    await addNote(self, 'Of the laptop')
    await setInstructions(self, 'Be brief.')
  })
  await laptop.offline()
  await laptop.node.removeDevice('tablet', words)
  await online(laptop, desktop)
  await until(async () => (await names(laptop)).length === 2 && (await names(desktop)).length === 2)
  await only(laptop, desktop)
  const [here, there] = [await forAgent(laptop), await forAgent(desktop)]
  t.same(here, there)
  t.equal(texts(here.notes), 'Milk, by the desktop Of the desktop Of the laptop Of the phone')
  t.equal(texts(here.deleted), 'Key')
  t.same(here.settings, { instructions: 'Be brief.', blurbs: new Set(['date']) })
  t.match(here.profiles, [{ name: 'Work', bindings: [{ slug: 'fetch-file' }] }])
})
