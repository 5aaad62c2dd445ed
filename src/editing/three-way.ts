import type { SkillFile } from '../namespace/skill.js'
import { mergeLines, type MergedText } from './merge-lines.js'

/** A content as it is merged: its body as text, with the slugs of now. */
export interface Side {
  readonly title: string
  readonly summary: string
  readonly header: string | null
  readonly body: string
  readonly files: readonly SkillFile[]
}

/** Two sides brought together. */
export interface Merged extends Side {
  /** What both changed in unlike ways: `title`, `summary`, `header`, `body`, or the path of a file. */
  readonly conflicts: readonly string[]
}

/**
 * Brings together what two people made of one text: whatever only one of them changed is
 * taken, and so is what both changed alike. Where both changed the same in unlike ways,
 * the body has conflict marks, and of anything else the first side stays.
 *
 * @param base what both began from; undefined where it isn't at hand, so that every
 *   difference is a conflict
 */
export function threeWay(base: Side | undefined, mine: Side, theirs: Side): Merged {
  const conflicts: string[] = []
  const pick = <T>(name: string, key: (side: Side) => T): T => {
    const [was, a, b] = [base && key(base), key(mine), key(theirs)]
    if (a === b || (base && b === was)) return a
    if (base && a === was) return b
    conflicts.push(name)
    return a
  }
  const title = pick('title', (side) => side.title)
  const summary = pick('summary', (side) => side.summary)
  const header = pick('header', (side) => side.header)
  const body = mergedBody(base, mine, theirs)
  if (body.conflict) conflicts.push('body')
  const files = mergedFiles(base, mine, theirs, pick)
  return { title, summary, header, body: body.text, files, conflicts }
}

function mergedBody(base: Side | undefined, mine: Side, theirs: Side): MergedText {
  if (mine.body === theirs.body || theirs.body === base?.body) return { text: mine.body, conflict: false }
  if (mine.body === base?.body) return { text: theirs.body, conflict: false }
  return mergeLines(base?.body, mine.body, theirs.body)
}

function mergedFiles(
  base: Side | undefined,
  mine: Side,
  theirs: Side,
  pick: (name: string, key: (side: Side) => string) => string
): SkillFile[] {
  const paths = new Set([base, mine, theirs].flatMap((side) => side?.files.map(({ path }) => path) ?? []))
  const files: SkillFile[] = []
  for (const path of [...paths].sort((a, b) => (a < b ? -1 : 1))) {
    const fileOf = (side: Side): SkillFile | undefined => side.files.find((file) => file.path === path)
    const stateOf = (side: Side): string => JSON.stringify([fileOf(side)?.hash, fileOf(side)?.exec])
    const state = pick(path, stateOf)
    const file = fileOf(stateOf(mine) === state ? mine : theirs)
    if (file) files.push(file)
  }
  return files
}
