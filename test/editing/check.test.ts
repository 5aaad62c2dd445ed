import { EventEmitter } from 'node:events'
import t from 'tap'
import type { CheckReport } from '../../src/api.js'
import type { Slug, Uid } from '../../src/base/ids.js'
import { checkStore } from '../../src/editing/check.js'
import { utf8 } from '../../src/keys/sodium.js'
import { Namespace } from '../../src/namespace/resolve.js'
import { fileHash } from '../../src/namespace/skill.js'
import { applyOp } from '../../src/store/apply.js'
import type { Op } from '../../src/store/ops.js'
import type { BlobPointer } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import { Table } from '../../src/store/table.js'
import { uidOf } from '../namespace/skills.js'
import { found, headOf, importOf, save } from '../store/author.js'
import { MemoryCells } from '../store/cells.js'
import { person } from '../vectors/people.js'

const ana = person('Ana', 1)
const mallory = person('Mallory', 1)
const FILE = utf8('- tickets\n')
const hash = fileHash(FILE)
const pointer: BlobPointer = {
  hash,
  core: '0'.repeat(64),
  key: '00'.repeat(32),
  blockOffset: 0,
  blockLength: 1,
  byteOffset: 0,
  byteLength: FILE.length
}
const list = { path: 'list.md', hash, size: FILE.length, exec: false }
const plan = save(ana, {
  uid: uidOf(1),
  slug: 'plan',
  body: ['See ', { skill: uidOf(2) }, '.'],
  files: [list]
})
const pack = save(ana, { uid: uidOf(2), slug: 'pack' })

/** What check says of a small store that was harmed behind the back of apply. */
async function checkedAfter(harm: (view: Table) => Promise<unknown>, whole = true): Promise<CheckReport> {
  const view = new Table(new MemoryCells())
  const blobs = importOf(ana, null, [], { op: { blobs: [pointer] } })
  for (const op of [found(ana), blobs, pack, plan]) await applyOp(view, op)
  await harm(view)
  const namespace = new Namespace()
  for await (const { row } of view.all('skill')) namespace.put(row)
  for await (const { name, row } of view.all('alias')) namespace.putAlias(name as Uid, row.to)
  const blobsHere = { has: async () => true, isWhole: async () => whole }
  const store = Object.assign(new EventEmitter(), {
    view,
    namespace,
    blobs: blobsHere,
    settled: async () => {}
  })
  return checkStore({ identity: ana.identity, store } as unknown as Self)
}

async function codesAfter(harm: (view: Table) => Promise<unknown>): Promise<string> {
  const { ok, problems } = await checkedAfter(harm)
  if (ok !== (problems.length === 0)) throw new Error('ok says otherwise than the problems')
  return problems.map(({ code }) => code).join(' ')
}

t.test('a healthy store', async (t) => {
  t.same(await checkedAfter(async () => {}), { ok: true, skills: 2, versions: 2, files: 1, problems: [] })
})

t.test('what was written during a check seemed to be damage', async (t) => {
  const view = new Table(new MemoryCells())
  const namespace = new Namespace()
  for (const op of [found(ana), pack]) await applyOp(view, op)
  let times = 0
  const store = Object.assign(new EventEmitter(), {
    view,
    namespace,
    blobs: {},
    // The skill is in the view, and its name not yet in memory until it is looked at once more.
    settled: async () => {
      if (++times < 2) return
      namespace.put((await view.get('skill', uidOf(2)))!)
      if (times === 2) store.emit('change')
    }
  })
  const report = await checkStore({ identity: ana.identity, store } as unknown as Self)
  t.same(report, { ok: true, skills: 1, versions: 1, files: 0, problems: [] })
  store.settled = async () => {}
  await view.del('slug', 'pack' as Slug)
  const damaged = await checkStore({ identity: ana.identity, store } as unknown as Self)
  t.match(damaged, { ok: false, problems: [{ code: 'C_SLUG_INDEX' }] }, 'while nothing is written it is')
})

