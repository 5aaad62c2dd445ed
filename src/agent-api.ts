/**
 * What a node does for its shells with a model and the tools: the part of the facade that
 * is about the agent. As in all of it, arguments and results are plain JSON.
 */
export interface AgentApi {
  // Running
  /**
   * Plans, binds and executes. `onEvent` is told of each step as it happens; the run as a
   * whole comes at the end. `after` is a run that this one goes on from. A run that fails on
   * its way is given too, in the state `failed`; it rejects only where it couldn't begin.
   */
  ask(text: string, options: AskOptions, onEvent?: OnEvent, signal?: AbortSignal): Promise<Run>
  /**
   * The plan and what it would bind; nothing is run. `byWords` asks no model. Rejects with
   * E_BROKEN_OFF where the signal aborts.
   */
  plan(text: string, options: PlanOptions, signal?: AbortSignal): Promise<PlanShown>
  /** The newest runs of this device first, those that go on among them. */
  runs(options: { limit?: number }): Promise<RunListed[]>
  /**
   * One run, by at least four digits of its id; `full` adds the bodies of its skills. Of one
   * that goes on it gives what that began with.
   */
  run(id: string, options: { full?: boolean }): Promise<Run>
  /**
   * Runs it again with the answers that the model gave: whether the same calls come. Rejects
   * with E_BROKEN_OFF where the signal aborts, and with E_RUN_RUNNING where it still goes on.
   */
  replay(id: string, signal?: AbortSignal): Promise<Replay>

  // The model; on this device
  model(): Promise<ModelShown>
  setModel(choice: ModelChoice | null): Promise<ModelShown>

  // The Alignment document
  menu(options: { profile?: string }): Promise<Alignment>
  /** Null takes the text that Selkie comes with. */
  setInstructions(text: string | null): Promise<Alignment>
  setBlurb(blurb: Blurb, on: boolean): Promise<Alignment>

  // What the tools may see; on this device
  grants(): Promise<GrantsShown>
  /** A path for `files` and `calendar`: absolute, of what is there. */
  grant(kind: GrantKind, path?: string): Promise<GrantsShown>
  revoke(kind: GrantKind, path?: string): Promise<GrantsShown>

  // The notebook
  addNote(text: string): Promise<NoteShown>
  /** The newest first; with `search`, the best match first. */
  notes(options: { search?: string; deleted?: boolean }): Promise<NoteShown[]>
  note(id: string): Promise<NoteShown>
  /** `base` is the revision that the editor began from; unless given, the shown one. */
  editNote(id: string, text: string, options: { base?: string }): Promise<NoteShown>
  deleteNote(id: string): Promise<NoteShown>
  restoreNote(id: string): Promise<NoteShown>

  // Profiles
  profiles(): Promise<ProfileShown[]>
  newProfile(name: string): Promise<ProfileShown>
  /** Binds a skill to whatever is the newest, the published, or one version. */
  bindProfile(name: string, slug: string, to: BindTo): Promise<ProfileShown>
  unbindProfile(name: string, slug: string): Promise<ProfileShown>
  deleteProfile(name: string): Promise<ProfileShown>
}

export interface AskOptions {
  profile?: string
  /** The id of the run that came before in this conversation. */
  after?: string
}

export interface PlanOptions {
  profile?: string
  byWords?: boolean
}

/** Told of a run while it runs. */
export type OnEvent = (event: RunEvent) => void

export type RunEvent =
  | { type: 'planned'; plan: string; handles: string[]; bound: string[] }
  | { type: 'loaded'; slug: string }
  /** A piece of what the model says to the person. */
  | { type: 'text'; text: string }
  | { type: 'calling'; tool: string; args: unknown }
  | { type: 'called'; tool: string; outcome: CallOutcome; why?: string }

/**
 * How a call ended: it ran; the model's arguments didn't fit; a rule, a grant or a hook
 * forbade it; the tool itself failed; or the run was broken off meanwhile.
 */
export type CallOutcome = 'ran' | 'refused' | 'denied' | 'failed' | 'stopped'

/**
 * `running`: it goes on. `done`: the model gave its answer. `steps`: the bound on steps was
 * reached. `stopped`: the person broke off. `failed`: see `problem`. `interrupted`: the process
 * ended in between.
 */
export type RunState = 'running' | 'done' | 'steps' | 'stopped' | 'failed' | 'interrupted'

