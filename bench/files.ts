import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileFinder } from '../src/agent/files/finder.js'
import { median, ms, timesOf, type Figure } from './measure.js'

const FILES = 100_000
const FILES_PER_FOLDER = 20
const ROUNDS = 5
const LATER_ROUNDS = 50

const { signal } = new AbortController()

/**
 * Files by name and text in a tree of 100,000: the first answer, for which the tree is read
 * once, beside what ripgrep takes for the same; and later ones, each after a change.
 */
export async function benchFiles(): Promise<Figure[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'selkie-bench-')))
  try {
    const { words, megabytes } = await fill(folder)
    const [rare] = words as [string]
    const tree = `in ${FILES} files of ${megabytes.toFixed(0)} MB`
    const firsts: number[] = []
    const ratios: number[] = []
    const hasRipgrep = isThere('rg')
    for (let round = 0; round < ROUNDS; round++) {
      const [ripgrep] = hasRipgrep ? await timesOf(1, () => searchByRipgrep(rare, folder)) : [NaN]
      const finder = new FileFinder({ files: [folder] })
      const [first] = await timesOf(1, () => finder.find(rare, { limit: 20, signal }))
      await finder.close()
      firsts.push(first!)
      ratios.push(first! / ripgrep!)
    }
    firsts.sort((a, b) => a - b)
    ratios.sort((a, b) => a - b)
    const ratio = median(ratios)
    const beside = hasRipgrep
      ? `${ratio.toFixed(2)} × ripgrep`
      : 'and there is no ripgrep (`rg`) to compare with'
    const first = {
      name: `the first answer of find_file ${tree}`,
      found: `${ms(median(firsts))} at the median of ${ROUNDS}, ${beside}`,
      goal: '≤ 2 × ripgrep',
      met: ratio <= 2
    }
    return [first, await laterAnswers(folder, words, tree)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function laterAnswers(folder: string, words: readonly string[], tree: string): Promise<Figure> {
  const finder = new FileFinder({ files: [folder] })
  await finder.find(words[0]!, { limit: 20, signal })
  const times = await timesOf(LATER_ROUNDS, async (round) => {
    const word = words[round % words.length]!
    const path = join(folder, `area-${round % 50}`, 'changed.txt')
    await writeFile(path, `In round ${round} changed: ${word}.`)
    const { hits } = await finder.find(`${word} changed`, { limit: 20, signal })
    if (!hits.some((hit) => hit.path === path)) throw new Error(`${path} isn’t found`)
  })
  await finder.close()
  const middle = median(times)
  return {
    name: `later answers of find_file ${tree}, each after a change`,
    found: `${ms(middle)} at the median of ${LATER_ROUNDS}, ${ms(times.at(-1)!)} at most`,
    goal: '≤ 100 ms',
    met: middle <= 100
  }
}

/** All that find_file looks at: names, and texts without regard to case; no file is passed over. */
function searchByRipgrep(word: string, folder: string): void {
  const run = (...args: string[]): void => {
    try {
      execFileSync('rg', ['--hidden', '--no-ignore', ...args, folder], { maxBuffer: 1e9 })
    } catch (error) {
      // 1: nothing was found.
      if ((error as { status?: number }).status !== 1) throw error
    }
  }
  run('--files-with-matches', '--ignore-case', '--fixed-strings', word)
  run('--files')
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    return false
  }
}

/** Fills a folder with files of made-up words, most of them of 200 to 5,000 bytes, the same on each run. */
async function fill(folder: string): Promise<{ words: string[]; megabytes: number }> {
  let seed = 1
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  // The lower the place, the likelier the letter or the word, as it is in languages.
  const likelier = (below: number): number => Math.min(next(below), next(below), next(below))
  const letters = 'etaoinshrdlcumwfgypbvkjxqz'
  const words = Array.from({ length: 5000 }, () =>
    Array.from({ length: 3 + next(8) }, () => letters[likelier(letters.length)]).join('')
  )
  let bytes = 0
  for (let n = 0; n < FILES; n++) {
    const place = Math.floor(n / FILES_PER_FOLDER)
    const path = join(folder, `area-${place % 50}`, `topic-${place % 500}`, `item-${place}`)
    if (n % FILES_PER_FOLDER === 0) await mkdir(path, { recursive: true })
    const lines: string[] = []
    for (let left = 200 * 25 ** (next(1000) / 1000); left > 0; left -= lines.at(-1)!.length + 1) {
      lines.push(Array.from({ length: 9 }, () => words[likelier(words.length)]).join(' '))
    }
    const text = lines.join('\n')
    bytes += text.length
    await writeFile(
      join(path, `${words[next(words.length)]}-${n}.${['md', 'txt', 'ts', 'json'][n % 4]}`),
      text
    )
  }
  // The rarest last words first.
  return { words: words.toReversed(), megabytes: bytes / 1e6 }
}
