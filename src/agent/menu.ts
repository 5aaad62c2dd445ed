import type { Blurb } from '../agent-api.js'
import type { Slug } from '../base/ids.js'
import type { Namespace } from '../namespace/resolve.js'
import { TOOLS } from '../namespace/tool.js'
import { BLURBS } from './instructions.js'

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

/** What is offered to a planner: the skills that are enabled and advertised, and the tools that are by themselves. */
export function menuOf(namespace: Namespace): MenuEntry[] {
  const skills = namespace
    .advertised()
    .map(({ slug, summary }) => ({ slug, summary, kind: 'skill' as const }))
  return [...skills, ...advertisedTools]
}

const advertisedTools = TOOLS.filter(({ advertised }) => advertised).map(({ slug, summary }): MenuEntry => ({
  slug,
  summary,
  kind: 'tool'
}))

/** Whether there is anything to plan with: without a skill the agent answers directly. */
export function offersSkills(menu: readonly MenuEntry[]): boolean {
  return menu.some(({ kind }) => kind === 'skill')
}

/** The instructions and the blurbs: what comes ahead of a plan, of an execution and of a direct answer. */
export function preambleOf({ instructions, blurbs }: Omit<Aligned, 'menu'>): string {
  const told = (Object.keys(BLURBS) as Blurb[]).filter((blurb) => blurbs.has(blurb))
  return [instructions.trim(), ...told.map((blurb) => BLURBS[blurb])].filter(Boolean).join('\n\n')
}

/** The whole document, as a planner gets it. */
export function alignmentText(aligned: Aligned): string {
  const lines = aligned.menu.map(({ slug, summary }) => `- @${slug}: ${oneLine(summary)}`)
  const preamble = preambleOf(aligned)
  return lines.length === 0 ? preamble : `${preamble}\n\n# Menu\n\n${lines.join('\n')}`
}

/** A summary can’t pass for another entry. */
function oneLine(summary: string): string {
  return summary.replace(/\s+/g, ' ').trim()
}
