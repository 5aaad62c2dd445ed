import { parser } from '@lezer/markdown'
import { cut } from './names.js'

/**
 * The first paragraph of a Markdown text, else its first heading, on one line and at
 * most `length` characters; undefined where it has neither.
 */
export function firstWords(text: string, length: number): string | undefined {
  let heading: string | undefined
  let paragraph: string | undefined
  parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (/^(?:ATX|Setext)Heading/.test(name))
        heading ??= plain(text.slice(from, to).replace(/^#+|\n[-=]+$/g, ''))
      if (name === 'Paragraph') paragraph ??= plain(text.slice(from, to))
      return paragraph === undefined
    }
  })
  const words = paragraph || heading
  return words ? cut(words, length) : undefined
}

function plain(text: string): string {
  return text.trim().split(/\s+/).join(' ')
}
