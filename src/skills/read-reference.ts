import { textOf } from '../base/text-of.js'
import { pathProblem } from '../folders/paths.js'
import { pagesOf } from './pages.js'
import { MAX_TOLD, refusal, type ReadReference, type SkillRefusal } from './results.js'
import type { Session } from './session.js'
import type { SourceOptions } from './source.js'

/**
 * Reads one page of a file of a skill. Only what the skill lists is ever read: the path is
 * looked up among its references, never on the disk.
 */
export async function readReference(
  session: Session,
  { name, path: asked, page, pageSize }: { name: string; path: string; page: number; pageSize: number },
  options: SourceOptions = {}
): Promise<ReadReference | SkillRefusal> {
  // A text names its files as `./a.md` too.
  const path = asked.replace(/^(?:\.\/)+/, '')
  const why = pathProblem(path)
  if (why) return refusal('E_REFERENCE_PATH', { path: asked.slice(0, MAX_TOLD), why })
  const taken = await session.take(name, { first: false, by: 'model' }, options)
  if (!taken.ok) return taken
  const { skill } = taken
  if (!skill.references.some((reference) => reference.path === path))
    return refusal('E_REFERENCE_UNKNOWN', { name: skill.name, path })

  const bytes = await session.read(skill, path, options)
  if (!(bytes instanceof Uint8Array)) return bytes
  const whole = textOf(bytes)
  if (whole === null) return refusal('E_REFERENCE_BINARY', { path, size: bytes.length })
  const pages = pagesOf(whole, pageSize)
  const text = pages[page - 1]
  if (text === undefined) return refusal('E_SKILL_PAGE', { what: path, page, pages: pages.length })

  const { source, version, hash } = skill
  return {
    ok: true,
    visibility: 'hidden',
    skill: { name: skill.name, source, version, hash },
    path,
    size: bytes.length,
    text,
    page,
    pages: pages.length
  }
}
