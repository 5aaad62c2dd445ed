import { SelkieError } from '../../base/errors.js'
import type { Model } from '../model.js'
import { readChoice } from './choice.js'
import { readKey, type Env } from './key.js'
import { llamaModel } from './llama.js'
import { openaiModel } from './openai.js'

/**
 * The model that is set on this device. An endpoint isn’t asked yet, and a file not loaded.
 *
 * @param env where a key is read from, if it is in a variable: that of this process
 * @throws SelkieError E_MODEL_NONE where none is set; as `readChoice` and `readKey`;
 *   E_MODEL_LLAMA where a file needs a package that isn’t there
 */
export async function openModel(home: string, env: Env = process.env): Promise<Model> {
  const choice = await readChoice(home)
  if (!choice) throw new SelkieError('E_MODEL_NONE')
  if (choice.kind === 'gguf') return llamaModel(choice.file)
  const { url, model } = choice
  return openaiModel({ url, model, key: await readKey(choice, env) })
}
