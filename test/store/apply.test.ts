import t, { type Test } from 'tap'
import type { BundleId, IdentityKey, Slug, ToolName, Uid, VersionHash } from '../../src/base/ids.js'
import { MAX_BODY } from '../../src/base/limits.js'
import { encode } from '../../src/base/msgpack.js'
import { signCard } from '../../src/keys/card.js'
import { attest } from '../../src/keys/identity.js'
import { toHex } from '../../src/keys/sodium.js'
import { contentHash } from '../../src/namespace/content.js'
import { signVersion } from '../../src/namespace/version.js'
import { applyOp } from '../../src/store/apply.js'
import { decodeOp, encodeOp, OPS_VERSION, type Op } from '../../src/store/ops.js'
import type { OutboxRow } from '../../src/store/rows.js'
import { Table } from '../../src/store/table.js'
import { uidOf } from '../namespace/skills.js'
import { person } from '../vectors/people.js'
import { arrive, found, headOf, importOf, save, type SaveOp } from './author.js'
import { MemoryCells } from './cells.js'
import { brokenIn } from './invariants.js'

const ana = person('Ana', 2)
const ben = person('Ben', 1)
const mallory = person('Mallory', 1)
const a = uidOf(1)
const b = uidOf(2)
const c = uidOf(3)

/** A view of Ana’s after these ops; every invariant holds after each of them. */
async function viewOf(t: Test, ...ops: readonly Op[]): Promise<{ cells: MemoryCells; view: Table }> {
  const cells = new MemoryCells()
  const world = { cells, view: new Table(cells) }
  await applied(t, world, found(ana), ...ops)
  return world
}

async function applied(t: Test, { view }: { view: Table }, ...ops: readonly Op[]): Promise<void> {
  for (const op of ops) {
    // As it travels: what can’t be encoded or decoded can’t be applied.
    const arrived = decodeOp(encodeOp(op))
    if (arrived) await applyOp(view, arrived)
    t.same(await brokenIn(view), [], op.type)
  }
}

/** That these ops, each by itself, change nothing but what a person is told. */
async function changesNothing(t: Test, world: { cells: MemoryCells; view: Table }, ops: Record<string, Op>) {
  const seen = (): string => world.cells.dump().replace(/^notice.*\n/gm, '')
  const before = seen()
  for (const [name, op] of Object.entries(ops)) {
    await applied(t, world, op)
    t.ok(seen() === before, name)
  }
}

async function slugs(view: Table): Promise<string> {
  const names: string[] = []
  for await (const { name } of view.all('slug')) names.push(name)
  return names.join(' ')
}

const rename = (uid: Uid, slug: string): Op => ({ type: 'rename', uid, slug: slug as Slug })
const del = (uid: Uid): Op => ({ type: 'delete', uid })
const restore = (uid: Uid): Op => ({ type: 'restore', uid })

t.test('a name that was refused before was told as the one that a skill asked for last', async (t) => {
  const [first, second] = [save(ana, { uid: a, slug: 'plan' }), save(ana, { uid: b, slug: 'plan' })]
  const refused = await viewOf(t, first, second)
  t.match(await refused.view.get('notice', 'slug', b), { was: 'plan' })
  for (const [wanted, ...ops] of [
    ['trip', rename(b, 'trip')],
    ['plan-2', rename(b, 'plan-2')],
    ['trip', rename(b, 'plan'), rename(b, 'trip')]
  ] as [string, ...Op[]][]) {
    const { view } = await viewOf(t, first, second, ...ops)
    t.match(await view.get('skill', b), { slug: wanted })
    t.match(await view.get('notice', 'slug', b), { was: wanted }, 'so there is nothing to tell')
  }
})

t.test('a save puts a skill in the namespace, and the next a version on top', async (t) => {
  const first = save(ana, { uid: a, slug: 'plan' })
  const second = save(ana, { uid: a, slug: 'other', title: 'Plan more', parents: [headOf(first)], device: 1 })
  const world = await viewOf(t, first)
  await changesNothing(t, world, { 'by a device that nobody attested': second })
  await applied(t, world, importOf(ana, null, [], { op: { attestations: [ana.attestations[1]!] } }), second)
  const row = await world.view.get('skill', a)
  t.match(row, {
    slug: 'plan',
    title: 'Plan more',
    head: headOf(second),
    heads: [headOf(second)],
    versions: 2
  })
  t.ok(await world.view.content(first.version.content), 'nothing is overwritten')
  await changesNothing(t, world, { 'the first again': first, 'the second again': second })
})

