import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { liveSkill, shownContent } from '../../src/editing/find.js'
import { utf8 } from '../../src/keys/sodium.js'
import { contentHash, encodeContent } from '../../src/namespace/content.js'
import { signVersion, versionHash } from '../../src/namespace/version.js'
import { seconds, type Self } from '../../src/store/self.js'
import type { Home } from '../editing/home.js'
import { deliver, make, pass, people } from './people.js'

t.test('what both edited is offered as a merge, and saved only when told to', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.\n\nTwo.\n\nThree.\n')
  await pass(ana, 'plan', 'ben', ben)
  await t.rejects(ben.node.merge('plan', {}), { code: 'E_MERGE_NOTHING' })
  await ana.node.edit('plan', { title: 'Plan it', body: 'One, by Ana.\n\nTwo.\n\nThree.\n' })
  await ben.node.edit('plan', { body: 'One.\n\nTwo.\n\nThree, by Ben.\n' })
  const mine = (await ben.node.show('plan')).version
  await pass(ana, 'plan', 'ben', ben)

  const [conflict] = await ben.node.conflicts()
  t.match(conflict, { slug: 'plan', shown: mine, beside: [{ author: 'Ana' }] })
  const offered = await ben.node.merge('plan', {})
  t.match(offered, {
    with: conflict!.beside[0]!.version,
    conflicts: [],
    title: 'Plan it',
    body: 'One, by Ana.\n\nTwo.\n\nThree, by Ben.\n',
    saved: null
  })
  t.equal((await ben.node.show('plan')).version, mine, 'nothing is changed by looking')
  const { saved } = await ben.node.merge('plan', { save: true })
  t.match(await ben.node.show('plan'), { version: saved, title: 'Plan it', body: offered.body, diverged: [] })
  t.same((await ben.node.log('plan'))[0]!.parents, [mine, offered.with].sort())
  t.same(await ben.node.conflicts(), [])

  t.match(await pass(ben, 'plan', 'ana', ana), { skills: [{ status: 'yours-edited-by-them' }] })
  t.match(
    await ana.node.show('plan'),
    { body: offered.body, diverged: [] },
    'and at the other end it follows on'
  )
})

t.test('where both edited the same, only a body that was put right by hand is saved', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.\n')
  await pass(ana, 'plan', 'ben', ben)
  await ana.node.edit('plan', { body: 'Ana.\n' })
  await ben.node.edit('plan', { body: 'Ben.\n' })
  await pass(ana, 'plan', 'ben', ben)
  t.match(await ben.node.merge('plan', {}), { conflicts: ['body'], body: /<<<<<<< yours\nBen\.\n/ })
  await t.rejects(ben.node.merge('plan', { save: true }), { code: 'E_MERGE_CONFLICT', message: /body/ })
  await t.rejects(ben.node.merge('plan', { body: 'See @nobody.' }), { code: 'E_MENTIONS' })
  t.match(await ben.node.merge('plan', { body: 'Both.\n' }), { saved: /./ })
  t.match(await ben.node.show('plan'), { body: 'Both.\n', diverged: [] })
})

/** Gives a skill another body and a program, as an editor of files would. */
async function addProgram(self: Self, slug: string, body: string): Promise<void> {
  const row = liveSkill(self.store, slug)
  const bytes = utf8('#!/bin/sh\n')
  const blob = await self.store.blobs.put(bytes)
  const file = { path: 'run.sh', hash: blob.hash, size: bytes.length, exec: true }
  const content = encodeContent({ ...(await shownContent(self.store, row)), body: [body], files: [file] })
  const { identity: author, device } = self
  const version = signVersion(
    {
      uid: row.uid,
      content: contentHash(content),
      parents: [row.head],
      author,
      device: device.signer.key,
      time: seconds(self.clock)
    },
    device.signer
  )
  const skill = { uid: row.uid, slug: row.slug, head: versionHash(version), over: row.head }
  await self.store.append({
    type: 'import',
    bundle: null,
    skills: [{ ...skill, beside: false, exec: row.exec, advertised: false }],
    versions: [version],
    attestations: [],
    aliases: [],
    blobs: [blob],
    contents: [content]
  })
}

