import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { toHex } from '../../src/keys/sodium.js'
import { openLogs, pathsOf, prepareHome } from '../../src/store/home.js'
import { OPS_VERSION, type Op } from '../../src/store/ops.js'
import type { Place } from '../../src/store/epoch.js'
import { Store } from '../../src/store/store.js'
import { initHome, openNode } from '../../src/node.js'
import { uidOf } from '../namespace/skills.js'
import { person } from '../vectors/people.js'
import { found, headOf, importOf, save } from './author.js'

const ana = person('Ana', 1)
const KEY = new Uint8Array(32).fill(7)
const PLACE = '5'.repeat(64)

/** A founded store in a folder, and how to open it again. */
async function foundedIn(folder: string): Promise<Place> {
  const logs = await openLogs(pathsOf(folder))
  const store = await Store.found(logs, PLACE, KEY)
  await store.append(found(ana))
  await store.append(save(ana, { uid: uidOf(1), slug: 'plan' }))
  await store.close()
  await logs.close()
  return { place: PLACE, base: store.base, encryption: toHex(KEY) }
}

async function opened(
  t: Test,
  folder: string,
  epoch: Place
): Promise<{ store: Store; close: () => Promise<void> }> {
  const logs = await openLogs(pathsOf(folder))
  try {
    const store = await Store.open(logs, epoch)
    const close = async (): Promise<void> => {
      await store.close()
      await logs.close()
    }
    return { store, close }
  } catch (error) {
    await logs.close()
    throw error
  }
}

/** An op that this build doesn’t know, of a version of the format. */
const foreignOp = (v: number): Op => ({ type: 'dream', v }) as unknown as Op

/** Names in memory, as one text. */
function namesOf({ namespace }: Store): string {
  return namespace
    .live()
    .map((row) =>
      JSON.stringify({ ...row, mentionedBy: namespace.mentionersOf(row.uid).map(({ slug }) => slug) })
    )
    .join('\n')
}

t.test('what was appended is there after it was closed and opened', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  const first = await opened(t, folder, epoch)
  const kinds: string[] = []
  first.store.on('change', (changed) => kinds.push(...changed))
  const root = save(ana, { uid: uidOf(2), slug: 'trip', body: ['See ', { skill: uidOf(1) }, '.'] })
  await first.store.append(root)
  t.ok(kinds.includes('skill'))
  await first.store.append({ type: 'rename', uid: uidOf(1), slug: 'pack' as never })
  await first.store.append(
    save(ana, { uid: uidOf(2), slug: 'trip', title: 'No mention', parents: [headOf(root)] })
  )
  await first.store.append({ type: 'delete', uid: uidOf(1) })
  await first.store.append({ type: 'restore', uid: uidOf(1) })
  await first.store.append(save(ana, { uid: uidOf(3), slug: 'pack', body: [{ skill: uidOf(1) }] }))
  const before = namesOf(first.store)
  t.match(before, /"slug":"pack-2".*"mentionedBy":\[\]/)
  await first.close()
  const second = await opened(t, folder, epoch)
  t.equal(namesOf(second.store), before, 'names in memory are those of the view')
  await second.close()
})

