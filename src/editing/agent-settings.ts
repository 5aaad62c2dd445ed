import type { Blurb } from '../agent-api.js'
import { BLURB_NAMES } from '../store/ops.js'
import type { Self } from '../store/self.js'
import type { Store } from '../store/store.js'
import { refuseLonger } from './notes.js'

/** What the agent is set to on all of a person’s devices. */
export interface AgentSettings {
  /** The person’s own; null for those that Selkie comes with. */
  readonly instructions: string | null
  /** The blurbs that are on. */
  readonly blurbs: ReadonlySet<Blurb>
}

export function settingsOf({ memory: { settings } }: Store): AgentSettings {
  const instructions = settings.get('instructions')?.value
  return {
    instructions: typeof instructions === 'string' ? instructions : null,
    blurbs: new Set(BLURB_NAMES.filter((blurb) => settings.get(`blurb/${blurb}`)?.value === true))
  }
}

/**
 * Sets what the model is told first; null goes back to what Selkie comes with.
 *
 * @throws SelkieError E_TEXT_LIMIT
 */
export async function setInstructions({ store }: Self, text: string | null): Promise<void> {
  if (text !== null)
    refuseLonger('text of the instructions', text, ', or make skills of what isn’t for every question')
  await store.turn(async () => {
    if (text !== settingsOf(store).instructions) await store.append({ type: 'instructions', text })
  })
}

/** Switches a blurb on or off. */
export async function setBlurb({ store }: Self, blurb: Blurb, on: boolean): Promise<void> {
  await store.turn(async () => {
    if (settingsOf(store).blurbs.has(blurb) !== on) await store.append({ type: 'blurb', blurb, on })
  })
}
