import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { ModelMessage, ModelRequest } from '../../src/agent/model.js'
import { saveChoice, showChoice } from '../../src/agent/models/choice.js'
import { llamaModel } from '../../src/agent/models/llama.js'
import type { LlamaChat, LlamaModule } from '../../src/agent/models/llama-module.js'
import { openModel } from '../../src/agent/models/open.js'
import { refused } from './refused.js'

type Generate = LlamaChat['generateResponse']

const never = new AbortController().signal

const TOOL = {
  name: 'call_tool',
  description: 'Calls a tool.',
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object' }, skill: { type: 'string' } },
    required: ['name', 'arguments']
  }
}

function asked(...messages: ModelMessage[]): ModelRequest {
  return { system: 'Be brief.', messages, tools: [TOOL] }
}

/** Stands in for the package: what is said is given, all else is noted. */
function fakeLlama(generate: Generate) {
  const noted: string[] = []
  const module: LlamaModule = {
    getLlama: ({ build }) => {
      noted.push(`started, build ${build}`)
      return Promise.resolve({
        loadModel: ({ modelPath, vocabOnly }) => {
          noted.push(`${vocabOnly ? 'words of' : 'loaded'} ${modelPath}`)
          if (modelPath.includes('damaged')) return Promise.reject(new Error('from the library'))
          return Promise.resolve({
            tokenize: (text) => Array.from(text),
            createContext: () => {
              let tokens = 0
              const usage = () => ({ usedInputTokens: tokens * 10, usedOutputTokens: tokens })
              const tokenMeter = {
                getState: usage,
                diff: () => {
                  tokens++
                  return { usedInputTokens: 10, usedOutputTokens: 1 }
                }
              }
              return Promise.resolve({ getSequence: () => ({ tokenMeter }) })
            }
          })
        },
        dispose: () => {
          noted.push('disposed')
          return Promise.resolve()
        }
      })
    },
    LlamaChat: class {
      generateResponse: Generate = (history, options) => generate(history, options)
    }
  }
  return { noted, load: () => Promise.resolve(module) }
}

t.test('without the package it says how to get it', async (t) => {
  const home = t.testdir()
  const file = join(home, 'tiny.gguf')
  await writeFile(file, 'GGUF and so on')
  await saveChoice(home, { kind: 'gguf', file })
  t.same(await showChoice(home, {}), { kind: 'gguf', file })
  const error = await refused(t, openModel(home, {}), 'E_MODEL_LLAMA')
  t.match(error.hint, 'npm install node-llama-cpp@3.21.1')
})

t.test('an answer in pieces; the file is loaded once, and its words alone to count', async (t) => {
  const { noted, load } = fakeLlama((_history, { onTextChunk }) => {
    onTextChunk('Good ')
    onTextChunk('day')
    return Promise.resolve({ response: 'Good day' })
  })
  const model = await llamaModel('/models/tiny.gguf', load)
  t.equal(model.name, 'tiny.gguf')
  t.same(noted, [], 'opening it loads nothing')
  t.same(await model.count('abc'), { count: 3, exact: true, by: 'llama.cpp' })
  const pieces: string[] = []
  const options = { signal: never, onText: (piece: string) => pieces.push(piece) }
  const expected = { text: 'Good day', calls: [], end: 'done', tokens: { input: 10, output: 1 } }
  t.same(await model.answer(asked({ role: 'user', text: 'Hello' }), options), expected)
  await model.answer(asked({ role: 'user', text: 'Hello' }), options)
  t.same(pieces, ['Good ', 'day', 'Good ', 'day'])
  await model.close()
  t.same(noted, [
    'started, build never',
    'words of /models/tiny.gguf',
    'loaded /models/tiny.gguf',
    'disposed'
  ])
})