t.test('only a version of the skill itself is published', async (t) => {
  const first = save(ana, { uid: a, slug: 'plan' })
  const other = save(ana, { uid: b, slug: 'other' })
  const world = await viewOf(t, first, other)
  const publish = (uid: Uid, version: VersionHash): Op => ({ type: 'publish', uid, version })
  await applied(t, world, publish(a, headOf(first)))
  t.match(await world.view.get('skill', a), { published: headOf(first) })
  await changesNothing(t, world, {
    'of another skill': publish(a, headOf(other)),
    'of none': publish(a, '0'.repeat(64) as VersionHash),
    'of no skill': publish(c, headOf(first))
  })
  await applied(t, world, save(ana, { uid: a, slug: 'plan', title: 'More', parents: [headOf(first)] }))
  t.match(await world.view.get('skill', a), { published: headOf(first), title: 'More' }, 'a draft follows')
})

t.test('a save that isn’t sound changes nothing', async (t) => {
  const good = save(ana, { uid: a, slug: 'plan' })
  const { version } = good
  const foreign = save(mallory, { uid: a, slug: 'plan' })
  const lone = new TextEncoder().encode('no msgpack')
  const odd = encode({ title: 'x', summary: 'x', header: null, body: ['@plan'], files: [] })
  const resigned = (content: Uint8Array): SaveOp => ({
    ...good,
    content,
    version: signVersion({ ...version, content: contentHash(content) }, ana.devices[0]!.signer)
  })
  await changesNothing(t, await viewOf(t), {
    unsigned: { ...good, version: { ...version, signature: '0'.repeat(128) } },
    'by a stranger': foreign,
    'by a stranger in Ana’s name': { ...foreign, version: { ...foreign.version, author: ana.identity } },
    'in Ben’s name': { ...good, version: { ...version, author: ben.identity } },
    'of another time than was signed': { ...good, version: { ...version, time: 1 } },
    'another content': { ...good, content: save(ana, { uid: a, slug: 'x', body: ['Else.'] }).content },
    'an unknown skill': save(ana, { uid: a, slug: 'plan', body: ['See ', { skill: b }, '.'] }),
    'an unknown tool': save(ana, { uid: a, slug: 'plan', body: [{ tool: 'rm_rf' as ToolName }] }),
    'a mention that is text': resigned(odd),
    'bytes that are none': resigned(lone),
    'a body over the limit': save(ana, { uid: a, slug: 'plan', body: ['x'.repeat(MAX_BODY + 1)] }),
    'no slug': { ...good, slug: 'Plan!' as Slug },
    'an empty slug': { ...good, slug: '' as Slug }
  })
})

t.test('the later of two that claim a slug takes a suffix, and nobody a tool’s', async (t) => {
  const world = await viewOf(
    t,
    save(ana, { uid: a, slug: 'plan' }),
    save(ana, { uid: b, slug: 'plan' }),
    save(ana, { uid: c, slug: 'find-file' })
  )
  t.equal(await slugs(world.view), 'find-file-2 plan plan-2')
  await applied(t, world, rename(c, 'plan'), rename(a, 'calendar'))
  t.equal(await slugs(world.view), 'calendar-2 plan-2 plan-3')
  await applied(t, world, rename(b, 'plan'))
  t.equal(await slugs(world.view), 'calendar-2 plan plan-3')
  await changesNothing(t, world, {
    'to its own slug': rename(b, 'plan'),
    'to no slug': rename(b, 'No Slug'),
    'of nobody': rename(uidOf(9), 'free')
  })
  await applied(t, world, del(b))
  await changesNothing(t, world, { 'of a deleted one': rename(b, 'free') })
})

t.test('a mentioned skill isn’t deleted; its own mention doesn’t count', async (t) => {
  const world = await viewOf(
    t,
    save(ana, { uid: a, slug: 'a', body: ['Again ', { skill: a }, '.'] }),
    save(ana, { uid: b, slug: 'b', body: ['See ', { skill: a }, '.'] })
  )
  await changesNothing(t, world, {
    mentioned: del(a),
    unknown: del(c),
    'a restore of a live one': restore(a)
  })
  await applied(t, world, del(b), del(a))
  t.equal(await slugs(world.view), '')
  await changesNothing(t, world, { 'a second time': del(a) })
  await applied(t, world, save(ana, { uid: c, slug: 'a' }), restore(b))
  t.equal(await slugs(world.view), 'a a-2 b', 'what it mentions comes back with it, beside who took its slug')
})