t.test('a home that was closed has nothing to be read again when it is opened next', async (t) => {
  const folder = t.testdir()
  const db = join(pathsOf(folder).store, 'db')
  /** Bytes of the files in which writes are kept until they are in tables. */
  const unread = async (): Promise<number> => {
    const logs = (await readdir(db)).filter((name) => name.endsWith('.log'))
    const sizes = await Promise.all(logs.map(async (name) => (await stat(join(db, name))).size))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const epoch = await foundedIn(folder)
  t.equal(await unread(), 0)
  const { store, close } = await opened(t, folder, epoch)
  await store.append(save(ana, { uid: uidOf(2), slug: 'trip' }))
  t.ok((await unread()) > 0)
  await close()
  t.equal(await unread(), 0)
})

t.test('files are kept, empty ones too; what isn’t here is undefined', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  const first = await opened(t, folder, epoch)
  const blobs = [
    await first.store.blobs.put(new Uint8Array(100_000).fill(3)),
    await first.store.blobs.put(new Uint8Array())
  ]
  await first.store.append(importOf(ana, null, [], { op: { blobs } }))
  await first.close()
  const { store, close } = await opened(t, folder, epoch)
  t.equal((await store.file(blobs[0]!.hash))?.length, 100_000)
  t.equal((await store.file(blobs[1]!.hash))?.length, 0)
  t.ok(await store.blobs.isWhole(blobs[0]!))
  t.notOk(await store.blobs.isWhole({ ...blobs[0]!, hash: blobs[1]!.hash }))
  t.notOk(await store.blobs.isWhole({ ...blobs[0]!, blockOffset: 500 }), 'and nobody waits for it')
  t.equal(await store.file('0'.repeat(64) as never), undefined)
  await close()
})

t.test('an import with more contents than one block holds is still one step', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  const { store, close } = await opened(t, folder, epoch)
  const text = 'x'.repeat(1_000_000)
  const saves = Array.from({ length: 20 }, (_, n) =>
    save(ana, { uid: uidOf(n + 10), slug: `big-${n}`, body: [text] })
  )
  const steps: number[] = []
  store.on('change', () => steps.push(store.namespace.live().length))
  await store.append(importOf(ana, null, saves))
  t.same(new Set(steps), new Set([21]))
  t.equal((await store.view.content(saves[19]!.version.content))?.length, saves[19]!.content.length)
  await close()
})

t.test('turns run one after the other, also behind one that failed', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  const { store, close } = await opened(t, folder, epoch)
  const order: string[] = []
  const failing = store.turn(async () => {
    await store.view.get('owner')
    order.push('first')
    throw new Error('first')
  })
  const next = store.turn(async () => void order.push('second'))
  await t.rejects(failing, { message: 'first' })
  await next
  t.same(order, ['first', 'second'])
  // Closing waits for whoever is still at it.
  const late = store.turn(() => store.append(save(ana, { uid: uidOf(5), slug: 'late' })))
  await close()
  await late
  const again = await opened(t, folder, epoch)
  t.ok(again.store.namespace.resolve('late' as never))
  await again.close()
})

t.test('a wrong encryption key', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  await t.rejects(opened(t, folder, { ...epoch, encryption: '8'.repeat(64) }), { code: 'E_STORE_KEY' })
  await t.rejects(opened(t, folder, { ...epoch, base: '9'.repeat(64) }), { code: 'E_STORE_KEY' })
  const { store, close } = await opened(t, folder, epoch)
  t.ok(store.namespace.resolve('plan' as never), 'and nothing was harmed')
  await close()
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((each) => each.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name))
    t.notOk(bytes.includes(Buffer.from(KEY)), `the key isn’t in ${file.name}`)
    t.notOk(bytes.includes('What it does.'), `nor is a text in ${file.name}`)
  }
})

t.test('ops of a newer Selkie stop it, and what it has stays readable', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  const { store, close } = await opened(t, folder, epoch)
  await t.rejects(store.append(foreignOp(OPS_VERSION + 1)), { code: 'E_UPGRADE' })
  t.ok(store.namespace.resolve('plan' as never))
  t.ok(await store.view.get('owner'))
  await t.rejects(store.append(save(ana, { uid: uidOf(2), slug: 'next' })), { code: 'E_UPGRADE' })
  await close()
  const again = await opened(t, folder, epoch)
  t.ok(again.store.namespace.resolve('plan' as never), 'also the next time')
  await again.close()
})

t.test('what is no op is passed over', async (t) => {
  const folder = t.testdir()
  const epoch = await foundedIn(folder)
  const { store, close } = await opened(t, folder, epoch)
  await store.append(foreignOp(1))
  await store.append(save(ana, { uid: uidOf(2), slug: 'next' }))
  t.same(
    store.namespace.live().map(({ slug }) => slug),
    ['next', 'plan']
  )
  await close()
})

