import type { Pattern } from '../../src/agent/memory/pattern.js'
import type { Found } from '../../src/agent/memory/scan.js'

/** What a pattern finds when every line is tried, one after the other. */
export function naively(
  { source, flags }: Pattern,
  entries: readonly { place: number; said: readonly string[] }[]
): Found[] {
  const regex = new RegExp(source, flags)
  return [...entries]
    .sort((a, b) => b.place - a.place)
    .flatMap(({ place, said }) =>
      said
        .flatMap((text) => text.split(/[\n\r\u2028\u2029]/))
        .filter((line) => line.trim() !== '')
        .map((line, number) => ({ place, number, at: regex.exec(line)?.index ?? -1 }))
        .filter(({ at }) => at >= 0)
    )
}
