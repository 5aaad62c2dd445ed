import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const NODE = fileURLToPath(new URL('../../src/node.js', import.meta.url))

const module = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`
/** Says on standard output which modules are loaded, a URL a line. */
const telling = module(`
  import { writeSync } from 'node:fs'
  export function load(url, context, next) {
    writeSync(1, url + '\\n')
    return next(url, context)
  }`)
const register = module(`
  import { register } from 'node:module'
  register(${JSON.stringify(telling)})`)

/** Packages that only a tool or a model needs: megabytes, and tenths of a second. */
const LATE = ['chrono-node', 'ical.js', 'gpt-tokenizer', '@ai-sdk/', 'node-llama-cpp', 'transliteration']

t.test('a node loads no library that only a tool or a model needs', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', register, NODE])
  const loaded = (name: string): boolean => stdout.includes(`/node_modules/${name}`)
  t.ok(loaded('corestore'), 'what it does need is seen')
  t.same(LATE.filter(loaded), [])
})
