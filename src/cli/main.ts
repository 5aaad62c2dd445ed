#!/usr/bin/env node
import { toWire } from '../attach/messages.js'
import { asSelkieError } from '../base/system.js'
import type { SelkieError } from '../base/errors.js'
import { parse, splitVerb, unknown, usage } from './args.js'
import { Session } from './session.js'
import { globalsOf } from './globals.js'
import { BrokenOff } from './prompted.js'
import { loadVerb, secondWords, VERB_NAMES } from './verbs.js'

/** Exit codes: a refusal, wrong usage, and a person who broke off with Ctrl-C, or at a question with Ctrl-D. */
const REFUSED = 1
const WRONG_USAGE = 2
const BROKEN_OFF = 130

const argv = process.argv.slice(2)

// Whoever reads from us may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// What fails where no one waits for it. The process is in no known state then, so it ends.
process.on('uncaughtException', (error) => {
  void refuse(asSelkieError(error))
  process.exit()
})

try {
  await main()
} catch (error) {
  if (error instanceof BrokenOff) process.exitCode = BROKEN_OFF
  else await refuse(asSelkieError(error))
}

async function main(): Promise<void> {
  const { name, rest } = splitVerb(argv, VERB_NAMES)
  const load = name === undefined ? undefined : loadVerb(name)
  const second = name === undefined ? [] : secondWords(name)
  if (name !== undefined && !load && second.length === 0) throw await unknown('verb', name, [...VERB_NAMES])
  const verb = (await load?.())?.verb
  const { args, flags } = await parse(rest, name, verb)
  if (!verb && 'version' in flags) return console.log(await version())
  if (flags.help) return console.log(await usageOf(name))
  if (!verb)
    throw usage(name === undefined ? 'A verb is missing' : `After ${name} comes ${second.join(', ')}`, name)
  await new Session(globalsOf(flags), verb).run({ args, flags })
}

/** An error on stderr for a person, or on stdout as the one JSON value. */
async function refuse(error: SelkieError): Promise<void> {
  const wrongUsage = error.code === 'E_USAGE'
  process.exitCode = wrongUsage ? WRONG_USAGE : REFUSED
  if (argv.includes('--json')) {
    const { code, message, hint } = toWire(error)
    return console.log(JSON.stringify({ error: { code, message, hint } }))
  }
  // The usage comes first, so that a long one doesn’t push the sentence out of sight.
  if (wrongUsage) console.error(`${await usageOf(splitVerb(argv, VERB_NAMES).name)}\n`)
  console.error(`${error.message}\n${error.hint} (${error.code})`)
}

async function usageOf(name: string | undefined): Promise<string> {
  const { renderUsage, renderVerbUsage } = await import('./usage.js')
  const load = name === undefined ? undefined : loadVerb(name)
  if (name !== undefined && load) return renderVerbUsage(name, (await load()).verb)
  return renderUsage(name !== undefined && secondWords(name).length > 0 ? name : undefined)
}

async function version(): Promise<string> {
  const { VERSION } = await import('./version.js')
  return VERSION
}
