import type { Diagnostic } from '../api.js'
import { diagnostic } from './diagnostics.js'
import { formatHeader, type Wanted } from './format.js'
import { joined } from './frontmatter.js'
import { parseHeader } from './header.js'
import { collisions, pathProblem } from './paths.js'

/** A skill as it leaves for a folder. */
export interface OutgoingSkill extends Wanted {
  /** As `Content.header`. */
  readonly header: string | null
  /** With its mentions shown. */
  readonly body: string
  readonly files: readonly OutgoingFile[]
}

export interface OutgoingFile {
  readonly path: string
  /** Whether it shall be executable there. */
  readonly exec: boolean
  /** Called for one file at a time: to compare it with what is there, and to write it. */
  bytes(): Promise<Uint8Array>
}

/**
 * The files of a skill’s folder, SKILL.md first: exactly the Agent Skills format. What
 * that changed of the frontmatter that the skill came with is in the diagnostics.
 */
export function filesOf(skill: OutgoingSkill): { files: OutgoingFile[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  return { files: [textFile(skill, diagnostics), ...writable(skill, diagnostics)], diagnostics }
}

function textFile(skill: OutgoingSkill, diagnostics: Diagnostic[]): OutgoingFile {
  const header = parseHeader(skill.header ?? '')
  const formatted = formatHeader(header, skill)
  if (skill.header !== null) {
    for (const { code, line, fields } of [...header.findings, ...formatted.findings]) {
      diagnostics.push(diagnostic(code, { path: `${skill.slug}/SKILL.md`, line: line + 1 }, fields))
    }
  }
  const bytes = Buffer.from(joined(formatted.text, skill.body))
  return { path: 'SKILL.md', exec: false, bytes: async () => bytes }
}

/** The files that may be written; every path is checked again, whatever let it in. */
function writable(skill: OutgoingSkill, diagnostics: Diagnostic[]): OutgoingFile[] {
  const meeting = new Map(
    collisions(skill.files.map(({ path }) => path)).map(({ path, with: other }) => [path, other])
  )
  return skill.files.filter(({ path }) => {
    const place = { path: `${skill.slug}/${path}` }
    const why = pathProblem(path)
    const other = meeting.get(path)
    if (why) diagnostics.push(diagnostic('D_PATH', place, { why }))
    else if (other !== undefined) diagnostics.push(diagnostic('D_PATH_COLLISION', place, { other }))
    return !why && other === undefined
  })
}
