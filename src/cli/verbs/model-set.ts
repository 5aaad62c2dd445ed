import { resolve } from 'node:path'
import type { ModelChoice } from '../../agent-api.js'
import { usage } from '../args.js'
import { renderModel } from '../model.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Set the model of this device: a server’s, or a file’s',
  positionals: [],
  flags: {
    url: {
      type: 'string',
      value: 'URL',
      about: 'A server that speaks the OpenAI protocol, up to and with /v1'
    },
    model: { type: 'string', value: 'NAME', about: 'The model’s name, as that server has it' },
    'key-env': {
      type: 'string',
      value: 'NAME',
      about: 'Read the key from this variable, which must be set where the node runs'
    },
    'key-file': {
      type: 'string',
      value: 'FILE',
      about: 'Read the key from this file, which only you may read'
    },
    gguf: { type: 'string', value: 'FILE', about: 'A GGUF file, in place of a server; needs node-llama-cpp' }
  },
  run: ({ flags, use }) => {
    const choice = chosen(flags)
    return use((node) => node.setModel(choice))
  },
  text: renderModel
})

function chosen(flags: {
  readonly url?: string | undefined
  readonly model?: string | undefined
  readonly 'key-env'?: string | undefined
  readonly 'key-file'?: string | undefined
  readonly gguf?: string | undefined
}): ModelChoice {
  const { url, model, gguf, 'key-env': keyEnv, 'key-file': keyFile } = flags
  if (gguf !== undefined) {
    if (url !== undefined || model !== undefined || keyEnv !== undefined || keyFile !== undefined)
      throw usage('--gguf FILE stands alone', 'model set')
    return { kind: 'gguf', file: resolve(gguf) }
  }
  if (url === undefined || model === undefined)
    throw usage('Give --url URL and --model NAME, or --gguf FILE', 'model set')
  if (keyEnv !== undefined && keyFile !== undefined)
    throw usage('Give --key-env NAME or --key-file FILE, not both', 'model set')
  return {
    kind: 'url',
    url,
    model,
    ...(keyEnv !== undefined && { keyEnv }),
    ...(keyFile !== undefined && { keyFile: resolve(keyFile) })
  }
}
