import type { ReviewWarning } from '../api.js'
import type { Slug } from '../base/ids.js'
import type { Content } from '../namespace/skill.js'

/** What was found in one skill: what is worth knowing, and what must be dealt with first. */
export interface Findings {
  readonly warnings: readonly ReviewWarning[]
  readonly blocked: readonly ReviewWarning[]
}

/**
 * Looks a skill's content over for what a reader would not see or not expect.
 * Characters that are invisible or change the direction of reading block: what is
 * reviewed must be what a model reads.
 */
export function scan(slug: Slug, content: Content): Findings {
  const texts = [content.title, content.summary, content.header ?? '', ...content.body.filter(isText)]
  const blocked = invisibles(texts.slice(0, 3)).map((char): ReviewWarning => ({
    code: 'W_INVISIBLE',
    message: `An invisible or direction-changing character, ${char}, in its title, summary or frontmatter.`,
    skill: slug
  }))
  for (const { char, line } of invisibleLines(content)) {
    blocked.push({
      code: 'W_INVISIBLE',
      message: `An invisible or direction-changing character, ${char}.`,
      skill: slug,
      line
    })
  }
  const warnings = content.files.flatMap(({ path, exec }): ReviewWarning[] => [
    ...(exec
      ? [{ code: 'W_EXEC', message: 'A program: its author’s system executes it.', skill: slug, path }]
      : []),
    ...(path.split('/').some((name) => name.startsWith('.'))
      ? [{ code: 'W_HIDDEN', message: 'A hidden file: most listings leave it out.', skill: slug, path }]
      : [])
  ])
  return { warnings, blocked }
}

/**
 * Characters that show nothing or turn the reading direction: all that Unicode calls
 * ignorable, controls, line separators. What emoji and some scripts are written with is
 * left out: a variation selector behind, or a joiner between, characters that show.
 */
const INVISIBLE =
  /(?![\n\t]|(?<=[\p{L}\p{M}\p{N}\p{P}\p{S}])[\ufe0e\ufe0f]|(?<=[\p{L}\p{M}\p{S}\ufe0f])[\u200c\u200d](?=[\p{L}\p{M}\p{S}]))[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu

function invisibles(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(INVISIBLE)].map(([char]) => codePoint(char)))
}

function invisibleLines({ body }: Content): { char: string; line: number }[] {
  const found: { char: string; line: number }[] = []
  let line = 1
  for (const part of body) {
    if (typeof part !== 'string') continue
    let from = 0
    for (const match of part.matchAll(INVISIBLE)) {
      line += newlines(part.slice(from, match.index))
      from = match.index
      found.push({ char: codePoint(match[0]), line })
    }
    line += newlines(part.slice(from))
  }
  return found
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}

function codePoint(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

function isText(part: Content['body'][number]): part is string {
  return typeof part === 'string'
}
