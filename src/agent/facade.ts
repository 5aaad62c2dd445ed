import type { AgentApi, NoteShown, Run } from '../agent-api.js'
import type { VersionHash } from '../base/ids.js'
import { setBlurb, setInstructions } from '../editing/agent-settings.js'
import { contentAt } from '../editing/find.js'
import { addNote, deleteNote, editNote, listNotes, restoreNote, shownNote } from '../editing/notes.js'
import { shownBody } from '../editing/present.js'
import { bindProfile, deleteProfile, newProfile, profilesShown, unbindProfile } from '../editing/profiles.js'
import { alignmentShown } from './alignment.js'
import { ask } from './ask.js'
import type { SetModel } from './models/set-model.js'
import type { AgentNeeds } from './needs.js'
import type { Notebook } from './notebook/notebook.js'
import type { FileFinder } from './files/finder.js'
import { profileNow } from './profile.js'
import { replay } from './replay.js'
import type { Running } from './running.js'
import { showPlan } from './show-plan.js'

/** What the facade needs beside the agent. */
export interface FacadeNeeds extends AgentNeeds {
  readonly notebook: Notebook
  readonly models: SetModel
  readonly finder: FileFinder
  readonly running: Running
}

/** The facade of the agent: delegates, and decides nothing. */
export function agentFacade(needs: FacadeNeeds): AgentApi {
  const { self, grants, transcripts, models, running, finder } = needs
  const { store } = self
  const alignment = async (name?: string) =>
    alignmentShown(store, name === undefined ? undefined : await profileNow(store, name), (text) =>
      models.count(text)
    )
  return {
    ask: (text, options, onEvent = () => {}, signal) =>
      running.run((ended) => ask(needs, text, options, onEvent, ended), signal),
    plan: (text, options, signal) => running.run((ended) => showPlan(needs, text, options, ended), signal),
    runs: (options) => transcripts.list(options),
    run: async (id, { full }) => {
      const run = await transcripts.show(id)
      return full ? withBodies(needs, run) : run
    },
    replay: (id, signal) => running.run((ended) => replay(needs, id, ended), signal),
    model: () => models.show(),
    // Another process can’t say null: what it leaves out comes as undefined.
    setModel: (choice) => models.set(choice ?? null),
    menu: ({ profile }) => alignment(profile),
    setInstructions: async (text) => {
      await setInstructions(self, text ?? null)
      return alignment()
    },
    setBlurb: async (blurb, on) => {
      await setBlurb(self, blurb, on)
      return alignment()
    },
    grants: () => grants.shown(),
    grant: async (kind, path) => {
      await grants.grant(kind, path)
      return grants.shown()
    },
    revoke: async (kind, path) => {
      await grants.revoke(kind, path)
      // What was read of a folder goes with its grant.
      if (kind === 'files') await finder.release()
      return grants.shown()
    },
    addNote: (text) => addNote(self, text),
    notes: ({ search, deleted }) => foundNotes(needs, search, deleted ?? false),
    note: (id) => shownNote(self, id),
    editNote: (id, text, options) => editNote(self, id, text, options),
    deleteNote: (id) => deleteNote(self, id),
    restoreNote: (id) => restoreNote(self, id),
    profiles: () => profilesShown(self),
    newProfile: (name) => newProfile(self, name),
    bindProfile: (name, slug, to) => bindProfile(self, name, slug, to),
    unbindProfile: (name, slug) => unbindProfile(self, name, slug),
    deleteProfile: (name) => deleteProfile(self, name)
  }
}

async function foundNotes(
  { self, notebook }: FacadeNeeds,
  search: string | undefined,
  deleted: boolean
): Promise<NoteShown[]> {
  if (search === undefined) return listNotes(self, { deleted })
  const { notes } = await notebook.search(search, { deleted })
  return notes.map(({ note }) => note)
}

/** A run with what its skills said to the model, in the versions that it had. */
async function withBodies({ self: { store } }: AgentNeeds, run: Run): Promise<Run> {
  const skills = run.skills.map(async (skill) => {
    const content = await contentAt(store, skill.version as VersionHash)
    return content ? { ...skill, body: shownBody(store, content) } : skill
  })
  return { ...run, skills: await Promise.all(skills) }
}
