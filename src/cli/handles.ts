/** Slugs as they are written: `@a, @b`. */
export function handles(slugs: readonly string[]): string {
  return slugs.map((slug) => `@${slug}`).join(', ')
}
