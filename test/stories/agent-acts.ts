import { setBlurb, setInstructions } from '../../src/editing/agent-settings.js'
import { logOf } from '../../src/editing/history.js'
import { addNote, deleteNote, editNote, noteRows, restoreNote } from '../../src/editing/notes.js'
import {
  bindProfile,
  deleteProfile,
  newProfile,
  profileOf,
  profileRows,
  unbindProfile
} from '../../src/editing/profiles.js'
import { BLURB_NAMES } from '../../src/store/ops.js'
import type { NoteRow } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import type { Acts } from './acts.js'
import { picked, PROFILES, type AgentStep } from './story.js'

export const agentActs: Acts<AgentStep> = {
  async note({ self, step }) {
    const { id, revision, text } = await addNote(self, `Note of step ${step}.`)
    return [{ kind: 'noted', note: id, revision, text, over: null }]
  },

  async renote({ self, step }, { note, own }) {
    const row = await noteOf(self, note, false)
    if (!row) return []
    const text = own ? `${row.text}\nAnd of step ${step}.` : `${row.text}\nAnd more.`
    const { revision } = await editNote(self, row.id.slice(0, 12), text, { base: row.revision })
    return [{ kind: 'noted', note: row.id, revision, text, over: row.revision }]
  },

  async unnote({ self }, { note }) {
    const row = await noteOf(self, note, false)
    if (!row) return []
    const { deleted } = await deleteNote(self, row.id)
    if (!deleted) throw new Error(`note ${row.id} was deleted and is there`)
    return [{ kind: 'unnoted', revision: row.revision }]
  },

  async backnote({ self }, { note }) {
    const row = await noteOf(self, note, true)
    if (!row) return []
    const { deleted, revision, text } = await restoreNote(self, row.id)
    if (deleted || text !== row.text) throw new Error(`note ${row.id} was restored and isn’t as it was`)
    return [{ kind: 'noted', note: row.id, revision, text, over: row.revision }]
  },

  async instruct({ self, step }, { own }) {
    const text = own ? `Do as step ${step} says.` : null
    await setInstructions(self, text)
    return [{ kind: 'instructed', text }]
  },

  async blurb({ self }, step) {
    const blurb = picked(BLURB_NAMES, step.blurb)!
    await setBlurb(self, blurb, step.value)
    return [{ kind: 'switched', blurb, value: step.value }]
  },

  async profile({ self }, { profile }) {
    const { name } = await newProfile(self, picked(PROFILES, profile)!)
    return [{ kind: 'profiled', profile: profileOf(self.store, name).id }]
  },

  async unprofile({ self }, { profile }) {
    const row = picked(profileRows(self.store), profile)
    if (!row) return []
    await deleteProfile(self, row.name)
    return [{ kind: 'unprofiled', profile: row.id }]
  },

  async bind({ self }, { profile, skill, gives }) {
    const row = picked(profileRows(self.store), profile)
    const bound = picked(self.store.namespace.live(), skill)
    if (!row || !bound) return []
    const version =
      typeof gives === 'number' ? picked(await logOf(self, bound.slug), gives)!.version : undefined
    await bindProfile(self, row.name, bound.slug, version ? { version } : (gives as 'latest' | 'published'))
    const { bindings } = profileOf(self.store, row.name)
    return [{ kind: 'bound', profile: row.id, ...bindings.find(({ uid }) => uid === bound.uid)! }]
  },

  async unbind({ self }, { profile, skill }) {
    const row = picked(profileRows(self.store), profile)
    const bound = row && picked(row.bindings, skill)
    if (!bound) return []
    const slug = self.store.namespace.slugOf(bound.uid)
    const before = new Set(row.bindings.map(({ uid }) => uid))
    await unbindProfile(self, row.name, slug)
    // Of several that were called so, it may be any one.
    for (const { uid } of profileOf(self.store, row.name).bindings) before.delete(uid)
    return [...before].map((uid) => ({ kind: 'unbound', profile: row.id, uid }))
  }
}

async function noteOf({ store }: Self, note: number, deleted: boolean): Promise<NoteRow | undefined> {
  const rows = (await noteRows(store)).filter((row) => row.deleted === deleted)
  return picked(rows, note)
}
