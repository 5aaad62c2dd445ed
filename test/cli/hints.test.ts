import { Readable } from 'node:stream'
import t from 'tap'
import { ERRORS } from '../../src/base/codes.js'
import { isSelkieError } from '../../src/base/errors.js'
import { parse, splitVerb } from '../../src/cli/args.js'
import { globalsOf } from '../../src/cli/globals.js'
import type { Call } from '../../src/cli/verb.js'
import { loadVerb, VERB_NAMES } from '../../src/cli/verbs.js'

// Words and texts are read from it where there is no terminal: nobody is there to end it.
Object.defineProperty(process, 'stdin', { value: Readable.from([]) })

/** What a field stands for where its name alone isn’t a value. */
const FIELDS: Readonly<Record<string, string>> = { verb: '', given: 'files DIR' }

/** Verbs that make a home or run on without having asked a node first. */
const BY_THEMSELVES = ['init', 'recover', 'device join', 'up', 'mcp', 'dht']

/** The commands of a text, each without `selkie`; what is in brackets may be left out. */
function commandsIn(text: string): string[] {
  const commands = [...text.matchAll(/`selkie ([^`]*)`/g)].map(([, command]) => command!)
  return commands
    .map((command) => command.replace(/\{(\w+)\}/g, (_, name: string) => FIELDS[name] ?? name))
    .flatMap((command) =>
      command.includes('[') ? [command.replace(/\[.*?\]/g, ''), command.replace(/[[\]]/g, '')] : [command]
    )
}

/** As a shell takes it apart, as far as hints go. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)
}

class Reached extends Error {}

/** What keeps a command from getting as far as to a node; undefined where nothing does. */
async function faultOf(command: string): Promise<string | undefined> {
  const { name, rest } = splitVerb(wordsOf(command), VERB_NAMES)
  // `selkie --help`, where a verb may stand.
  if (name === undefined) return rest.includes('--help') ? undefined : 'it has no verb'
  const load = loadVerb(name)
  if (!load) return `there is no verb ${name}`
  const { verb } = await load()
  try {
    const { args, flags } = await parse(rest, name, verb)
    if (flags.help || BY_THEMSELVES.includes(name)) return undefined
    const globals = globalsOf({ ...flags, home: '/nowhere' })
    const use = (): never => {
      throw new Reached()
    }
    const call = { args, flags, globals, use, note: () => {}, problem: () => {}, onProgress: undefined }
    await verb.run(call as unknown as Call, () => {})
    return 'it asks no node'
  } catch (error) {
    // It got as far as to a question, or to a file of the reader’s own, which is not there.
    const asks = isSelkieError(error, 'E_ASK') || isSelkieError(error, 'E_INPUT_FILE')
    if (error instanceof Reached || asks) return undefined
    return isSelkieError(error) ? error.message : String(error)
  }
}

t.test(
  'hints gave commands that failed: `selkie grant calendar`, `selkie forget`, `selkie seal --out`',
  async (t) => {
    const commands = Object.entries(ERRORS).flatMap(([code, { says, hint }]) =>
      commandsIn(`${says} ${hint}`).map((command) => ({ code, command }))
    )
    t.ok(commands.length > 60, `${commands.length} commands were found`)
    const faults: string[] = []
    for (const { code, command } of commands) {
      const fault = await faultOf(command)
      if (fault !== undefined) faults.push(`${code}: selkie ${command}: ${fault}`)
    }
    t.same(faults, [])
  }
)

t.test('a command that can’t be given like that is told from one that can', async (t) => {
  for (const command of ['grant calendar', 'seal @a --out F', 'forget', 'model set', 'pair', 'statsu', ''])
    t.type(await faultOf(command), 'string', command)
  for (const command of ['grant calendar PATH', 'seal @a --to C --out F', 'forget C', 'device rename D N'])
    t.equal(await faultOf(command), undefined, command)
})

t.test('each verb that hints may leave untried is one', (t) => {
  for (const name of BY_THEMSELVES) t.ok(loadVerb(name), name)
  t.end()
})
