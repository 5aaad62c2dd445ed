import type { AgentApi } from '../agent-api.js'
import type { OwnDevice } from '../api.js'
import type { Asking } from '../devices/asking.js'
import type { Self } from '../store/self.js'
import type { FileAnswer, FileQuestion } from '../wire/asking.js'
import { agentFacade } from './facade.js'
import { FileFinder } from './files/finder.js'
import { Grants } from './grants.js'
import type { ToolHooks } from './hooks.js'
import { systemLocale } from './locale.js'
import type { Model } from './model.js'
import { SetModel } from './models/set-model.js'
import { Notebook } from './notebook/notebook.js'
import { Running } from './running.js'
import { checkNotebook } from './tools/check-notebook.js'
import { findFile } from './tools/find-file.js'
import { grepMemory } from './tools/grep-memory.js'
import { listDevices } from './tools/list-devices.js'
import type { ToolRun } from './tool-run.js'
import { Transcripts } from './transcript.js'

/** What the agent is opened with. */
export interface AgentOptions {
  readonly self: Self
  readonly hooks: ToolHooks
  readonly devices: () => Promise<OwnDevice[]>
  readonly asking: Pick<Asking, 'ask'>
  /** Told of what fails and says nothing to the model or the person. */
  readonly failed: (error: unknown) => void
}

/** The agent of a home, until it is closed. */
export interface OpenedAgent {
  readonly api: AgentApi
  readonly grants: Grants
  /** Answers another device of this person, by the grants of this one. */
  answer(question: FileQuestion, signal: AbortSignal): Promise<FileAnswer>
  close(): Promise<void>
}

/**
 * Opens the agent of a home, and with it all that its tools look at.
 *
 * @throws SelkieError E_STORE_KEY
 */
export async function openAgent({
  self,
  hooks,
  devices,
  asking,
  failed
}: AgentOptions): Promise<OpenedAgent> {
  const { home } = self.paths
  const { store, clock } = self
  const grants = await Grants.open(home, failed)
  const transcripts = await Transcripts.open(self)
  const notebook = new Notebook(store)
  const finder = new FileFinder(grants, { apart: [home] })
  const models = new SetModel(home)
  const running = new Running()
  const locale = systemLocale()
  const tools = {
    check_notebook: checkNotebook({ grants, notebook }),
    current_date: later(async () => {
      const { currentDate } = await import('./tools/current-date.js')
      return currentDate({ clock, locale })
    }),
    find_file: findFile({
      grants,
      finder,
      devices: { list: devices, ask: (...question) => asking.ask(...question) }
    }),
    grep_memory: grepMemory({ grants, transcripts }),
    list_devices: listDevices(devices),
    query_calendar: later(async () => {
      const { queryCalendar } = await import('./tools/query-calendar.js')
      return queryCalendar({ grants, clock, locale })
    })
  }
  const model = (): Promise<Model> => models.open()
  const needs = { self, grants, transcripts, tools, hooks, failed, notebook, model, models, finder, running }
  return {
    api: agentFacade(needs),
    grants,
    answer: ({ query, limit }, signal) => finder.find(query, { limit, signal }),
    close: async () => {
      await running.close()
      notebook.close()
      await finder.close()
      await models.close()
      await transcripts.close()
    }
  }
}

/** A tool that is loaded when it is first called, for its libraries are large. */
function later(load: () => Promise<ToolRun>): ToolRun {
  return async (...call) => (await load())(...call)
}
