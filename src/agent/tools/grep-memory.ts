import type { Grants } from '../grants.js'
import type { ToolRun } from '../tool-run.js'
import type { Transcripts } from '../transcript.js'
import { readPattern } from '../memory/pattern.js'
import { spokenLines, type SpokenLine } from '../memory/spoken.js'
import type { Found } from '../memory/scan.js'

/** Lines unless it is said how many. */
const HITS = 20
/** Characters of a line that matches, of one beside it, and of all hits together, as JSON. */
const MAX_LINE = 400
const MAX_BESIDE = 200
const MAX_ANSWER = 24 * 1024

/**
 * Lines of past conversations that a regular expression matches, the newest first: what the
 * person said and what the agent answered, each with what was said just before and after.
 *
 * @throws SelkieError E_NOT_GRANTED, E_PATTERN, E_PATTERN_SLOW
 */
export function grepMemory({
  grants,
  transcripts
}: {
  grants: Pick<Grants, 'require'>
  transcripts: Transcripts
}): ToolRun {
  return async (args, signal) => {
    grants.require('memory')
    const limit = (args['limit'] as number | undefined) ?? HITS
    const pattern = readPattern(args['pattern'] as string)
    const found = await transcripts.memory.search(pattern, limit + 1, signal)
    const hits: Hit[] = []
    let size = 0
    for (const each of found.slice(0, limit)) {
      const hit = await hitOf(transcripts, each)
      size += JSON.stringify(hit).length
      if (size > MAX_ANSWER) break
      hits.push(hit)
    }
    return { hits, more: hits.length < found.length }
  }
}

interface Hit {
  /** When the run began: ISO 8601, UTC. */
  date: string
  run: string
  who: SpokenLine['who']
  before?: string
  line: string
  after?: string
}

async function hitOf(transcripts: Transcripts, { place, number, at }: Found): Promise<Hit> {
  const { id, time, said } = await transcripts.said(place)
  const lines = spokenLines(said)
  const { who, text, utterance } = lines[number]!
  const beside = (line: SpokenLine | undefined): string | undefined =>
    line?.utterance === utterance ? excerpt(line.text, 0, MAX_BESIDE) : undefined
  const [before, after] = [beside(lines[number - 1]), beside(lines[number + 1])]
  return {
    date: time,
    run: id,
    who,
    ...(before !== undefined && { before }),
    line: excerpt(text, at, MAX_LINE),
    ...(after !== undefined && { after })
  }
}

/** The part of a line that a place in it is in the first quarter of, where it is too long. */
function excerpt(text: string, at: number, length: number): string {
  if (text.length <= length) return text
  const start = Math.max(0, Math.min(at - length / 4, text.length - length))
  const end = start + length
  // Half a character at an end is none.
  const part = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`
}
