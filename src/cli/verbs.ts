import type { Verb } from './verb.js'

type Load = () => Promise<{ verb: Verb }>

/**
 * Every verb, of one word or two, in the order and the groups of the usage; its file is
 * loaded when it is called.
 */
export const VERBS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'This node': {
    init: () => import('./verbs/init.js'),
    up: () => import('./verbs/up.js'),
    status: () => import('./verbs/status.js'),
    notices: () => import('./verbs/notices.js'),
    check: () => import('./verbs/check.js'),
    adopt: () => import('./verbs/adopt.js')
  },
  Skills: {
    new: () => import('./verbs/new.js'),
    edit: () => import('./verbs/edit.js'),
    show: () => import('./verbs/show.js'),
    list: () => import('./verbs/list.js'),
    rename: () => import('./verbs/rename.js'),
    delete: () => import('./verbs/delete.js'),
    restore: () => import('./verbs/restore.js'),
    log: () => import('./verbs/log.js'),
    publish: () => import('./verbs/publish.js'),
    diff: () => import('./verbs/diff.js'),
    conflicts: () => import('./verbs/conflicts.js'),
    merge: () => import('./verbs/merge.js'),
    resolve: () => import('./verbs/resolve.js'),
    closure: () => import('./verbs/closure.js'),
    'tools-for': () => import('./verbs/tools-for.js'),
    enable: () => import('./verbs/enable.js'),
    disable: () => import('./verbs/disable.js'),
    advertise: () => import('./verbs/advertise.js'),
    unadvertise: () => import('./verbs/unadvertise.js'),
    import: () => import('./verbs/import.js'),
    export: () => import('./verbs/export.js')
  },
  'The agent': {
    ask: () => import('./verbs/ask.js'),
    chat: () => import('./verbs/chat.js'),
    plan: () => import('./verbs/plan.js'),
    runs: () => import('./verbs/runs.js'),
    'run show': () => import('./verbs/run-show.js'),
    'run replay': () => import('./verbs/run-replay.js'),
    menu: () => import('./verbs/menu.js'),
    'instructions edit': () => import('./verbs/instructions-edit.js'),
    'instructions reset': () => import('./verbs/instructions-reset.js'),
    blurb: () => import('./verbs/blurb.js'),
    model: () => import('./verbs/model.js'),
    'model set': () => import('./verbs/model-set.js'),
    'model clear': () => import('./verbs/model-clear.js'),
    grants: () => import('./verbs/grants.js'),
    grant: () => import('./verbs/grant.js'),
    revoke: () => import('./verbs/revoke.js'),
    mcp: () => import('./verbs/mcp.js')
  },
  'Your notebook': {
    'note list': () => import('./verbs/note-list.js'),
    'note show': () => import('./verbs/note-show.js'),
    'note add': () => import('./verbs/note-add.js'),
    'note edit': () => import('./verbs/note-edit.js'),
    'note delete': () => import('./verbs/note-delete.js'),
    'note restore': () => import('./verbs/note-restore.js')
  },
  Profiles: {
    profiles: () => import('./verbs/profiles.js'),
    'profile new': () => import('./verbs/profile-new.js'),
    'profile bind': () => import('./verbs/profile-bind.js'),
    'profile unbind': () => import('./verbs/profile-unbind.js'),
    'profile delete': () => import('./verbs/profile-delete.js')
  },
  'Your devices': {
    devices: () => import('./verbs/devices.js'),
    'device invite': () => import('./verbs/device-invite.js'),
    'device join': () => import('./verbs/device-join.js'),
    'device rename': () => import('./verbs/device-rename.js'),
    'device remove': () => import('./verbs/device-remove.js'),
    recover: () => import('./verbs/recover.js')
  },
  People: {
    invite: () => import('./verbs/invite.js'),
    pair: () => import('./verbs/pair.js'),
    card: () => import('./verbs/card.js'),
    contacts: () => import('./verbs/contacts.js'),
    verify: () => import('./verbs/verify.js'),
    forget: () => import('./verbs/forget.js')
  },
  'Sending and receiving': {
    send: () => import('./verbs/send.js'),
    seal: () => import('./verbs/seal.js'),
    receive: () => import('./verbs/receive.js'),
    outbox: () => import('./verbs/outbox.js'),
    inbox: () => import('./verbs/inbox.js'),
    review: () => import('./verbs/review.js'),
    accept: () => import('./verbs/accept.js'),
    decline: () => import('./verbs/decline.js')
  },
  'For trying things out': {
    dht: () => import('./verbs/dht.js')
  }
}

/** The names of all verbs. */
export const VERB_NAMES: readonly string[] = Object.values(VERBS).flatMap(Object.keys)

/** The second words of the verbs that begin with that one; none where it is no such beginning. */
export function secondWords(first: string): string[] {
  const beginning = `${first} `
  return VERB_NAMES.flatMap((name) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []))
}

/**
 * The verbs that are about what that one, or that first word, is about: of `model` also
 * `model set`, of `profile` both `profiles` and `profile new`.
 */
export function kin(name: string): string[] {
  const subject = subjectOf(name)
  return VERB_NAMES.filter((other) => other !== name && subjectOf(other) === subject)
}

function subjectOf(name: string): string {
  return name.replace(/ .*/, '').replace(/s$/, '')
}

/** How to load the verb of that name, or undefined. */
export function loadVerb(name: string): Load | undefined {
  return Object.values(VERBS).find((group) => Object.hasOwn(group, name))?.[name]
}
