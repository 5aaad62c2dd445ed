import type { Blurb } from '../agent-api.js'
import type { Slug } from '../base/ids.js'
import { isHidden } from '../editing/hidden.js'
import { TOOLS } from '../namespace/tool.js'
import type { Store } from '../store/store.js'
import { BLURBS, HOW_TO_PLAN } from './instructions.js'

/** A skill or a tool that a plan may name. */
export interface MenuEntry {
  readonly slug: Slug
  readonly summary: string
  readonly kind: 'skill' | 'tool'
}

/** What the model is told ahead of every question. */
export interface Aligned {
  readonly instructions: string
  /** Those that are switched on. */
  readonly blurbs: ReadonlySet<Blurb>
  readonly menu: readonly MenuEntry[]
}

/**
 * What is offered to a planner: the skills that are enabled and advertised and not hidden,
 * and the tools that are by themselves. Without a skill there is nothing to plan with, so
 * then nothing is.
 */
export async function menuOf(store: Store): Promise<MenuEntry[]> {
  const skills: MenuEntry[] = []
  for (const { slug, summary, head } of store.namespace.advertised())
    if (!(await isHidden(store, head))) skills.push({ slug, summary, kind: 'skill' })
  return skills.length === 0 ? [] : [...skills, ...advertisedTools]
}

const advertisedTools = TOOLS.filter(({ advertised }) => advertised).map(({ slug, summary }): MenuEntry => ({
  slug,
  summary,
  kind: 'tool'
}))

/** How the model is told to plan; null where there is nothing to plan with and the agent answers directly. */
export function planningOf({ menu }: Pick<Aligned, 'menu'>): string | null {
  return menu.length === 0 ? null : HOW_TO_PLAN
}

/** The instructions and the blurbs: what comes ahead of a plan, of an execution and of a direct answer. */
export function preambleOf({ instructions, blurbs }: Omit<Aligned, 'menu'>): string {
  const told = (Object.keys(BLURBS) as Blurb[]).filter((blurb) => blurbs.has(blurb))
  return [instructions.trim(), ...told.map((blurb) => BLURBS[blurb])].filter(Boolean).join('\n\n')
}

/** The whole document, byte for byte as a planner gets it, or the agent that answers directly. */
export function alignmentText(aligned: Aligned): string {
  const planning = planningOf(aligned)
  const lines = aligned.menu.map(({ slug, summary }) => `- @${slug}: ${oneLine(summary)}`)
  const parts = planning === null ? [] : [`# Menu\n\n${lines.join('\n')}`, planning]
  return [preambleOf(aligned), ...parts].filter(Boolean).join('\n\n')
}

/** A summary can’t pass for another entry. */
function oneLine(summary: string): string {
  return summary.replace(/\s+/g, ' ').trim()
}