async function isExecutable({ folder, node }: Home, slug: string): Promise<boolean> {
  const out = join(folder, randomUUID())
  const { exported } = await node.exportFolders([slug], out, { closure: false })
  return ((await stat(join(exported[0]!.folder, 'run.sh'))).mode & 0o111) !== 0
}

t.test('a contact’s program became executable by merging or restoring their version', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.\n\nTwo.\n\nThree.\n')
  await pass(ana, 'plan', 'ben', ben)
  await ben.under((self) => addProgram(self, 'plan', 'One.\n\nTwo.\n\nThree, by Ben.\n'))
  await ana.node.edit('plan', { body: 'One, by Ana.\n\nTwo.\n\nThree.\n' })
  t.match(await pass(ben, 'plan', 'ana', ana), { skills: [{ status: 'diverged' }] })

  t.match(await ana.node.merge('plan', { save: true }), { saved: /./ })
  t.match(await ana.node.show('plan'), { body: /Ana[^]*Ben/, files: [{ path: 'run.sh', exec: false }] })
  t.notOk(await isExecutable(ana, 'plan'))
  const bens = (await ana.node.log('plan')).find(({ author }) => author === 'Ben')!
  await ana.node.restore('plan', bens.version)
  t.notOk(await isExecutable(ana, 'plan'))
})

t.test('text that a review blocks came in by standing something in for it and restoring it', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One \u202e and two.')
  await make(ben.node, 'Mine', 'My own.')
  const { id } = await deliver(ana, 'plan', 'ben', ben)
  t.match(await ben.node.review(id), { blocked: [{ skill: 'plan' }] })
  await t.rejects(ben.node.accept(id, {}), { code: 'E_BLOCKED' })
  await ben.node.accept(id, { useMine: { plan: 'mine' } })
  const anas = (await ben.node.log('mine')).find(({ author }) => author === 'Ana')!
  await t.rejects(ben.node.restore('mine', anas.version), { code: 'E_INVISIBLE' })
  t.match(await ben.node.show('mine'), { body: 'My own.' })
})

t.test('accepting an edit of one’s own text left one’s own programs without their exec bits', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.\n')
  await ana.under((self) => addProgram(self, 'plan', 'One.\n'))
  t.ok(await isExecutable(ana, 'plan'))
  await pass(ana, 'plan', 'ben', ben)
  t.notOk(await isExecutable(ben, 'plan'))
  await ben.node.edit('plan', { body: 'One, by Ben.\n' })
  t.match(await pass(ben, 'plan', 'ana', ana), { skills: [{ status: 'yours-edited-by-them' }] })
  t.ok(await isExecutable(ana, 'plan'))
})

t.test('every bundle that waited was said to be older than the one behind it', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'One', 'One.')
  await make(ana.node, 'Two', 'Two.')
  const first = await deliver(ana, 'one', 'ben', ben)
  const second = await deliver(ana, 'two', 'ben', ben)
  t.same((await ben.node.review(first.id)).warnings, [])
  t.same((await ben.node.review(second.id)).warnings, [])

  const sealed = [join(ana.folder, 'three.selkie'), join(ana.folder, 'four.selkie')] as const
  await ana.node.seal('one', 'ben', sealed[0], {})
  await ana.node.seal('two', 'ben', sealed[1], {})
  await ben.node.receive(sealed[1])
  const { id } = await ben.node.receive(sealed[0])
  t.match((await ben.node.review(id)).warnings, [{ code: 'W_OLDER' }], 'the one that came late is')
})

t.test('the diff of an accepted edit asked for a version that only its author has', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.\n')
  await pass(ana, 'plan', 'ben', ben)
  await ben.node.edit('plan', { body: 'Two.\n' })
  await ben.node.edit('plan', { body: 'Three.\n' })
  await pass(ben, 'plan', 'ana', ana)
  t.match((await ana.node.diff('plan')).diff, /-One\.\n\+Three\.\n/)
})