export interface RunListed {
  id: string
  /** ISO 8601, UTC. */
  time: string
  question: string
  state: RunState
  /** Slugs of the skills that were loaded, as they were then; none yet of one that goes on. */
  skills: string[]
  /** None yet of one that goes on. */
  calls: number
}

/** All that a run was: the transcript. */
export interface Run {
  id: string
  /** ISO 8601, UTC: when it began and ended; null where it goes on or was interrupted. */
  time: string
  ended: string | null
  question: string
  profile: string | null
  /** The run that it went on from. */
  after: string | null
  /** The model's name; null where it never came to one. */
  model: string | null
  state: RunState
  plan: RunPlan | null
  /** The tools that could be called, by name. */
  bound: string[]
  skills: RunSkill[]
  steps: RunStep[]
  answer: string
  /** What was cut and to what: a body, a result, the history. */
  truncations: string[]
  tokens: { input: number; output: number } | null
  problem: { code: string; message: string; hint: string } | null
}

export interface RunPlan {
  /** As the model wrote it. */
  text: string
  /** What it named and the menu has, and what it named in vain. */
  handles: string[]
  ignored: string[]
}

export interface RunSkill {
  slug: string
  uid: string
  version: string
  /** As that version reads today; on demand only. */
  body?: string
}

export interface RunStep {
  /** What the model said beside its calls. */
  text: string
  calls: RunCall[]
}

export interface RunCall {
  id: string
  /** What the model called, and with what, as it wrote it. */
  name: string
  input: string
  /** The tool that it meant by that; null where that can't be told. */
  tool: string | null
  /** The skill that it was made for, where the model named one. */
  skill: string | null
  args: unknown
  outcome: CallOutcome
  /** What the model was answered, as JSON. */
  result: string
  milliseconds: number
}

export interface PlanShown {
  /** Null where no model chose. */
  model: string | null
  /** `direct`: no skill is on the menu, so the agent answers without a plan. */
  how: 'model' | 'words' | 'direct'
  plan: string
  handles: string[]
  ignored: string[]
  /** Tools by name. */
  bound: string[]
  /** Of those, the ones that do nothing until something is granted. */
  notGranted: string[]
}

export interface Replay {
  id: string
  same: boolean
  /** Where the calls differ, a sentence each. */
  differences: string[]
  calls: { tool: string | null; args: unknown; outcome: CallOutcome }[]
}

export type ModelChoice =
  /** An endpoint that speaks the OpenAI protocol, up to and with `/v1`. */
  | { kind: 'url'; url: string; model: string; keyEnv?: string; keyFile?: string }
  /** A file for node-llama-cpp. */
  | { kind: 'gguf'; file: string }

/** Never a key: only where it is read from, and whether there is one. */
export type ModelShown =
  | { kind: 'none' }
  | { kind: 'url'; url: string; model: string; key: 'none' | 'there' | 'missing'; keyFrom: string | null }
  | { kind: 'gguf'; file: string }

export type Blurb = 'notebook' | 'files' | 'calendar' | 'date'

/** The document that the model receives. */
export interface Alignment {
  instructions: string
  /** Whether they are the person's own. */
  edited: boolean
  blurbs: { blurb: Blurb; on: boolean; text: string }[]
  /** Empty where no skill is on it: then the agent answers directly, without a plan. */
  menu: { slug: string; summary: string }[]
  /** How the model is told to plan; not editable. Null where it answers directly. */
  planning: string | null
  /** The whole, byte for byte as the model gets it ahead of the next question. */
  text: string
  /** `exact` where the model's own tokenizer has counted. */
  tokens: { count: number; exact: boolean; by: string }
}

export type GrantKind = 'files' | 'calendar' | 'notebook' | 'memory'

export interface GrantsShown {
  /** Absolute, links resolved. `there`: whether it is there now. */
  files: { path: string; there: boolean }[]
  calendars: { path: string; there: boolean }[]
  notebook: boolean
  memory: boolean
}

export interface NoteShown {
  id: string
  /** Its first line. */
  title: string
  text: string
  /** ISO 8601, UTC: of the shown revision. */
  time: string
  revision: string
  deleted: boolean
}

export type BindTo = 'latest' | 'published' | { version: string }

export interface ProfileShown {
  name: string
  bindings: {
    slug: string
    to: BindTo
    /** What that is now; null where nothing is. */ version: string | null
  }[]
}
