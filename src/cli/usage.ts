import { aligned } from './table.js'
import type { Flag, Flags } from './flags.js'
import { BARE_FLAGS, GLOBAL_FLAGS } from './globals.js'
import { paint } from './paint.js'
import type { Verb } from './verb.js'
import { kin, loadVerb, VERB_NAMES, VERBS } from './verbs.js'

/** How `selkie` is used: every verb with a line on it, or those that are about `first`. */
export async function renderUsage(first?: string): Promise<string> {
  const wanted = first === undefined ? VERB_NAMES : kin(first)
  const groups = await Promise.all(
    Object.entries(VERBS).map(async ([title, verbs]) => {
      const shown = Object.keys(verbs).filter((name) => wanted.includes(name))
      return shown.length === 0 ? [] : [await verbList(title, shown)]
    })
  )
  return [
    `${paint('bold', 'selkie')} ${first === undefined ? 'VERB' : first} … [flags]`,
    ...groups.flat(),
    flagList('Flags', BARE_FLAGS),
    'selkie VERB --help shows the flags of a verb.'
  ].join('\n\n')
}

/** How one verb is used; of one word, also which others are about the same. */
export async function renderVerbUsage(
  name: string,
  verb: Pick<Verb, 'about' | 'positionals' | 'flags'>
): Promise<string> {
  const flags = Object.entries(verb.flags)
  const own = flags.length > 0
  const required = flags.flatMap(([flag, { required, value }]) => (required ? [`--${flag} ${value}`] : []))
  const line = ['selkie', name, ...verb.positionals, ...required].join(' ')
  const others = name.includes(' ') ? [] : kin(name)
  return [
    `${paint('bold', line)}${flags.length > required.length ? ' [flags]' : ''}\n${verb.about}`,
    ...(own ? [flagList('Flags', verb.flags)] : []),
    ...(others.length > 0 ? [await verbList('See also', others)] : []),
    flagList('Flags of every verb', GLOBAL_FLAGS)
  ].join('\n\n')
}

async function verbList(title: string, names: readonly string[]): Promise<string> {
  const rows = await Promise.all(
    names.map(async (name) => {
      const { verb } = await loadVerb(name)!()
      return [`  ${[name, ...verb.positionals].join(' ')}`, verb.about]
    })
  )
  return `${paint('bold', title)}\n${aligned(rows)}`
}

function flagList(title: string, flags: Flags): string {
  const rows = Object.entries(flags).map(([name, flag]) => [`  ${spelling(name, flag)}`, flag.about])
  return `${paint('bold', title)}\n${aligned(rows)}`
}

function spelling(name: string, { short, value, multiple }: Flag): string {
  return `--${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}${multiple ? ' …' : ''}`
}
