import type { Alignment, Blurb } from '../agent-api.js'
import { settingsOf } from '../editing/agent-settings.js'
import type { Store } from '../store/store.js'
import { BLURBS, INSTRUCTIONS } from './instructions.js'
import { alignmentText, menuOf, planningOf, type Aligned } from './menu.js'
import type { TokenCount } from './model.js'
import type { Profile } from './profile.js'

/** What the model is told ahead of every question, as it is now: in a profile, with its skills. */
export async function alignedNow(store: Store, profile?: Profile): Promise<Aligned> {
  const { instructions, blurbs } = settingsOf(store)
  const menu = profile ? profile.menu : await menuOf(store)
  return { instructions: instructions ?? INSTRUCTIONS, blurbs, menu }
}

/** The whole document for a person, with its price. */
export async function alignmentShown(
  store: Store,
  profile: Profile | undefined,
  count: (text: string) => Promise<TokenCount>
): Promise<Alignment> {
  const aligned = await alignedNow(store, profile)
  const text = alignmentText(aligned)
  return {
    instructions: aligned.instructions,
    edited: aligned.instructions !== INSTRUCTIONS,
    blurbs: (Object.keys(BLURBS) as Blurb[]).map((blurb) => ({
      blurb,
      on: aligned.blurbs.has(blurb),
      text: BLURBS[blurb]
    })),
    menu: aligned.menu.map(({ slug, summary }) => ({ slug, summary })),
    planning: planningOf(aligned),
    text,
    tokens: await count(text)
  }
}
