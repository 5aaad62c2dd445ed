/** How deep what a model writes may nest: JSON that is deeper can be read, but not written again. */
const MAX_DEPTH = 32

/** What a model has written as the input of a call; undefined where it isn’t JSON, or nests without end. */
export function readInput(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input)
    return isDeeper(value, MAX_DEPTH) ? undefined : value
  } catch {
    return undefined
  }
}

/** The arguments of a call as they are told to a model again: none where they weren’t an object. */
export function callInput(input: string): object {
  const value = readInput(input)
  return typeof value === 'object' && value && !Array.isArray(value) ? value : {}
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}