t.test('what was said and called, and the tools, in its own form', async (t) => {
  let given: Parameters<Generate> | undefined
  const { load } = fakeLlama((...all) => {
    given = all
    const functionCalls = [
      { functionName: 'call_tool', params: { name: 'x', arguments: { a: null }, skill: null } },
      { functionName: 'call_tool', params: { name: 'y', arguments: {}, skill: 'fetch-file' } }
    ]
    return Promise.resolve({ response: '', functionCalls })
  })
  const model = await llamaModel('/models/tiny.gguf', load)
  const { calls } = await model.answer(
    asked(
      { role: 'user', text: 'Look' },
      {
        role: 'assistant',
        text: 'I look.',
        calls: [
          { id: 'a', name: 'call_tool', input: '{"name":"find_file"}' },
          { id: 'b', name: 'call_tool', input: '{"na' }
        ]
      },
      {
        role: 'results',
        results: [
          { id: 'a', text: '{"files":[]}' },
          { id: 'b', text: 'no' }
        ]
      },
      { role: 'assistant', text: 'Nothing.', calls: [] },
      { role: 'user', text: 'Again' }
    ),
    { signal: never }
  )
  const [history, { functions, documentFunctionParams }] = given!
  const called = { type: 'functionCall', name: 'call_tool' }
  t.same(history, [
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Look' },
    {
      type: 'model',
      response: [
        'I look.',
        { ...called, params: { name: 'find_file' }, result: { files: [] }, startsNewChunk: true },
        { ...called, params: {}, result: 'no', startsNewChunk: false },
        'Nothing.'
      ]
    },
    { type: 'user', text: 'Again' }
  ])
  t.same(functions, {
    call_tool: {
      description: 'Calls a tool.',
      params: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          arguments: { type: 'object', additionalProperties: true },
          skill: { oneOf: [{ type: 'string' }, { type: 'null' }] }
        }
      }
    }
  })
  t.equal(documentFunctionParams, true)
  t.same(
    calls.map(({ name, input }) => [name, input]),
    [
      ['call_tool', '{"name":"x","arguments":{"a":null}}'],
      ['call_tool', '{"name":"y","arguments":{},"skill":"fetch-file"}']
    ]
  )
  t.equal(new Set(calls.map(({ id }) => id)).size, 2)
})

t.test('a full context: what was said until then, or that there is no room', async (t) => {
  const full = (said: string) =>
    fakeLlama((_history, { signal, onTextChunk, contextShift }) => {
      if (said) onTextChunk(said)
      t.same(contextShift.strategy(), { chatHistory: [] }, 'nothing is dropped and gone on from')
      t.ok(signal.aborted)
      return Promise.reject(signal.reason as Error)
    }).load
  const cut = await llamaModel('/models/tiny.gguf', full('Half an'))
  t.match(await cut.answer(asked(), { signal: never }), { text: 'Half an', calls: [], end: 'length' })
  const none = await llamaModel('/models/tiny.gguf', full(''))
  await refused(t, none.answer(asked(), { signal: never }), 'E_MODEL_CONTEXT')
})

t.test('faults, and being stopped', async (t) => {
  const reason = new Error('the person stops it')
  const stop = new AbortController()
  const { load, noted } = fakeLlama((_history, { signal }) => {
    stop.abort(reason)
    t.ok(signal.aborted)
    return Promise.reject(signal.reason as Error)
  })
  const model = await llamaModel('/models/tiny.gguf', load)
  await t.rejects(model.answer(asked(), { signal: stop.signal }), reason)
  const damaged = await llamaModel('/models/damaged.gguf', load)
  await refused(t, damaged.answer(asked(), { signal: never }), 'E_MODEL_LOAD')
  await refused(t, damaged.answer(asked(), { signal: never }), 'E_MODEL_LOAD')
  t.equal(noted.filter((each) => each === 'loaded /models/damaged.gguf').length, 2, 'it is tried again')
  t.match(await damaged.count('12345'), { count: 2, exact: false })
  const broken = fakeLlama(() => Promise.reject(new Error('from the library')))
  const model2 = await llamaModel('/models/tiny.gguf', broken.load)
  await refused(t, model2.answer(asked(), { signal: never }), 'E_MODEL_CUT')
})
