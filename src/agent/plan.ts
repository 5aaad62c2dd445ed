import type { RunPlan } from '../agent-api.js'
import type { Slug } from '../base/ids.js'
import { mentions } from '../namespace/mention.js'
import { alignmentText, type Aligned, type MenuEntry } from './menu.js'
import type { Model, ModelAnswer, ModelMessage } from './model.js'

/**
 * Asks the model how it would go about a request.
 *
 * @param messages what was said before, and the request
 * @throws SelkieError E_MODEL_…
 */
export async function planWith(
  model: Model,
  aligned: Aligned,
  messages: readonly ModelMessage[],
  signal: AbortSignal
): Promise<ModelAnswer> {
  return model.answer({ system: alignmentText(aligned), messages, tools: [] }, { signal })
}

/** The plan of a model’s words: the handles that it names and the menu has, in first-seen order. */
export function readPlan(text: string, menu: readonly MenuEntry[]): RunPlan & { readonly handles: Slug[] } {
  const offered = new Set<Slug>(menu.map(({ slug }) => slug))
  const named = mentions(text)
  return {
    text,
    handles: named.filter((slug) => offered.has(slug)),
    ignored: named.filter((slug) => !offered.has(slug))
  }
}
