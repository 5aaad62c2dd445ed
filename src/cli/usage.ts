import { aligned } from './table.js'
import type { Flag, Flags } from './flags.js'
import { BARE_FLAGS, GLOBAL_FLAGS } from './globals.js'
import { paint } from './paint.js'
import type { Verb } from './verb.js'
import { VERBS } from './verbs.js'

/** How `selkie` is used: every verb with a line on it, or those of two words that begin with `first`. */
export async function renderUsage(first?: string): Promise<string> {
  const groups = await Promise.all(
    Object.entries(VERBS).map(async ([title, verbs]) => {
      const shown = Object.entries(verbs).filter(
        ([name]) => first === undefined || name.startsWith(`${first} `)
      )
      const rows = await Promise.all(
        shown.map(async ([name, load]) => {
          const { verb } = await load()
          return [`  ${[name, ...verb.positionals].join(' ')}`, verb.about]
        })
      )
      return rows.length === 0 ? [] : [`${paint('bold', title)}\n${aligned(rows)}`]
    })
  )
  return [
    `${paint('bold', 'selkie')} ${first === undefined ? 'VERB' : first} … [flags]`,
    ...groups.flat(),
    flagList('Flags', BARE_FLAGS),
    'selkie VERB --help shows the flags of a verb.'
  ].join('\n\n')
}

/** How one verb is used. */
export function renderVerbUsage(name: string, verb: Pick<Verb, 'about' | 'positionals' | 'flags'>): string {
  const flags = Object.entries(verb.flags)
  const own = flags.length > 0
  const required = flags.flatMap(([flag, { required, value }]) => (required ? [`--${flag} ${value}`] : []))
  const line = ['selkie', name, ...verb.positionals, ...required].join(' ')
  return [
    `${paint('bold', line)}${flags.length > required.length ? ' [flags]' : ''}\n${verb.about}`,
    ...(own ? [flagList('Flags', verb.flags)] : []),
    flagList('Flags of every verb', GLOBAL_FLAGS)
  ].join('\n\n')
}

function flagList(title: string, flags: Flags): string {
  const rows = Object.entries(flags).map(([name, flag]) => [`  ${spelling(name, flag)}`, flag.about])
  return `${paint('bold', title)}\n${aligned(rows)}`
}

function spelling(name: string, { short, value, multiple }: Flag): string {
  return `--${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}${multiple ? ' …' : ''}`
}