t.test('each kind of damage', async (t) => {
  const skill = async (view: Table, change: object, n = 2) =>
    view.put('skill', { ...(await view.get('skill', uidOf(n)))!, ...change }, uidOf(n))
  t.equal(await codesAfter((view) => skill(view, { slug: 'calendar' })), 'C_SLUG C_SLUG_INDEX C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { slug: 'Not a slug' })), 'C_SLUG C_SLUG_INDEX C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { slug: 'plan' })), 'C_SLUG_TWICE C_SLUG_INDEX C_SLUG_INDEX')
  t.equal(await codesAfter((view) => view.del('slug', 'pack' as Slug)), 'C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { head: '0'.repeat(64) })), 'C_HEADS C_CONTENT_MISSING')
  t.equal(await codesAfter((view) => skill(view, { deleted: true })), 'C_DANGLING C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { refs: [] }, 1)), 'C_MENTIONS C_MENTION_INDEX')
  t.equal(await codesAfter((view) => view.del('mention', uidOf(2), uidOf(1))), 'C_MENTION_INDEX')
  t.equal(
    await codesAfter((view) => view.putContent(pack.version.content, plan.content)),
    'C_CONTENT C_VERSION_TEXT'
  )
  t.equal(
    await codesAfter((view) => view.putContent(pack.version.content, utf8('noise'))),
    'C_CONTENT C_VERSION_TEXT'
  )
  t.equal(await codesAfter((view) => view.del('blob', hash)), 'C_FILE_MISSING')
  t.equal(
    await codesAfter((view) => view.put('version', { ...pack.version, time: 1 }, headOf(pack))),
    'C_SIGNATURE'
  )
  const device = ana.devices[0]!.signer.key
  t.equal(
    await codesAfter((view) => view.del('attestation', ana.identity, device)),
    'C_SIGNATURE C_SIGNATURE'
  )
  const foreign = save(mallory, { uid: uidOf(3), slug: 'x' })
  t.equal(await codesAfter((view) => view.put('version', foreign.version, headOf(foreign))), 'C_SIGNATURE')
  t.same(
    (await checkedAfter(async () => {}, false)).problems.map(({ code }) => code),
    ['C_FILE']
  )
})

t.test('notes and profiles that apply didn’t make so', async (t) => {
  const id = '1'.repeat(32)
  const [revision, other] = ['2'.repeat(32), '3'.repeat(32)]
  const begin = async (view: Table): Promise<void> => {
    const ops: Op[] = [
      { type: 'note', id, revision, text: 'Milk', over: [], time: 1 },
      { type: 'bind', profile: id, name: 'Work', uid: uidOf(1), to: 'latest' }
    ]
    for (const op of ops) await applyOp(view, op)
  }
  const after = (harm: (view: Table) => Promise<unknown>): Promise<string> =>
    codesAfter(async (view) => {
      await begin(view)
      await harm(view)
    })
  t.equal(await after(async () => {}), '')
  t.equal(
    await after(async (view) => view.put('note', { ...(await view.get('note', id))!, revision: other }, id)),
    'C_NOTE'
  )
  t.equal(await after((view) => view.del('revision', revision)), 'C_NOTE')
  t.equal(await after((view) => view.del('note', id)), 'C_NOTE')
  const bindings = [{ uid: uidOf(9), to: 'latest' as const }]
  const profile = { id, name: 'Work', bindings, deleted: false }
  t.equal(await after((view) => view.put('profile', profile, id)), 'C_PROFILE')
})

t.test('the text of an own older version was gone, and check said that all is well', async (t) => {
  const later = save(ana, { uid: uidOf(2), slug: 'pack', body: ['Later.'], parents: [headOf(pack)] })
  const lose = async (view: Table): Promise<void> => {
    await applyOp(view, later)
    await view.putContent(pack.version.content, utf8('noise'))
  }
  t.equal(await codesAfter(lose), 'C_VERSION_TEXT')
})

t.test('what stands beside, what is deleted and what stands in were passed over', async (t) => {
  const apart = save(mallory, { uid: uidOf(2), slug: 'pack', body: ['Apart.'] })
  const addHead = async (view: Table): Promise<void> => {
    const row = (await view.get('skill', uidOf(2)))!
    await view.put('skill', { ...row, heads: [...row.heads, headOf(apart)] }, row.uid)
  }
  t.equal(await codesAfter(addHead), 'C_CONTENT_MISSING')
  const bury = async (view: Table): Promise<void> => {
    await applyOp(view, { type: 'delete', uid: uidOf(1) })
    await view.putContent(plan.version.content, utf8('noise'))
  }
  t.equal(await codesAfter(bury), 'C_CONTENT C_VERSION_TEXT')
  const alias = (view: Table, from: Uid, to: Uid) => view.put('alias', { to, seen: headOf(pack) }, from)
  t.equal(await codesAfter((view) => alias(view, uidOf(8), uidOf(9))), 'C_ALIAS')
  t.equal(await codesAfter((view) => view.put('slug', uidOf(9), 'ghost' as Slug)), 'C_SLUG_INDEX')
  t.equal(await codesAfter((view) => view.put('mention', null, uidOf(1), uidOf(2))), 'C_MENTION_INDEX')
})
