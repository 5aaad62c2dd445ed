import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { INBOX_IN_ALL, INBOX_PER_CONTACT } from '../../src/base/limits.js'
import type { BundleId, IdentityKey } from '../../src/base/ids.js'
import { signCard } from '../../src/keys/card.js'
import { rootFrom } from '../../src/keys/identity.js'
import { cardText } from '../../src/people/contacts.js'
import { takeIn } from '../../src/receiving/inbox.js'
import type { Self } from '../../src/store/self.js'
import type { Envelope } from '../../src/wire/message.js'
import { arrive } from '../store/author.js'
import { person } from '../vectors/people.js'
import { home } from '../editing/home.js'
import { deliver, make, pass, people, reviewed, standings } from './people.js'

/** What a contact says of a bundle before it is fetched. */
function envelopeOf(id: string, bytes: number): Envelope {
  return { type: 'bundle', id: id as BundleId, bytes }
}

t.test('new, re-slugged, the same; and nothing is offered', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Pack', 'Take little.')
  await make(ana.node, 'Plan', 'Pack with @pack, dates by @calendar, files by @fetch-file.')
  await make(ben.node, 'Plan', 'Mine.')
  const { id, file } = await deliver(ana, 'plan', 'ben', ben, 'For Saturday.')
  t.match(await ben.node.inbox(), [
    { id, contact: 'Ana', root: 'plan', state: 'waiting', note: 'For Saturday.' }
  ])

  const review = await ben.node.review(id)
  t.equal(standings(review), 'plan re-slugged @plan-2, pack new @pack, fetch-file same @fetch-file')
  t.match(review, {
    sender: { name: 'Ana', verified: false },
    note: 'For Saturday.',
    root: 'plan',
    warnings: [],
    blocked: []
  })
  t.match(review.tools, {
    needed: ['find-file', 'list-devices', 'calendar'],
    missing: [],
    notGranted: ['find-file', 'calendar']
  })
  t.match(reviewed(review, 'plan'), {
    body: 'Pack with @pack, dates by @calendar, files by @fetch-file.',
    author: { name: 'Ana', known: true },
    lineage: [{ author: 'Ana' }],
    tools: ['calendar'],
    mentions: ['pack', 'calendar', 'fetch-file']
  })
  t.equal((await ben.node.list()).length, 4, 'and nothing has come in yet')
  t.match(await ben.node.accept(id, {}), {
    imported: [
      { slug: 'plan-2', status: 're-slugged' },
      { slug: 'pack' },
      { slug: 'fetch-file', status: 'same' }
    ]
  })
  t.match(await ben.node.show('plan-2'), {
    advertised: false,
    enabled: true,
    mentions: ['pack', 'calendar', 'fetch-file']
  })
  t.match(await ben.node.check(), { ok: true })
  t.same(await readdir(join(ben.folder, 'bundles', 'in')), [], 'the sealed bytes are let go')

  const before = await ben.node.list()
  await t.rejects(ben.node.accept(id, {}), { code: 'E_INBOX_DONE' })
  t.match(await ben.node.receive(file), { id, state: 'imported' })
  t.equal(
    standings(await pass(ana, 'plan', 'ben', ben)),
    'plan same @plan-2, pack same @pack, fetch-file same @fetch-file'
  )
  t.same(await ben.node.list(), before, 'a second one changes nothing')
  await t.rejects(ben.node.delete('fetch-file'), { code: 'E_MENTIONED' }, 'mentioned by another name')
})