t.test('a mention made elsewhere wins over a delete, through a ring too', async (t) => {
  const first = save(ana, { uid: a, slug: 'a' })
  const ring = save(ana, { uid: b, slug: 'b', body: [{ skill: a }] })
  const world = await viewOf(t, first, ring)
  const closing = save(ana, { uid: a, slug: 'a', body: [{ skill: b }], parents: [headOf(first)] })
  await applied(t, world, closing)
  await changesNothing(t, world, { 'each holds the other': del(a) })
  const open = save(ana, { uid: b, slug: 'b', body: ['Alone.'], parents: [headOf(ring)] })
  await applied(t, world, open, del(a), del(b))
  t.equal(await slugs(world.view), '')
  await applied(t, world, save(ana, { uid: c, slug: 'c', body: [{ skill: a }] }))
  t.equal(await slugs(world.view), 'a b c', 'a, and b that a mentions')
})

t.test('edits made apart stay, the later shown', async (t) => {
  const root = save(ana, { uid: a, slug: 'a' })
  const one = save(ana, { uid: a, slug: 'a', title: 'One', parents: [headOf(root)] })
  const two = save(ana, { uid: a, slug: 'a', title: 'Two', parents: [headOf(root)] })
  const world = await viewOf(t, root, one, two)
  t.match(await world.view.get('skill', a), { title: 'Two', heads: [headOf(two), headOf(one)] })
  const merged = save(ana, { uid: a, slug: 'a', title: 'Both', parents: [headOf(one), headOf(two)] })
  await applied(t, world, merged)
  t.match(await world.view.get('skill', a), { title: 'Both', heads: [headOf(merged)], versions: 4 })
})

t.test('an edit brings a deleted skill back', async (t) => {
  const root = save(ana, { uid: a, slug: 'a' })
  const world = await viewOf(t, root, del(a), save(ana, { uid: b, slug: 'a' }))
  await applied(t, world, save(ana, { uid: a, slug: 'a', title: 'Again', parents: [headOf(root)] }))
  t.equal(await slugs(world.view), 'a a-2')
})

t.test('enabled and advertised', async (t) => {
  const world = await viewOf(t, save(ana, { uid: a, slug: 'a' }))
  await applied(
    t,
    world,
    { type: 'enable', uid: a, enabled: false },
    { type: 'advertise', uid: a, advertised: true }
  )
  t.match(await world.view.get('skill', a), { enabled: false, advertised: true })
  await changesNothing(t, world, {
    'of nobody': { type: 'enable', uid: b, enabled: true },
    'of nobody either': { type: 'advertise', uid: b, advertised: true }
  })
})

t.test('an import comes in whole: rings, slugs that are taken, aliases', async (t) => {
  const mine = save(ana, { uid: uidOf(9), slug: 'plan' })
  const saves = [
    save(ben, { uid: a, slug: 'plan', body: ['See ', { skill: b }, '.'] }),
    save(ben, { uid: b, slug: 'pack', body: ['Of ', { skill: a }, ' and ', { skill: c }, '.'] })
  ]
  const theirs = save(ben, { uid: c, slug: 'plan-b' })
  const versions = [...saves, theirs].map(({ version }) => version)
  const aliases = [{ from: c, to: uidOf(9), seen: headOf(theirs) }]
  const op = importOf(ben, '7', saves, { op: { aliases, versions } })
  const world = await viewOf(t, mine, arrive('7', ben))
  await applied(t, world, op)
  t.equal(await slugs(world.view), 'pack plan plan-2')
  t.match(await world.view.get('inbox', op.bundle!), { state: 'imported' })
  t.match(await world.view.get('skill', a), { exec: false, advertised: false, enabled: true, versions: 1 })
  t.match(
    await world.view.get('skill', uidOf(9)),
    { head: headOf(mine), versions: 2 },
    'with what it was judged by'
  )
  await changesNothing(t, world, {
    'the same again': op,
    'the same bundle with other decisions': { ...op, skills: [], aliases: [] },
    'a delete of what an alias is mentioned by': del(uidOf(9)),
    'a decline afterwards': { type: 'decline', id: op.bundle! },
    'its arrival again': arrive('7', ben)
  })
})

