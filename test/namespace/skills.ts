import type { Slug, ToolName, Uid, VersionHash } from '../../src/base/ids.js'
import type { Ref } from '../../src/namespace/linked.js'
import { Namespace } from '../../src/namespace/resolve.js'
import type { SkillRow } from '../../src/namespace/skill.js'
import { toolBySlug } from '../../src/namespace/tool.js'

/** The uid that stands for a number in a test. */
export function uidOf(n: number): Uid {
  return n.toString(16).padStart(32, '0') as Uid
}

/** The head of a skill in a test where versions don't matter. */
const HEAD = '0'.repeat(64) as VersionHash

/** A live and enabled row, but for what is said otherwise. */
export function rowOf(
  n: number,
  slug: string,
  refs: readonly Ref[],
  change: Partial<SkillRow> = {}
): SkillRow {
  return {
    uid: uidOf(n),
    slug: slug as Slug,
    title: slug,
    summary: slug,
    enabled: true,
    advertised: false,
    exec: false,
    head: HEAD,
    heads: [HEAD],
    refs,
    deleted: false,
    ...change
  }
}

/** References to skills by their numbers, and to tools by their slugs. */
export function refsTo(...targets: readonly (number | string)[]): Ref[] {
  return targets.map((target) =>
    typeof target === 'number' ? { skill: uidOf(target) } : { tool: toolBySlug(target)!.name }
  )
}

/** A namespace of these rows. */
export function namespaceOf(...rows: readonly SkillRow[]): Namespace {
  const namespace = new Namespace()
  for (const row of rows) namespace.put(row)
  return namespace
}

/** Slugs as the namespace's functions take them. */
export const slugs = (text: string): Slug[] => text.split(' ') as Slug[]

/** Tool names, one text. */
export const names = (tools: readonly ToolName[]): string => tools.join(' ')
