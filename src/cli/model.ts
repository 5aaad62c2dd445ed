import type { ModelShown } from '../agent-api.js'
import { aligned, oneLine } from './table.js'

/** The model that is set, for a person. */
export function renderModel(model: ModelShown): string {
  if (model.kind === 'none') return 'No model is set. `selkie model set --url URL --model NAME` sets one.'
  if (model.kind === 'gguf') return aligned([['file', oneLine(model.file)]])
  const { url, model: name, key, keyFrom } = model
  return aligned([
    ['model', oneLine(name)],
    ['at', url],
    ['key', key === 'none' ? 'none' : `${key}, in ${oneLine(keyFrom ?? '')}`]
  ])
}