t.test('an import that is half wrong writes nothing', async (t) => {
  const saves = [
    save(ben, { uid: a, slug: 'plan', body: ['See ', { skill: b }, '.'] }),
    save(ben, { uid: b, slug: 'pack' })
  ]
  const good = importOf(ben, '7', saves)
  const forged = { ...saves[1]!.version, time: 5 }
  const strange = attest(mallory.attestor, ben.devices[0]!)
  const alias = (from: Uid, to: Uid) => [{ from, to, seen: headOf(saves[0]!) }]
  const world = await viewOf(t, arrive('7', ben))
  await changesNothing(t, world, {
    'a forged version': { ...good, versions: [saves[0]!.version, forged] },
    'without attestation': { ...good, attestations: [] },
    'an attestation by someone else': { ...good, attestations: [strange] },
    'an attestation that nobody signed': {
      ...good,
      attestations: [{ ...ben.attestations[0]!, signature: '0'.repeat(128) }]
    },
    'a head that isn’t there': { ...good, versions: [saves[0]!.version] },
    'a content that isn’t there': { ...good, contents: [saves[0]!.content] },
    'a content that is none': { ...good, contents: [...good.contents, Uint8Array.of(1)] },
    'a mention of what isn’t there': { ...good, skills: good.skills.slice(0, 1) },
    'no slug': { ...good, skills: good.skills.map((skill) => ({ ...skill, slug: '-' as Slug })) },
    'an alias to nowhere': { ...good, aliases: alias(c, uidOf(9)) },
    'an alias to itself': { ...good, aliases: alias(c, c) },
    'aliases in a ring': { ...good, aliases: [...alias(c, uidOf(9)), ...alias(uidOf(9), c)] },
    'an alias of what comes in': { ...good, aliases: alias(b, a) },
    'a bundle that never arrived': { ...good, bundle: '8'.padStart(32, '0') as BundleId }
  })
  await applied(t, world, good)
  t.equal(await slugs(world.view), 'pack plan', 'and the whole is still good')
})

t.test('an update takes its skill’s place, unless that moved since the review', async (t) => {
  const first = save(ben, { uid: a, slug: 'plan' })
  const second = save(ben, { uid: a, slug: 'plan', title: 'Second', parents: [headOf(first)] })
  const start = [arrive('1', ben), importOf(ben, '1', [first]), arrive('2', ben)]
  const update = importOf(ben, '2', [second], { skills: { over: headOf(first) } })
  const op = { ...update, versions: [second.version, first.version] }

  const quiet = await viewOf(t, ...start, op)
  t.match(await quiet.view.get('skill', a), { title: 'Second', heads: [headOf(second)], versions: 2 })

  const mine = save(ana, { uid: a, slug: 'plan', title: 'Mine', parents: [headOf(first)] })
  const moved = await viewOf(t, ...start, mine, op)
  t.match(await moved.view.get('skill', a), { title: 'Mine', head: headOf(mine), versions: 3 })
  t.same((await moved.view.get('skill', a))!.heads, [headOf(mine), headOf(second)])

  const beside = { ...op, skills: op.skills.map((skill) => ({ ...skill, beside: true })) }
  const kept = await viewOf(t, ...start, beside)
  t.match(
    await kept.view.get('skill', a),
    { title: 'plan', head: headOf(first) },
    'the shown one stays shown'
  )
})

t.test('an edit that comes after what was made of it is its past, not beside it', async (t) => {
  const first = save(ana, { uid: a, slug: 'plan' })
  const late = save(ana, { uid: a, slug: 'plan', title: 'Late', parents: [headOf(first)] })
  const theirs = save(ben, { uid: a, slug: 'plan', title: 'On top', parents: [headOf(late)] })
  const op = importOf(ben, '1', [theirs], { skills: { over: headOf(first) } })
  const world = await viewOf(t, first, arrive('1', ben), {
    ...op,
    versions: [theirs.version, late.version]
  })
  t.match(await world.view.get('skill', a), { head: headOf(theirs), versions: 3 })
  await applied(t, world, late)
  t.match(await world.view.get('skill', a), { heads: [headOf(theirs)], versions: 3 })
  t.ok(await world.view.content(late.version.content), 'but its text is here now')
})

t.test('a deleted skill that comes again is new: neither offered nor disabled', async (t) => {
  const first = save(ben, { uid: a, slug: 'plan' })
  const world = await viewOf(t, arrive('1', ben), importOf(ben, '1', [first]), arrive('2', ben))
  await applied(
    t,
    world,
    { type: 'advertise', uid: a, advertised: true },
    { type: 'enable', uid: a, enabled: false }
  )
  await applied(t, world, del(a), importOf(ben, '2', [first]))
  t.match(await world.view.get('skill', a), { deleted: false, advertised: false, enabled: true, versions: 1 })
})

