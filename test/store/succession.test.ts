import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { encode } from '../../src/base/msgpack.js'
import { signWith } from '../../src/keys/device.js'
import { mergeRemovals, removalOf } from '../../src/keys/removal.js'
import { toHex } from '../../src/keys/sodium.js'
import { readLaterEpoch, writeLaterEpoch } from '../../src/store/epoch.js'
import {
  isKin,
  readSuccession,
  signSuccession,
  standingOf,
  type SignedSuccession,
  type Succession
} from '../../src/store/succession.js'
import { person } from '../vectors/people.js'

const ana = person('Ana', 6)
const ben = person('Ben', 1)
const [founder, ...others] = ana.devices
const removals = others.map(({ signer }) => removalOf(ana.root, signer.key))

function succession(change: Partial<Succession> = {}): Succession {
  const base = { identity: ana.identity, life: 1, removed: [], base: '1'.repeat(64), key: '2'.repeat(64) }
  return { ...base, founder: founder!.signer.key, ...change }
}

/** A record with these of the removals, by the root or by its founder. */
const record = fc
  .record({
    removed: fc.subarray(removals),
    base: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
    byRoot: fc.boolean()
  })
  .map(({ removed, base, byRoot }) =>
    signSuccession(
      succession({ removed: mergeRemovals(removed, []), base }),
      byRoot ? ana.root : founder!.signer
    )
  )

t.test('what was signed is read as it was', async (t) => {
  fc.assert(
    fc.property(record, (signed) => {
      t.same(readSuccession(signed.bytes), signed)
    }),
    { numRuns: 30 }
  )
})

t.test('a record that isn’t signed as it must be is none', async (t) => {
  const removed = removals.slice(0, 2).sort((a, b) => (a.device < b.device ? -1 : 1))
  const resigned = (change: Partial<Succession>, by = ana.root.identity as string): Uint8Array => {
    const inner = encode(succession(change))
    return encode({ succession: inner, by, signature: signWith(ana.root, 'selkie/succession/v1', inner) })
  }
  const forged: Record<string, Uint8Array> = {
    'by a device that didn’t found it': signSuccession(succession(), others[0]!.signer).bytes,
    'by a stranger’s root': signSuccession(succession(), ben.root).bytes,
    'in another’s name': resigned({}, ben.identity),
    'a removal of someone else’s root': resigned({ removed: [removalOf(ben.root, others[0]!.signer.key)] }),
    'removals twice': resigned({ removed: [removed[0]!, removed[0]!] }),
    'removals in another order': resigned({ removed: removed.toReversed() }),
    'its own founder removed': resigned({ removed: [removalOf(ana.root, founder!.signer.key)] }),
    'a field more': resigned({ more: 1 } as Partial<Succession>),
    nothing: new Uint8Array(),
    'too long': new Uint8Array(70_000)
  }
  for (const [name, bytes] of Object.entries(forged)) {
    t.throws(() => readSuccession(bytes), { code: 'E_SUCCESSION' }, name)
  }
  const whole = signSuccession(succession(), ana.root).bytes
  for (let at = 0; at < whole.length; at += 7) {
    const flipped = new Uint8Array(whole)
    flipped[at]! ^= 1
    t.throws(() => readSuccession(flipped), { code: 'E_SUCCESSION' }, `bit ${at * 8}`)
  }
})

t.test('every device decides alike which of two records comes later', async () => {
  const opposite = { later: 'earlier', earlier: 'later', same: 'same', apart: 'apart' } as const
  fc.assert(
    fc.property(record, record, (a, b) => standingOf(b, a) === opposite[standingOf(a, b)]),
    { numRuns: 300 }
  )
})

t.test('what is later stays later by way of a third, so following ends', async () => {
  fc.assert(
    fc.property(record, record, record, (a, b, c) => {
      const isLater = (x: SignedSuccession, y: SignedSuccession): boolean => standingOf(x, y) === 'later'
      return !(isLater(a, b) && isLater(b, c)) || isLater(a, c)
    }),
    { numRuns: 300 }
  )
})

t.test('one that has the removals of both follows both', async (t) => {
  fc.assert(
    fc.property(record, record, (a, b) => {
      if (standingOf(a, b) !== 'apart') return
      const removed = mergeRemovals(a.succession.removed, b.succession.removed)
      const both = signSuccession(succession({ removed, base: '0'.repeat(64) }), founder!.signer)
      t.equal(standingOf(a, both), 'later')
      t.equal(standingOf(b, both), 'later')
    }),
    { numRuns: 100 }
  )
})

t.test('another person’s record, or one of another life, is no kin', async (t) => {
  const mine = signSuccession(succession(), ana.root)
  t.ok(isKin(mine, signSuccession(succession({ base: '2'.repeat(64) }), ana.root)))
  t.notOk(isKin(mine, signSuccession(succession({ life: 2 }), ana.root)))
  t.notOk(isKin(mine, signSuccession(succession({ identity: ben.identity }), ben.root)))
})

t.test('the epoch that was gone on to opens on its device alone', async (t) => {
  const keyfile = join(t.testdir(), 'keys', 'device.key')
  const { sealing } = founder!
  t.equal(await readLaterEpoch(keyfile, sealing), undefined)
  const signed = signSuccession(succession({ removed: mergeRemovals(removals, []) }), ana.root)
  const epoch = {
    place: '3'.repeat(64),
    base: '1'.repeat(64),
    encryption: '4'.repeat(64),
    record: signed,
    former: []
  }
  await writeLaterEpoch(keyfile, epoch, sealing)
  t.same(await readLaterEpoch(keyfile, sealing), epoch)
  await t.rejects(readLaterEpoch(keyfile, others[0]!.sealing), { code: 'E_KEY_DAMAGED' })

  const path = join(keyfile, '..', 'epoch')
  const bytes = await readFile(path)
  t.notOk(bytes.includes('4'.repeat(64)), 'its key isn’t in the file')
  for (let at = 0; at < bytes.length; at += 17) {
    const flipped = Buffer.from(bytes)
    flipped[at]! ^= 1
    await writeFile(path, flipped)
    await t.rejects(readLaterEpoch(keyfile, sealing), { code: 'E_KEY_DAMAGED' }, `byte ${at}`)
  }
})
