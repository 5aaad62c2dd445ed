import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { isSelkieError } from '../../src/base/errors.js'
import { encode } from '../../src/base/msgpack.js'
import { readKeyfile, writeKeyfile } from '../../src/keys/keyfile.js'

const secrets = new Uint8Array(64).map((_, i) => i)
const clock = { now: () => 0, random: (length: number) => new Uint8Array(length).fill(7) }

const noPassphrase = (): Promise<string> => Promise.reject(new Error('asked for a passphrase'))
const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

/** The code of what is thrown; undefined where nothing is. */
async function codeOf(action: Promise<unknown>): Promise<string | undefined> {
  try {
    await action
    return undefined
  } catch (error) {
    if (!isSelkieError(error)) throw error
    return error.code
  }
}

t.test('secrets come back, from a file and a folder that are closed', async (t) => {
  const path = join(t.testdir(), 'home', 'keys', 'device')
  await writeKeyfile(path, secrets, undefined, clock)
  t.same(new Uint8Array(await readKeyfile(path, noPassphrase)), secrets)
  t.equal(await mode(path), 0o600)
  t.equal(await mode(join(path, '..')), 0o700)
  t.same(await readdir(join(path, '..')), ['device'], 'no draft is left')
})

t.test('an open folder is closed, and a draft that was left behind not written into', async (t) => {
  const folder = t.testdir({ 'device.new': 'left behind', device: 'before' })
  await chmod(folder, 0o755)
  await chmod(join(folder, 'device.new'), 0o644)
  await writeKeyfile(join(folder, 'device'), secrets, undefined, clock)
  t.equal(await mode(folder), 0o700)
  t.equal(await mode(join(folder, 'device')), 0o600)
})

t.test('a file that others may read is refused', async (t) => {
  const path = join(t.testdir(), 'device')
  await writeKeyfile(path, secrets, undefined, clock)
  for (const open of [0o644, 0o640, 0o604, 0o620, 0o601]) {
    await chmod(path, open)
    t.equal(await codeOf(readKeyfile(path, noPassphrase)), 'E_KEY_OPEN', open.toString(8))
  }
  await chmod(path, 0o400)
  t.equal(await codeOf(readKeyfile(path, noPassphrase)), undefined, 'read-only is closed enough')
})

t.test('under a passphrase', async (t) => {
  const path = join(t.testdir(), 'device')
  await writeKeyfile(path, secrets, 'Ångström', clock)
  const bytes = await readFile(path)
  t.notOk(bytes.includes(Buffer.from(secrets)), 'the secrets aren’t in it')
  t.same(
    new Uint8Array(await readKeyfile(path, async () => 'A\u030angstro\u0308m')),
    secrets,
    'typed on another keyboard'
  )
  t.equal(await codeOf(readKeyfile(path, async () => 'ångström')), 'E_PASSPHRASE')

  bytes[bytes.length - 1]! ^= 1
  await writeFile(path, bytes)
  t.equal(
    await codeOf(readKeyfile(path, async () => 'Ångström')),
    'E_PASSPHRASE',
    'damage looks like a wrong one'
  )
})

t.test('a damaged file is said to be damaged, before a passphrase is asked for', async (t) => {
  const path = join(t.testdir(), 'device')
  const locked = {
    salt: new Uint8Array(16),
    nonce: new Uint8Array(24),
    sealed: new Uint8Array(80),
    memory: 256 * 1024,
    passes: 3
  }
  const plain = encode({ plain: secrets })
  const damaged: Record<string, Uint8Array> = {
    null: encode(null),
    'a list': encode([]),
    'a text as secrets': encode({ plain: 'text' }),
    'both kinds at once': encode({ ...locked, plain: secrets }),
    'a short salt': encode({ ...locked, salt: new Uint8Array(15) }),
    'a long nonce': encode({ ...locked, nonce: new Uint8Array(25) }),
    'nothing sealed': encode({ ...locked, sealed: new Uint8Array(15) }),
    'a memory that would exhaust this machine': encode({ ...locked, memory: 2 ** 32 - 1 }),
    'no passes': encode({ ...locked, passes: 0 })
  }
  for (const length of plain.keys()) damaged[`cut at ${length}`] = plain.subarray(0, length)
  for (const length of encode(locked).keys())
    damaged[`locked, cut at ${length}`] = encode(locked).subarray(0, length)

  await writeFile(path, '', { mode: 0o600 })
  const taken: string[] = []
  for (const [name, bytes] of Object.entries(damaged)) {
    await writeFile(path, bytes)
    if ((await codeOf(readKeyfile(path, noPassphrase))) !== 'E_KEY_DAMAGED') taken.push(name)
  }
  t.same(taken, [])
})