t.test('what another stands in for never comes back beside it', async (t) => {
  const theirs = save(ben, { uid: a, slug: 'plan' })
  const mine = save(ana, { uid: b, slug: 'mine' })
  const user = save(ben, { uid: c, slug: 'trip', body: [{ skill: a }] })
  const standIn = importOf(ben, '2', [user], {
    op: { aliases: [{ from: a, to: b, seen: headOf(theirs) }], versions: [user.version, theirs.version] }
  })
  const start = [mine, arrive('1', ben), importOf(ben, '1', [theirs])]
  const world = await viewOf(t, ...start, del(a), arrive('2', ben), standIn)
  t.match(await world.view.get('alias', a), { to: b })
  await changesNothing(t, world, {
    restore: restore(a),
    rename: rename(a, 'x'),
    delete: del(a),
    advertise: { type: 'advertise', uid: a, advertised: true }
  })
  const edit = save(ana, { uid: a, slug: 'plan', title: 'Edited', parents: [headOf(theirs)] })
  await applied(t, world, edit)
  t.match(await world.view.get('skill', b), { title: 'Edited', heads: [headOf(edit), headOf(mine)] })

  const live = await viewOf(t, ...start, arrive('2', ben), standIn)
  t.notOk(await live.view.get('alias', a), 'a live skill needs none')
  t.match(await live.view.get('skill', c), { slug: 'trip' })
})

t.test('a stand-in for a stand-in stands for both', async (t) => {
  const seen = save(ben, { uid: a, slug: 'a' })
  const stand = (bundle: string, from: Uid, to: Uid): Op[] => [
    arrive(bundle, ben),
    importOf(ben, bundle, [], {
      op: { aliases: [{ from, to, seen: headOf(seen) }], versions: [seen.version] }
    })
  ]
  const [first, second] = [save(ana, { uid: b, slug: 'b' }), save(ana, { uid: c, slug: 'c' })]
  const user = save(ana, { uid: uidOf(8), slug: 'user', body: [{ skill: a }] })
  const world = await viewOf(t, first, second, ...stand('1', a, b), del(b), ...stand('2', b, c), user)
  t.match(await world.view.get('alias', a), { to: c })
  await changesNothing(t, world, { 'it is mentioned by that name': del(c) })
})

t.test('two that came and are one here go beside each other', async (t) => {
  const local = save(ben, { uid: a, slug: 'plan' })
  const one = save(ben, { uid: a, slug: 'plan', title: 'One', parents: [headOf(local)] })
  const two = save(ben, { uid: b, slug: 'plan-b', title: 'Two' })
  const op = importOf(ben, '2', [one, two], { skills: { uid: a, over: headOf(local) } })
  const world = await viewOf(t, arrive('1', ben), importOf(ben, '1', [local]), arrive('2', ben), op)
  t.match(await world.view.get('skill', a), { title: 'One', heads: [headOf(one), headOf(two)] })
})

t.test('one device attested by two people is a device of both', async (t) => {
  const both = { ...mallory, attestations: [attest(mallory.attestor, ben.devices[0]!)], devices: ben.devices }
  const [his, hers] = [save(ben, { uid: a, slug: 'a' }), save(both, { uid: b, slug: 'b' })]
  const world = await viewOf(t, importOf(ben, null, [his]), importOf(both, null, [hers]))
  t.equal(await slugs(world.view), 'a b')
  await applied(
    t,
    world,
    importOf(ben, null, [save(ben, { uid: c, slug: 'c' })], { op: { attestations: [] } })
  )
  t.equal(await slugs(world.view), 'a b c', 'the first is still believed')
})

t.test('contacts', async (t) => {
  const card = (who: typeof ben, number: number, name = who.name) => {
    const sealing = toHex(who.devices[0]!.sealing.publicKey)
    const device = { name: 'laptop', sealing, attestation: who.attestations[0]! }
    return signCard(
      { identity: who.identity, name, life: 1, number, devices: [device], removed: [] },
      who.root
    ).bytes
  }
  const contact = (bytes: Uint8Array, identity: IdentityKey = ben.identity): Op => ({
    type: 'contact',
    identity,
    name: 'Ben',
    card: bytes
  })
  const world = await viewOf(t, contact(card(ben, 2)), {
    type: 'verify',
    identity: ben.identity,
    verified: true
  })
  await changesNothing(t, world, {
    'an older card': contact(card(ben, 1)),
    'another of that number': contact(card(ben, 2, 'Benno')),
    'someone else’s card': contact(card(mallory, 3)),
    'no card': contact(Uint8Array.of(1, 2)),
    'a stranger verified': { type: 'verify', identity: mallory.identity, verified: true },
    'a stranger forgotten': { type: 'forget', identity: mallory.identity },
    'founded again': found(mallory)
  })
  await applied(t, world, contact(card(ben, 3)))
  t.match(await world.view.get('contact', ben.identity), { verified: true, forgotten: false })
  await applied(t, world, { type: 'forget', identity: ben.identity })
  await changesNothing(t, world, { 'an old card of one who was forgotten': contact(card(ben, 2)) })
  await applied(t, world, contact(card(ben, 3)))
  t.match(await world.view.get('contact', ben.identity), { verified: false, forgotten: false })
})

