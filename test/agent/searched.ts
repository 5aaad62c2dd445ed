import { constants, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import { FileFinder } from '../../src/agent/files/finder.js'
import { fold, textOf, wordsOf } from '../../src/agent/files/fold.js'
import type { FileAnswer } from '../../src/wire/asking.js'

/** What is found in folders, by a finder that goes when the test ends. */
export function finderOf(t: Test, ...files: string[]): Finder {
  return new Finder(t, files)
}

export class Finder {
  readonly finder: FileFinder

  constructor(
    t: Test,
    /** What is granted. */
    readonly files: string[],
    apart: readonly string[] = []
  ) {
    this.finder = new FileFinder(this, { apart })
    t.teardown(() => this.finder.close())
  }

  find(query: string, limit = 200): Promise<FileAnswer> {
    return this.finder.find(query, { limit, signal: new AbortController().signal })
  }

  /** The paths that are found, sorted, beneath the first granted folder. */
  async paths(query: string): Promise<string[]> {
    const { hits } = await this.find(query)
    return hits.map(({ path }) => path.slice(this.files[0]!.length + 1)).sort()
  }
}

/**
 * The same by looking everywhere: `path matched`, sorted. A folder that is a link isn’t
 * gone into.
 */
export function naively(root: string, query: string): string[] {
  const words = wordsOf(query)
  const found: string[] = []
  const walk = (folder: string, above: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const folded = `${above}${fold(entry.name)}`
      if (entry.isDirectory()) walk(path, `${folded}/`)
      if (!entry.isFile()) continue
      const bytes = readFileSync(path)
      const text = bytes.includes(0) ? '' : fold(textOf(bytes))
      const isIn = (...places: string[]): boolean =>
        words.every((word) => places.some((place) => place.includes(word)))
      if (isIn(fold(entry.name))) found.push(`${path} name`)
      else if (isIn(folded)) found.push(`${path} path`)
      else if (isIn(folded, text)) found.push(`${path} text`)
    }
  }
  if (lstatSync(root).mode & constants.S_IFDIR) walk(root, `${fold(basename(root))}/`)
  return found.sort()
}
