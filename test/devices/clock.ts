/**
 * A machine whose clock is wrong: what runs within it sees another date, and time goes on
 * from there. Nothing else may run meanwhile.
 */
export function clockAt(date: string): <T>(step: () => Promise<T>) => Promise<T> {
  return async (step) => {
    const { now } = Date
    const shift = Date.parse(date) - now()
    Date.now = () => now() + shift
    try {
      return await step()
    } finally {
      Date.now = now
    }
  }
}
