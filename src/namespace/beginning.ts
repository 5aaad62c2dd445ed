/** Digits that are enough to tell ids apart, but for those that someone made alike on purpose. */
const ENOUGH = 8

/** The first digits of an id: as many as tell it from the others of `ids`, and eight at least. */
export function beginningOf(id: string, ids: readonly string[]): string {
  const others = ids.filter((other) => other !== id)
  for (let length = ENOUGH; length < id.length; length++) {
    const beginning = id.slice(0, length)
    if (!others.some((other) => other.startsWith(beginning))) return beginning
  }
  return id
}
