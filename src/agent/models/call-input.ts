/** The arguments of a call as they are told to a model again: none where they weren’t an object. */
export function callInput(input: string): object {
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'object' && value && !Array.isArray(value)) return value
  } catch {
    // Not even JSON.
  }
  return {}
}
