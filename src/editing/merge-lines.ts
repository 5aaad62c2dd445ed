import { diff3Merge } from 'node-diff3'

/**
 * What finding equal lines may cost, in comparisons: it grows with the pairs of equal
 * lines times the lines, which for a few KiB of blank lines is minutes.
 */
const MAX_COMPARED = 20_000_000
/** Lines of one text, without what all have alike at both ends. */
const MAX_LINES = 10_000

/** Three texts brought together, and whether it has conflict marks. */
export interface MergedText {
  readonly text: string
  readonly conflict: boolean
}

/**
 * Brings together, line by line, what two people made of one text. Texts that are too
 * long or too much alike to be compared in a moment are one conflict as a whole, save
 * what all have alike at both ends.
 */
export function mergeLines(base: string | undefined, mine: string, theirs: string): MergedText {
  const [o, a, b] = [base?.split('\n') ?? [], mine.split('\n'), theirs.split('\n')]
  const shortest = Math.min(o.length, a.length, b.length)
  const same = (i: number, of: readonly string[]): boolean => of.at(i) === o.at(i)
  let head = 0
  while (head < shortest && same(head, a) && same(head, b)) head++
  let tail = 0
  while (tail < shortest - head && same(-tail - 1, a) && same(-tail - 1, b)) tail++
  const middle = (of: readonly string[]): string[] => of.slice(head, of.length - tail)
  const whole = { a: middle(a), o: middle(o), b: middle(b) }

  const isQuick = [whole.a, whole.b].every((side) => isQuicklyCompared(whole.o, side))
  const regions: readonly Region[] = isQuick ? diff3Merge(whole.a, whole.o, whole.b) : [{ conflict: whole }]
  const lines = regions.flatMap(({ ok, conflict }) => ok ?? (conflict ? marked(conflict) : []))
  return {
    text: [o.slice(0, head), lines, o.slice(o.length - tail)].flat().join('\n'),
    conflict: regions.some(({ conflict }) => conflict !== undefined)
  }
}

interface Region {
  readonly ok?: string[]
  readonly conflict?: Conflict
}

interface Conflict {
  readonly a: string[]
  readonly o: string[]
  readonly b: string[]
}

function marked({ a, o, b }: Conflict): string[] {
  return [['<<<<<<< yours'], a, ['||||||| before'], o, ['======='], b, ['>>>>>>> theirs']].flat()
}

function isQuicklyCompared(base: readonly string[], side: readonly string[]): boolean {
  if (base.length > MAX_LINES || side.length > MAX_LINES) return false
  const counts = new Map<string, number>()
  for (const line of base) counts.set(line, (counts.get(line) ?? 0) + 1)
  const pairs = side.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0)
  return pairs * Math.min(base.length, side.length) <= MAX_COMPARED
}
