import { pagesOf } from './pages.js'
import { MAX_LISTED, refusal, type LoadedSkill, type SkillRefusal } from './results.js'
import type { Asker, Session } from './session.js'
import type { SourceOptions } from './source.js'

/** Loads one page of a skill’s text, and keeps that it was loaded. */
export async function loadSkill(
  session: Session,
  { name, page, by, pageSize }: { name: string; page: number; by: Asker; pageSize: number },
  options: SourceOptions = {}
): Promise<LoadedSkill | SkillRefusal> {
  const first = page === 1
  const taken = await session.take(name, { first, by }, options)
  if (!taken.ok) return taken
  const { body, folder, references, tools, version } = taken.skill
  const pages = pagesOf(body, pageSize)
  const text = pages[page - 1]
  if (text === undefined)
    return refusal('E_SKILL_PAGE', { what: taken.skill.name, page, pages: pages.length })

  return {
    ok: true,
    visibility: 'hidden',
    skill: session.note(taken),
    replaces: taken.before && taken.before.version !== version ? taken.before.version : null,
    text,
    page,
    pages: pages.length,
    folder,
    references: first ? references.slice(0, MAX_LISTED) : [],
    moreReferences: first ? Math.max(0, references.length - MAX_LISTED) : 0,
    tools
  }
}