t.test('deliveries go forward only', async (t) => {
  const row: OutboxRow = {
    id: '1'.repeat(32) as BundleId,
    contact: ben.identity,
    uid: a,
    root: 'plan' as Slug,
    payload: '2'.repeat(64),
    sealed: '1'.repeat(64),
    parcel: null,
    bytes: 10,
    sequence: 1,
    time: 1,
    note: '',
    skills: ['plan' as Slug],
    tools: [],
    state: 'queued',
    problem: null,
    byHand: false
  }
  const delivery = (state: OutboxRow['state'], problem: string | null = null): Op => ({
    type: 'delivery',
    id: row.id,
    state,
    problem
  })
  const world = await viewOf(t, { type: 'queue', row }, delivery('received'))
  await changesNothing(t, world, {
    'a late receipt': delivery('sent'),
    'queued again': { type: 'queue', row },
    'of another': { ...delivery('sent'), id: '3'.repeat(32) } as Op
  })
  await applied(t, world, delivery('received', 'E_QUOTA'), delivery('imported'))
  t.match(await world.view.get('outbox', row.id), { state: 'imported', problem: null })
})

t.test('what came damaged may come again whole; a review is noted', async (t) => {
  const damaged = arrive('1', ben, {
    state: 'damaged',
    problem: 'E_BUNDLE_DEVICE',
    root: '' as Slug,
    payload: ''
  })
  const whole = arrive('1', ben)
  const { id } = whole.row
  const world = await viewOf(t, damaged, whole)
  t.match(await world.view.get('inbox', id), { state: 'waiting', problem: null })
  await changesNothing(t, world, { 'damaged afterwards': damaged })
  await applied(t, world, { type: 'seen', id, digest: '5'.repeat(64) }, { type: 'decline', id })
  t.match(await world.view.get('inbox', id), { state: 'declined', seen: '5'.repeat(64) })
  await applied(t, world, importOf(ben, '1', []), { type: 'decline', id })
  t.match(await world.view.get('inbox', id), { state: 'imported' }, 'who approves wins over who declines')
})

t.test('contents go ahead of their op', async (t) => {
  const big = save(ben, { uid: a, slug: 'plan' })
  const world = await viewOf(t, arrive('1', ben))
  const dump = world.cells.dump()
  await changesNothing(t, world, {
    'beside bytes that are none': { type: 'contents', contents: [Uint8Array.of(0xc1), big.content] }
  })
  await applied(t, world, { type: 'contents', contents: [big.content] })
  t.not(world.cells.dump(), dump)
  await applied(t, world, importOf(ben, '1', [big], { op: { contents: [] } }))
  t.equal(await slugs(world.view), 'plan')
})

t.test('appended bytes', async (t) => {
  const op = save(ana, { uid: a, slug: 'plan' })
  t.same(decodeOp(encodeOp(op)), { v: 1, ...op })
  for (const bytes of [
    Uint8Array.of(),
    Uint8Array.of(0xc1),
    encode(null),
    encode(7),
    encode({ v: 1 }),
    encode({ v: 1, type: 'toString' }),
    encode({ v: 1, type: 'delete', uid: a, more: 1 }),
    encode({ v: 1, type: 'delete', uid: 'A'.repeat(32) }),
    encode({ v: '9', type: 'delete', uid: a }),
    encode({ v: 1, ...op, content: 'text' }),
    encode({ v: 1, type: 'contents', contents: ['text'] }),
    encode({ v: 1, type: 'rename', uid: a, slug: 'x'.repeat(65) })
  ]) {
    t.equal(decodeOp(bytes), undefined)
  }
  t.throws(() => decodeOp(encode({ v: OPS_VERSION + 1, type: 'dream' })), { code: 'E_UPGRADE' })
})