t.test('a home that another process holds', async (t) => {
  const home = join(t.testdir(), 'home')
  await initHome({ home, name: 'Ana' })
  const holder = spawn(process.execPath, [fileURLToPath(new URL('hold.js', import.meta.url)), home], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  await once(holder.stdout, 'data')
  const passphrase = async (): Promise<string> => ''
  await t.rejects(openNode({ home, passphrase }), { code: 'E_HOME_BUSY' })
  holder.kill('SIGKILL')
  await once(holder, 'close')
  const node = await openNode({ home, passphrase })
  await t.rejects(openNode({ home, passphrase }), { code: 'E_HOME_BUSY' }, 'nor twice in one process')
  t.equal((await node.list()).length, 3)
  await node.close()
})

t.test('a folder that is no home', async (t) => {
  const folder = t.testdir({ foreign: { 'thesis.md': '#' }, file: 'x', empty: {} })
  const passphrase = async (): Promise<string> => ''
  await t.rejects(openNode({ home: join(folder, 'empty'), passphrase }), { code: 'E_HOME_NONE' })
  await t.rejects(initHome({ home: join(folder, 'foreign'), name: 'Ana' }), {
    code: 'E_HOME_FOREIGN',
    fields: { name: 'thesis.md' }
  })
  t.same(await readdir(join(folder, 'foreign')), ['thesis.md'])
  await t.rejects(initHome({ home: join(folder, 'file'), name: 'Ana' }), { code: 'E_HOME_FOLDER' })
  await t.rejects(initHome({ home: join(folder, 'empty'), name: ' \n ' }), { code: 'E_NAME' })
  await t.rejects(initHome({ home: join(folder, 'empty'), name: 'x'.repeat(65) }), { code: 'E_NAME' })
})

t.test('an init that was interrupted can be done again; a home is not overwritten', async (t) => {
  const home = join(t.testdir(), 'home')
  const paths = await prepareHome(home)
  await foundedIn(home)
  await mkdir(join(home, 'keys'), { recursive: true, mode: 0o700 })
  await writeFile(join(paths.inbox, 'left.selkie.part'), 'x')
  const { identity } = await initHome({ home, name: 'Ana' })
  const node = await openNode({ home, passphrase: async () => '' })
  t.match(await node.status(), { identity, skills: 3 })
  await node.close()
  await t.rejects(initHome({ home, name: 'Ana' }), { code: 'E_HOME_EXISTS' })
})

t.test('a home that was copied gave an error of its own making', async (t) => {
  const folder = t.testdir({})
  const [home, copy] = [join(folder, 'home'), join(folder, 'copy')]
  const passphrase = async (): Promise<string> => ''
  await initHome({ home, name: 'Ana' })
  await cp(home, copy, { recursive: true })
  await t.rejects(openNode({ home: copy, passphrase }), { code: 'E_HOME_COPIED', hint: /selkie adopt/ })
  await (await openNode({ home, passphrase })).close()
})

t.test('a file that the disk can’t give counts as damaged, and stops no check', async (t) => {
  const logs = await openLogs(pathsOf(t.testdir({})))
  const store = await Store.found(logs, PLACE, KEY)
  const { blobs } = store
  const pointer = await blobs.put(new Uint8Array(1000).fill(1))
  t.equal(await blobs.isWhole(pointer), true)
  const fault = (code: string) => Object.assign(new Error('disk'), { code })
  blobs.get = () => Promise.reject(fault('EIO'))
  t.equal(await blobs.isWhole(pointer), false)
  blobs.get = () => Promise.reject(fault('EMFILE'))
  await t.rejects(blobs.isWhole(pointer), { code: 'EMFILE' })
  await store.close()
  await logs.close()
})
