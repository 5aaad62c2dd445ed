/** A skill as far as models get to it. */
interface Listed {
  readonly slug: string
  readonly enabled: boolean
  readonly advertised: boolean
  /** Slugs. */
  readonly mentions: readonly string[]
}

/**
 * The slugs that models get to: of what is advertised, and of what that mentions, itself or
 * through others. A skill that is disabled or not open leads no further.
 *
 * @param isOpen asked of each enabled skill that is got to, once
 */
export async function reachedByModels<T extends Listed>(
  skills: readonly T[],
  isOpen: (skill: T) => boolean | Promise<boolean>
): Promise<Set<string>> {
  const enabled = new Map(skills.flatMap((skill) => (skill.enabled ? [[skill.slug, skill]] : [])))
  const reached = new Set(skills.flatMap(({ slug, advertised }) => (advertised ? [slug] : [])))
  // A set goes on iterating over what is added meanwhile.
  for (const slug of reached) {
    const skill = enabled.get(slug)
    if (skill && (await isOpen(skill))) for (const mention of skill.mentions) reached.add(mention)
  }
  return reached
}