t.test('what is here under other uids is the same, and its updates find it', async (t) => {
  const md = (name: string, body: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`
  const set = t.testdir({
    x: { a: { 'SKILL.md': md('a', 'See @b.') }, b: { 'SKILL.md': md('b', 'See @a and @b.') } }
  })
  const [one, two, three] = await people(t, 'One', 'Two', 'Three')
  for (const { node } of [one, two]) await node.importFolders([join(set, 'x')])
  await two.node.rename('a', 'other')
  t.equal(standings(await pass(one, 'a', 'two', two)), 'a same @other, b same @b', 'a ring')
  t.equal((await two.node.list()).length, 5)

  await one.node.edit('b', { body: 'See @a, at last.' })
  const review = await pass(one, 'b', 'two', two)
  t.equal(standings(review), 'b update @b, a same @other')
  t.match(reviewed(review, 'b').diff, /-See @other and @b\.\n\+See @other, at last\./)
  t.match(await two.node.show('b'), { body: 'See @other, at last.', versions: 3, diverged: [] })
  t.match(await two.node.check(), { ok: true })

  t.equal(standings(await pass(two, 'b', 'three', three)), 'b new @b, other new @other', 'forwarded')
  t.match(reviewed(await pass(two, 'b', 'three', three), 'b'), { status: 'same', author: { name: 'One' } })
  await one.node.edit('b', { body: 'See @a, once more.' })
  t.equal(
    standings(await pass(one, 'b', 'three', three)),
    'b update @b, a same @other',
    'from its author, by the first name'
  )
  t.equal(standings(await pass(three, 'b', 'two', two)), 'b update @b, other same @other', 'and back')
  t.match(await two.node.show('b'), { body: 'See @other, once more.' })
  t.equal(
    standings(await pass(two, 'b', 'one', one)),
    'b same @b, other same @a',
    'it is known where it began'
  )
  for (const { node } of [one, two, three]) t.match(await node.check(), { ok: true })
})

t.test('an update, edits on both sides, and one’s own that they edited', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.\n\nTwo.\n\nThree.\n')
  await pass(ana, 'plan', 'ben', ben)
  await ben.node.rename('plan', 'their-plan')
  await ben.node.setAdvertised('their-plan', true)

  await ana.node.edit('plan', { body: 'One!\n\nTwo.\n\nThree.\n' })
  const update = await pass(ana, 'plan', 'ben', ben)
  t.equal(standings(update), 'plan update @their-plan')
  t.match(reviewed(update, 'plan').diff, /-One\.\n\+One!/)
  t.match(await ben.node.show('their-plan'), { body: /^One!/, advertised: true, versions: 2 })

  await ben.node.edit('their-plan', { body: 'One!\n\nTwo.\n\nThree!\n' })
  const proposal = await pass(ben, 'their-plan', 'ana', ana)
  t.equal(standings(proposal), 'their-plan yours-edited-by-them @plan')
  t.match(reviewed(proposal, 'their-plan'), {
    author: { name: 'Ben' },
    lineage: [{ author: 'Ben' }, { author: 'you' }, { author: 'you' }]
  })
  t.match(await ana.node.show('plan'), { body: /Three!/ })

  await ana.node.edit('plan', { body: 'One, by Ana.\n\nTwo.\n\nThree!\n' })
  await ben.node.edit('their-plan', { body: 'One!\n\nTwo.\n\nThree, by Ben.\n' })
  const diverged = await pass(ana, 'plan', 'ben', ben)
  t.match(reviewed(diverged, 'plan'), {
    status: 'diverged',
    merge: { clean: true, text: /One, by Ana\.[^]*Three, by Ben\./ }
  })
  const shown = await ben.node.show('their-plan')
  t.match(shown, { body: /Three, by Ben/, diverged: [/./] }, 'one’s own stays shown, theirs beside it')
  t.match((await ben.node.show('their-plan', shown.diverged[0])).body, /One, by Ana/)
  t.match(await ben.node.restore('their-plan', shown.diverged[0]), { slug: 'their-plan' })
  t.match(await ben.node.show('their-plan'), { body: /One, by Ana/, diverged: [] })

  await ana.node.edit('plan', { body: 'All of it by Ana.' })
  await ben.node.edit('their-plan', { body: 'All of it by Ben.' })
  const { id } = await deliver(ana, 'plan', 'ben', ben)
  t.match(reviewed(await ben.node.review(id), 'plan').merge, {
    clean: false,
    text: /<<<<<<< yours[^]*by Ben[^]*=======[^]*by Ana[^]*>>>>>>> theirs/
  })
  for (const { node } of [ana, ben]) t.match(await node.check(), { ok: true })
})

t.test('decisions', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Leaf', 'Theirs.')
  await make(ana.node, 'Plan', 'See @leaf and @fetch-file.')
  await make(ben.node, 'Mine', 'My own.')
  const { id } = await deliver(ana, 'plan', 'ben', ben)
  await ben.node.review(id)
  const before = await ben.node.list()
  for (const [code, decisions] of [
    ['E_DECISION_UNKNOWN', { rename: { nobody: 'x' } }],
    ['E_DECISION_UNKNOWN', { drop: ['nobody'] }],
    ['E_DECISION_TWICE', { drop: ['plan'], rename: { plan: 'x' } }],
    ['E_DECISION_TWICE', { useMine: { plan: 'mine' }, rename: { plan: 'x' } }],
    ['E_SLUG_FORM', { rename: { plan: 'No Slug' } }],
    ['E_SLUG_TAKEN', { rename: { plan: 'mine' } }],
    ['E_SLUG_TAKEN', { rename: { plan: 'calendar' } }],
    ['E_SLUG_TAKEN', { rename: { plan: 'same', leaf: 'same' } }],
    ['E_SLUG_UNKNOWN', { useMine: { leaf: 'nobody' } }],
    ['E_SLUG_TOOL', { useMine: { leaf: 'calendar' } }],
    ['E_RENAME_HERE', { rename: { 'fetch-file': 'x' } }],
    ['E_USE_MINE_HERE', { useMine: { 'fetch-file': 'mine' } }],
    ['E_DROP_NEEDED', { drop: ['leaf'] }]
  ] as const) {
    await t.rejects(ben.node.accept(id, decisions as never), { code }, JSON.stringify(decisions))
  }
  t.same(await ben.node.list(), before)
  t.match(await ben.node.accept(id, { rename: { plan: '@Trip' }, useMine: { leaf: 'mine' } }), {
    imported: [
      { incoming: 'plan', slug: 'trip', status: 're-slugged' },
      { incoming: 'leaf', slug: 'mine', status: 'mine' },
      { incoming: 'fetch-file', slug: 'fetch-file', status: 'same' }
    ]
  })
  t.match(await ben.node.show('trip'), { body: 'See @mine and @fetch-file.' })
  t.match((await ben.node.show('mine')).body, /My own/)

  await ana.node.edit('leaf', { body: 'Theirs, later.' })
  const later = await deliver(ana, 'plan', 'ben', ben)
  const review = await ben.node.review(later.id)
  t.equal(standings(review), 'plan same @trip, leaf diverged @mine, fetch-file same @fetch-file')
  t.match(reviewed(review, 'leaf').merge, { clean: false })
  await ben.node.accept(later.id, { useMine: { leaf: 'mine' } })
  t.match(await ben.node.show('mine'), { body: 'My own.', diverged: [] })
  t.match(await ben.node.check(), { ok: true })
})

t.test('what was left out may be mentioned by what is kept of the past', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Leaf', 'Theirs.')
  await make(ana.node, 'Plan', 'See @leaf.')
  await make(ana.node, 'Trip', 'As in @plan.')
  await make(ben.node, 'Mine', 'My own.')
  const { id } = await deliver(ana, 'trip', 'ben', ben)
  await ben.node.review(id)
  await ben.node.accept(id, { useMine: { plan: 'mine' }, drop: ['leaf'] })
  const log = await ben.node.log('mine')
  t.same(new Set(log.map(({ author, here }) => `${author} ${here}`)), new Set(['Ana true', 'you true']))
  const theirs = log.find(({ author }) => author === 'Ana')!.version
  t.match((await ben.node.show('mine', theirs)).body, /^See @missing-[0-9a-f]{8}\.$/)
  await t.rejects(ben.node.restore('mine', theirs), { code: 'E_DANGLES' })
  await ana.node.edit('plan', { body: 'See @leaf twice.' })
  const later = await deliver(ana, 'trip', 'ben', ben)
  const review = await ben.node.review(later.id)
  t.equal(standings(review), 'trip same @trip, plan diverged @mine, leaf new @leaf')
  await ben.node.accept(later.id, {})
  t.match((await ben.node.show('mine', theirs)).body, 'See @leaf.')
  t.match(await ben.node.check(), { ok: true })
})

t.test('an approval is for what was shown and nothing else', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.')
  const { id } = await deliver(ana, 'plan', 'ben', ben)
  await t.rejects(ben.node.accept(id, {}), { code: 'E_NOT_REVIEWED' })
  const { digest } = await ben.node.review(id)
  t.equal((await ben.node.review(id)).digest, digest)
  await make(ben.node, 'Plan', 'Mine.')
  await t.rejects(ben.node.accept(id, {}), { code: 'E_REVIEW_STALE' }, 'its slug was taken')
  await ben.node.review(id)
  await ben.node.accept(id, {})

  await ana.node.edit('plan', { body: 'Two.' })
  const second = await deliver(ana, 'plan', 'ben', ben)
  await ben.node.review(second.id)
  await ben.node.edit('plan-2', { body: 'Edited here.' })
  await t.rejects(ben.node.accept(second.id, {}), { code: 'E_REVIEW_STALE' }, 'an edit here')
  await ben.node.review(second.id)
  await ben.node.rename('plan-2', 'theirs')
  await t.rejects(ben.node.accept(second.id, {}), { code: 'E_REVIEW_STALE' }, 'a rename here')
  await ben.node.review(second.id)
  await ben.node.delete('theirs')
  await t.rejects(ben.node.accept(second.id, {}), { code: 'E_REVIEW_STALE' }, 'a delete here')
  t.equal(
    standings(await ben.node.review(second.id)),
    'plan re-slugged @plan-2',
    'a deleted skill comes as new'
  )
  await ben.node.accept(second.id, {})
  t.match(await ben.node.show('plan-2'), { body: 'Two.', advertised: false })

  const third = await deliver(ana, 'plan', 'ben', ben)
  await ben.node.review(third.id)
  const sealed = join(ben.folder, 'bundles', 'in', `${third.id}.selkie`)
  const before = await readFile(sealed)
  await appendFile(sealed, 'x')
  t.equal((await ben.node.review(third.id)).id, third.id)
  t.ok((await readFile(sealed)).equals(before), 'what was changed is put right before it is opened')
  const copy = ({ store }: Self): Promise<boolean> => {
    const [parcel] = store.memory.inbox.get(third.id as BundleId)!.parcels
    return store.blobs.clear(parcel!)
  }
  t.ok(await ben.under(copy))
  await appendFile(sealed, 'x')
  await t.rejects(ben.node.review(third.id), { code: 'E_INBOX_GONE' })
  await t.rejects(ben.node.accept(third.id, {}), { code: 'E_INBOX_GONE' })
  await rm(sealed)
  await t.rejects(ben.node.accept(third.id, {}), { code: 'E_INBOX_GONE' })
  t.match(
    await ben.node.receive(third.file),
    { id: third.id, state: 'waiting' },
    'the same file again mends it'
  )
  await ben.node.accept(third.id, {})

  await t.rejects(ben.node.review('ffffffff'), { code: 'E_DELIVERY_UNKNOWN' })
  const fourth = await deliver(ana, 'plan', 'ben', ben)
  t.match(await ben.node.decline(fourth.id), { state: 'declined' })
  await t.rejects(ben.node.review(fourth.id), { code: 'E_INBOX_DONE' })
  await t.rejects(ben.node.accept(fourth.id, {}), { code: 'E_INBOX_DONE' })
  t.match(await ben.node.receive(fourth.file), { state: 'declined' })
  await t.rejects(ben.node.decline(third.id), { code: 'E_INBOX_DONE' })
})

t.test('A to B to C keeps A’s authorship, and a later word of A’s finds it', async (t) => {
  const [ana, ben, cleo] = await people(t, 'Ana', 'Ben', 'Cleo')
  await make(ana.node, 'Plan', 'By Ana.')
  await ana.node.edit('plan', { body: 'By Ana, twice.' })
  await pass(ana, 'plan', 'ben', ben)
  await make(ben.node, 'Around', 'As in @plan.')
  const review = await pass(ben, 'around', 'cleo', cleo)
  t.match(reviewed(review, 'plan'), {
    author: { name: 'Ana', known: true },
    lineage: [{ author: 'Ana' }, { author: 'Ana' }]
  })
  const log = await cleo.node.log('plan')
  t.match(log, [
    { author: 'Ana', head: true, here: true },
    { author: 'Ana', head: false, here: false }
  ])
  t.match(await cleo.node.diff('plan'), { from: null }, 'nothing before it is here')
  await t.rejects(cleo.node.diff('plan', log[1]!.version), { code: 'E_VERSION_AWAY' })
  await cleo.node.forget('ana')
  const stranger = await ben.node.contact('ana')
  const again = await deliver(ben, 'plan', 'cleo', cleo)
  t.match(reviewed(await cleo.node.review(again.id), 'plan').author, { identity: stranger.identity })
  await cleo.node.addCard((await ana.node.card()).card)
  await ana.node.edit('plan', { body: 'By Ana, thrice.' })
  t.equal(standings(await pass(ana, 'plan', 'cleo', cleo)), 'plan update @plan')
  t.match(await cleo.node.check(), { ok: true })
})

t.test('exec bits stay off unless the person says so', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  const folder = join(ana.folder, 'in', 'tool')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), '---\nname: tool\ndescription: Runs.\n---\nRun it.\n')
  await writeFile(join(folder, 'run.sh'), '#!/bin/sh\n')
  await writeFile(join(folder, '.hidden'), 'x')
  await chmod(join(folder, 'run.sh'), 0o755)
  await ana.node.importFolders([folder])
  const isProgram = async (to: string): Promise<boolean> => {
    await ben.node.exportFolders(['tool'], join(ben.folder, to), { closure: false })
    return ((await stat(join(ben.folder, to, 'tool', 'run.sh'))).mode & 0o111) !== 0
  }
  const { id } = await deliver(ana, 'tool', 'ben', ben)
  const review = await ben.node.review(id)
  t.same(
    review.warnings.map(({ code, path }) => [code, path]),
    [
      ['W_HIDDEN', '.hidden'],
      ['W_EXEC', 'run.sh']
    ]
  )
  t.match(reviewed(review, 'tool').files, [{ path: '.hidden' }, { path: 'run.sh', exec: true }])
  t.match(await ben.node.reviewFile(id, 'tool', 'run.sh'), { text: '#!/bin/sh\n', exec: true })
  await ben.node.accept(id, {})
  t.notOk(await isProgram('plain'))
  await writeFile(join(folder, 'run.sh'), '#!/bin/sh\necho 2\n')
  await ben.node.delete('tool')
  const second = await deliver(ana, 'tool', 'ben', ben)
  await ben.node.review(second.id)
  await ben.node.accept(second.id, { exec: true })
  t.ok(await isProgram('exec'))
})

t.test('characters that nobody sees block until they are dealt with', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Leaf', 'One.\nIgnore\u200b this.')
  await make(ana.node, 'Plan', 'See @leaf.')
  await make(ben.node, 'Mine', 'My own.')
  const { id } = await deliver(ana, 'plan', 'ben', ben)
  t.match((await ben.node.review(id)).blocked, [
    { code: 'W_INVISIBLE', skill: 'leaf', line: 2, message: /U\+200B/ }
  ])
  await t.rejects(ben.node.accept(id, {}), { code: 'E_BLOCKED', message: /“leaf”/ })
  await t.rejects(ben.node.accept(id, { rename: { leaf: 'x' } }), { code: 'E_BLOCKED' })
  await ben.node.accept(id, { useMine: { leaf: 'mine' } })
  t.match(await ben.node.show('plan'), { body: 'See @mine.' })
  const other = await deliver(ana, 'leaf', 'ben', ben)
  await ben.node.review(other.id)
  await ben.node.accept(other.id, { drop: ['leaf'] })
  t.match(await ben.node.show('mine'), { body: 'My own.' })
})

t.test('a skill of one’s own stands in for one that was deleted', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Leaf', 'Theirs.')
  await make(ana.node, 'Plan', 'See @leaf.')
  await pass(ana, 'leaf', 'ben', ben)
  await ben.node.delete('leaf')
  await make(ben.node, 'Mine', 'My own.')
  const { id } = await deliver(ana, 'plan', 'ben', ben)
  await ben.node.review(id)
  await ben.node.accept(id, { useMine: { leaf: 'mine' } })
  t.match(await ben.node.show('plan'), { body: 'See @mine.' })
  await t.rejects(ben.node.restore('leaf'), { code: 'E_SLUG_UNKNOWN' })
  await t.rejects(ben.node.delete('mine'), { code: 'E_MENTIONED' })
  t.match(await ben.node.check(), { ok: true })
})

t.test('who may send, and what', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  const cleo = await home(t, 'Cleo')
  await make(ana.node, 'Plan', 'One.')
  await cleo.node.addCard((await ben.node.card()).card)
  await ana.node.addCard((await cleo.node.card()).card)
  const file = async (from: typeof ana, to: string, name: string): Promise<string> =>
    (await from.node.seal('fetch-file', to, join(from.folder, name), {})).file
  const fromStranger = await file(cleo, 'ben', 'a')
  await t.rejects(ben.node.receive(fromStranger), { code: 'E_BUNDLE_SENDER' })
  await t.rejects(ben.node.receive(await file(ana, 'cleo', 'b')), { code: 'E_BUNDLE_NOT_FOR_YOU' })
  await t.rejects(ben.node.receive(join(ana.folder, 'absent')), { code: 'E_FILE_READ' })
  await t.rejects(ben.node.receive(ana.folder), { code: 'E_FILE_READ' })
  t.same(await ben.node.inbox(), [])
  await ben.node.addCard((await cleo.node.card()).card)
  t.match(
    await ben.node.receive(fromStranger),
    { contact: 'Cleo', state: 'waiting' },
    'once they are a contact'
  )

  const { id } = await deliver(ana, 'plan', 'ben', ben)
  await ben.node.review(id)
  await ben.node.forget('ana')
  await t.rejects(ben.node.accept(id, {}), { code: 'E_BUNDLE_SENDER' })
  await t.rejects(ben.node.send('fetch-file', 'ana', {}), { code: 'E_CONTACT_UNKNOWN' })
  await ben.node.addCard((await ana.node.card()).card)
  await ben.node.accept(id, {})

  const out = join(ana.folder, 'out')
  t.match(await ana.node.seal('plan', 'ben', out, {}), {
    file: out,
    contact: 'Ben',
    skills: ['plan'],
    tools: []
  })
  const before = await readFile(out)
  await t.rejects(ana.node.seal('plan', 'ben', out, {}), { code: 'E_FILE_EXISTS' })
  t.same(await readFile(out), before)
  await t.rejects(ana.node.seal('plan', 'ben', join(ana.folder, 'no', 'out'), {}), { code: 'E_FILE_WRITE' })
  await t.rejects(ana.node.seal('plan', 'nobody', out, {}), { code: 'E_CONTACT_UNKNOWN' })
  await t.rejects(ana.node.seal('plan', 'ben', out, { note: 'x'.repeat(2001) }), { code: 'E_TEXT_LIMIT' })
  await t.rejects(ana.node.seal('nobody', 'ben', out, {}), { code: 'E_SLUG_UNKNOWN' })
  await t.rejects(ana.node.seal('calendar', 'ben', out, {}), { code: 'E_SLUG_TOOL' })
})

t.test('sending is queued once, and stays', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.')
  const sent = await ana.node.send('plan', 'ben', { note: 'Hello.' })
  t.match(sent, { state: 'queued', contact: 'Ben', skills: ['plan'] })
  t.equal((await ana.node.send('plan', 'ben', { note: 'Hello.' })).id, sent.id, 'twice is once')
  t.not((await ana.node.send('plan', 'ben', {})).id, sent.id)
  await ana.released(async () => {})
  t.match(await ana.node.outbox(), [{ state: 'queued' }, { id: sent.id, note: 'Hello.' }])
  t.same(await ben.node.inbox(), [])
  t.match(await ana.node.status(), { outbox: { waiting: 2 }, online: false })
})

t.test('the inbox has room for so much of each contact, and for so much in all', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  await make(ana.node, 'Plan', 'One.')
  const out = join(ana.folder, 'out')
  const { bytes } = await ana.node.seal('plan', 'ben', out, {})
  const sender = { ...person('Ana', 1), identity: (await ana.node.card()).identity as IdentityKey }
  const filler = (id: string, size: number, from = sender) => arrive(id, from, { bytes: size })
  await ben.under(({ store }) => store.append(filler('1', INBOX_PER_CONTACT - bytes + 1)))
  await t.rejects(ben.node.receive(out), { code: 'E_QUOTA_HERE' })
  await ben.under(async (self) => {
    const receipt = await takeIn(self, sender.identity, envelopeOf('9'.repeat(32), bytes), () =>
      Promise.reject(new Error('fetched'))
    )
    t.match(receipt, { state: 'held', problem: 'E_QUOTA' }, 'and over the wire it isn’t even fetched')
  })
  await ben.node.decline('1'.padStart(32, '0'))
  const others = Array.from({ length: 4 }, (_, n) => person(`Other ${n}`, 1))
  await ben.under(async ({ store }) => {
    for (const [n, other] of others.entries()) await store.append(filler(`a${n}`, INBOX_IN_ALL / 4, other))
  })
  await t.rejects(ben.node.receive(out), { code: 'E_QUOTA_HERE' })
  await ben.node.decline('a0'.padStart(32, '0'))
  t.match(await ben.node.receive(out), { state: 'waiting' }, 'what is declined makes room')
})

t.test('over the wire: what can’t be opened is kept, and may open later', async (t) => {
  const [ana, ben] = [await home(t, 'Ana'), await home(t, 'Ben')]
  await ana.node.addCard((await ben.node.card()).card)
  await make(ana.node, 'Plan', 'One.')
  const first = await ana.node.seal('plan', 'ben', join(ana.folder, 'first'), {})
  const second = await ana.node.seal('plan', 'ben', join(ana.folder, 'second'), {})
  const sealed = await readFile(first.file)
  const { identity, card } = await ana.node.card()
  const take = ({ id, bytes }: typeof first, fetched: Uint8Array | undefined) =>
    ben.under((self) =>
      takeIn(self, identity as IdentityKey, envelopeOf(id, bytes), () => Promise.resolve(fetched))
    )
  // Ben knows Ana by a card from before she had this device.
  const root = rootFrom(ana.words)
  const before = signCard(
    { identity: root.identity, name: 'Ana', life: 1, number: 0, devices: [], removed: [] },
    root
  )
  await ben.node.addCard(cardText(before.bytes))
  t.match(await take(first, sealed), { state: 'declined', problem: 'E_BUNDLE_DEVICE' })
  t.match(await ben.node.inbox(), [{ id: first.id, state: 'damaged', problem: { code: 'E_BUNDLE_DEVICE' } }])
  await t.rejects(ben.node.review(first.id), { code: 'E_BUNDLE_DEVICE' })

  await ben.node.addCard(card)
  t.equal(standings(await ben.node.review(first.id)), 'plan new @plan')
  t.match(await ben.node.inbox(), [{ id: first.id, state: 'waiting', root: 'plan' }])
  await ben.node.accept(first.id, {})
  t.match(await ben.node.show('plan'), { body: 'One.' })
  t.match(await take(first, undefined), { state: 'imported' }, 'offered again')

  t.match(
    await take(second, sealed),
    { state: 'declined', problem: 'E_BUNDLE_SENDER' },
    'another under its name'
  )
  t.match(await ben.node.receive(second.file), { state: 'waiting' }, 'and whole, as a file')
})

t.test('a bundle with files and lineages goes there and back', async (t) => {
  const [ana, ben] = await people(t, 'Ana', 'Ben')
  const folder = join(ana.folder, 'in', 'doc')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), '---\nname: doc\ndescription: Doc.\n---\nRead data.\n')
  await writeFile(join(folder, 'data.bin'), new Uint8Array(300_000).fill(9))
  await writeFile(join(folder, 'empty'), '')
  await ana.node.importFolders([folder])
  await pass(ana, 'doc', 'ben', ben)
  await ben.node.edit('doc', { body: 'Read data, twice.' })
  const review = await pass(ben, 'doc', 'ana', ana)
  t.equal(standings(review), 'doc yours-edited-by-them @doc')
  t.match(reviewed(review, 'doc').files, [
    { path: 'data.bin', size: 300_000 },
    { path: 'empty', size: 0 }
  ])
  for (const { node } of [ana, ben]) t.match(await node.check(), { ok: true, files: 2 })
})
