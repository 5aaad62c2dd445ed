import t from 'tap'
import type { CheckReport } from '../../src/api.js'
import type { Slug } from '../../src/base/ids.js'
import { checkStore } from '../../src/editing/check.js'
import { utf8 } from '../../src/keys/sodium.js'
import { Namespace } from '../../src/namespace/resolve.js'
import { fileHash } from '../../src/namespace/skill.js'
import { applyOp } from '../../src/store/apply.js'
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
  const store = { view, namespace, blobs: { isWhole: async () => whole } }
  return checkStore({ store } as unknown as Self)
}

async function codesAfter(harm: (view: Table) => Promise<unknown>): Promise<string> {
  const { ok, problems } = await checkedAfter(harm)
  if (ok !== (problems.length === 0)) throw new Error('ok says otherwise than the problems')
  return problems.map(({ code }) => code).join(' ')
}

t.test('a healthy store', async (t) => {
  t.same(await checkedAfter(async () => {}), { ok: true, skills: 2, versions: 2, files: 1, problems: [] })
})

t.test('each kind of damage', async (t) => {
  const skill = async (view: Table, change: object, n = 2) =>
    view.put('skill', { ...(await view.get('skill', uidOf(n)))!, ...change }, uidOf(n))
  t.equal(await codesAfter((view) => skill(view, { slug: 'calendar' })), 'C_SLUG C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { slug: 'Not a slug' })), 'C_SLUG C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { slug: 'plan' })), 'C_SLUG_TWICE C_SLUG_INDEX')
  t.equal(await codesAfter((view) => view.del('slug', 'pack' as Slug)), 'C_SLUG_INDEX')
  t.equal(await codesAfter((view) => skill(view, { head: '0'.repeat(64) })), 'C_CONTENT_MISSING')
  t.equal(await codesAfter((view) => skill(view, { deleted: true })), 'C_DANGLING')
  t.equal(await codesAfter((view) => skill(view, { refs: [] }, 1)), 'C_MENTIONS')
  t.equal(await codesAfter((view) => view.del('mention', uidOf(2), uidOf(1))), 'C_MENTION_INDEX')
  t.equal(await codesAfter((view) => view.putContent(pack.version.content, plan.content)), 'C_CONTENT')
  t.equal(await codesAfter((view) => view.putContent(pack.version.content, utf8('noise'))), 'C_CONTENT')
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
