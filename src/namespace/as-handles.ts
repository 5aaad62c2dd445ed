/** Slugs as they are written: `@a, @b`. */
export function asHandles(slugs: readonly string[]): string {
  return slugs.map((slug) => `@${slug}`).join(', ')
}
