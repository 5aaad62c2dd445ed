import { createTwoFilesPatch } from 'diff'

/** Lines that a diff may take out and put in; beyond that nobody sees what stayed. */
const MAX_EDITS = 1000
/** What looking for a diff may cost: lines times edits. A body of blank lines has a million of them. */
const MAX_COMPARED = 20_000_000

/**
 * Unified diff of two texts; empty where they are the same. Where they have too little
 * in common to find it in a moment, all of the one is taken out and all of the other
 * put in.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return ''
  const lines = Math.max(countLines(before), countLines(after))
  const patch = createTwoFilesPatch('before', 'after', before, after, undefined, undefined, {
    context: 3,
    maxEditLength: Math.min(MAX_EDITS, Math.ceil(MAX_COMPARED / lines))
  })
  return patch ? patch.split('\n').slice(3).join('\n') : replaced(before, after)
}

function replaced(before: string, after: string): string {
  const [out, put] = [lined(before, '-'), lined(after, '+')]
  return `@@ -${range(before)} +${range(after)} @@\n${out}${put}`
}

function range(text: string): string {
  return text === '' ? '0,0' : `1,${countLines(text)}`
}

/** Every line behind a sign; a last one that isn’t ended is marked as in any unified diff. */
function lined(text: string, sign: '+' | '-'): string {
  if (text === '') return ''
  const signed = text.replace(/^(?=[^])/gm, sign)
  return text.endsWith('\n') ? signed : `${signed}\n\\ No newline at end of file\n`
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
