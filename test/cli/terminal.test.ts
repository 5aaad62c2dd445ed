import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { DESKTOP, shortHome } from '../attach/fake-node.js'
import { ANNA, homeWith, MAIN } from './command.js'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
/** With what a question of the library and a line of `chat` begin. */
const QUESTION = '◆'
const LINE = '›'

/** Of util-linux: it runs a command on a terminal of its own. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false
const options = { skip: hasTerminal ? false : 'needs the `script` of util-linux' }

/** Runs the real command on a terminal; each part is typed once what it waits for has been shown anew. */
async function typed(
  home: string,
  argv: string[],
  parts: readonly (readonly [awaited: string, keys: string])[]
): Promise<{ status: number | null; shown: string }> {
  const command = [process.execPath, MAIN, ...argv].map((word) => `'${word}'`).join(' ')
  const line = `stty cols 80 rows 24; exec ${command}`
  const env = { ...process.env, SELKIE_HOME: home, SHELL: '/bin/sh', TERM: 'xterm' }
  const child = spawn('script', ['-qec', line, '/dev/null'], { env })
  const left = [...parts]
  let shown = ''
  let from = 0
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece
    const at = left[0] ? shown.indexOf(left[0][0], from) : -1
    if (at < 0) return
    from = shown.length
    child.stdin.write(left.shift()![1])
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, shown }
}

t.test('Ctrl-D at a question ended it silently, with exit code 13', options, async (t) => {
  const home = await homeWith(t, { contact: async () => ANNA, devices: async () => [DESKTOP] })
  for (const argv of [
    ['forget', 'Anna'],
    ['verify', 'Anna'],
    ['device', 'remove', 'desktop'],
    ['device', 'remove', 'desktop', '--yes']
  ])
    t.equal((await typed(home, argv, [[QUESTION, CTRL_D]])).status, 130, argv.join(' '))
  t.equal((await typed(home, ['forget', 'Anna'], [[QUESTION, CTRL_C]])).status, 130, 'as Ctrl-C does')
  const none = await shortHome(t)
  for (const argv of [['init', '--passphrase'], ['recover']])
    t.equal((await typed(none, argv, [[QUESTION, CTRL_D]])).status, 130, argv.join(' '))
  const twice = await typed(
    none,
    ['init', '--passphrase'],
    [
      [QUESTION, 'a passphrase\r'],
      ['once more', CTRL_D]
    ]
  )
  t.equal(twice.status, 130, 'at the second of two')
})

t.test('a question that is answered is not taken for one that was broken off', options, async (t) => {
  const home = await homeWith(t, { contact: async () => ANNA, forget: async () => ANNA })
  const { status, shown } = await typed(home, ['forget', 'Anna'], [[QUESTION, 'y']])
  t.equal(status, 0)
  t.match(shown, 'Anna is forgotten.')
})

t.test('Ctrl-D at a line of `chat` ends it, as said', options, async (t) => {
  const home = await homeWith(t, {})
  t.equal((await typed(home, ['chat'], [[LINE, CTRL_D]])).status, 0)
  t.equal((await typed(home, ['chat'], [[LINE, CTRL_C]])).status, 130)
})

t.test(
  'a passphrase that `chat` had to ask for was shown, and became the next question',
  options,
  async (t) => {
    const home = await shortHome(t)
    // Letters that nothing else shows.
    const passphrase = 'жщю'
    const keys = `${passphrase}\r`
    const made = await typed(
      home,
      ['init', '--passphrase'],
      [
        [QUESTION, keys],
        ['once more', keys]
      ]
    )
    t.equal(made.status, 0)
    const { status, shown } = await typed(
      home,
      ['chat'],
      [
        [LINE, 'hello\r'],
        [QUESTION, keys]
      ]
    )
    t.equal(status, 1)
    t.match(shown, 'E_MODEL_NONE', 'it was the right one')
    t.notMatch(shown, new RegExp(`[${passphrase}]`))
  }
)
