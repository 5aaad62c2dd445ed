import type { NodeApi } from '../api.js'

/** What of the facade goes over the socket; closing ends the connection, and nothing else. */
export type Method = Exclude<keyof NodeApi, 'close'>

/** How a method differs from one question with one quick answer. */
export interface Trait {
  /** Which of its arguments, from 0, is told of progress. */
  readonly progressAt?: number
  /** Which of its arguments is told of events: of each, where progress may be left out. */
  readonly eventsAt?: number
  /** Which of its arguments is the signal that ends it; so does hanging up. */
  readonly signalAt?: number
  /** It waits for someone at another device or for a change, so a node that stops doesn’t wait for it. */
  readonly waits?: true
  /** It runs a model or tools, and may take minutes: a node that stops at once doesn’t wait for it. */
  readonly runs?: true
}

/** Every method that may be asked for over the socket. What isn’t here can’t be. */
export const METHODS: Readonly<Record<Method, Trait>> = {
  status: {},
  create: {},
  edit: {},
  show: {},
  list: {},
  rename: {},
  delete: {},
  restore: {},
  log: {},
  publish: {},
  diff: {},
  conflicts: {},
  merge: {},
  resolve: {},
  closure: {},
  toolsForPlan: {},
  setEnabled: {},
  setAdvertised: {},
  importFolders: { progressAt: 1 },
  exportFolders: {},
  check: { progressAt: 0 },
  invite: {},
  invited: { waits: true },
  pair: {},
  card: {},
  addCard: {},
  contact: {},
  contacts: {},
  verify: {},
  forget: {},
  deviceInvite: {},
  deviceInvited: { waits: true },
  devices: {},
  renameDevice: {},
  removeDevice: {},
  notices: {},
  send: {},
  seal: {},
  receive: {},
  outbox: {},
  inbox: {},
  review: {},
  reviewFile: {},
  accept: {},
  decline: {},
  skillFile: {},
  watch: { eventsAt: 0, signalAt: 1, waits: true },
  giveWay: {},
  ask: { eventsAt: 2, signalAt: 3, runs: true },
  plan: { signalAt: 2, runs: true },
  runs: {},
  run: {},
  replay: { signalAt: 1, runs: true },
  model: {},
  setModel: {},
  menu: {},
  setInstructions: {},
  setBlurb: {},
  grants: {},
  grant: {},
  revoke: {},
  addNote: {},
  notes: {},
  note: {},
  editNote: {},
  deleteNote: {},
  restoreNote: {},
  profiles: {},
  newProfile: {},
  bindProfile: {},
  unbindProfile: {},
  deleteProfile: {}
}

/** Whether `name` is a method that may be asked for. */
export function isMethod(name: unknown): name is Method {
  return typeof name === 'string' && Object.hasOwn(METHODS, name)
}
