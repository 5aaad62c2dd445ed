import fc from 'fast-check'
import t from 'tap'
import { encode } from '../../src/base/msgpack.js'
import { MAX_DEVICES, MAX_REMOVED } from '../../src/base/limits.js'
import { attestorOf } from '../../src/keys/attestor.js'
import {
  checkSuccession,
  deviceKeys,
  isNewer,
  MAX_CARD_BYTES,
  readCard,
  signCard,
  type Card,
  type SignedCard
} from '../../src/keys/card.js'
import { MAX_NAME } from '../../src/base/name.js'
import type { Device } from '../../src/keys/device.js'
import { attest } from '../../src/keys/identity.js'
import { mergeRemovals, removalOf, type Removal } from '../../src/keys/removal.js'
import { toHex } from '../../src/keys/sodium.js'
import { cardDevice, cardOf, codeOf, testDevice, testRoot } from './people.js'

const [ada, eve] = [testRoot(1), testRoot(2)]
const [laptop, phone, tablet, server] = [testDevice(1), testDevice(2), testDevice(3), testDevice(4)]
/** As many as may be removed. */
const MANY = Array.from({ length: MAX_REMOVED }, (_, i) => testDevice(i + 31))

/** Ada’s removals of devices, in order. */
function removals(...devices: readonly Device[]): Removal[] {
  return mergeRemovals(
    devices.map(({ signer }) => removalOf(ada, signer.key)),
    []
  )
}

type Signer = Parameters<typeof signCard>[1]

/** All that a thief has: every device’s secret, the attestor, and what the root signed of late. */
const OWNED = [laptop, phone, tablet, server]
const DEVICES = OWNED.map((device) => cardDevice(ada, device))
const REMOVED = removals(phone, tablet, server)
const UNSIGNED = REMOVED.map(({ device }) => ({ device, signature: '' }))
const steps = fc.record({
  signer: fc.constantFrom(...OWNED.map(({ signer }) => signer)),
  devices: fc.subarray(DEVICES, { minLength: 1 }),
  removed: fc.subarray(REMOVED, { maxLength: 2 }),
  number: fc.integer({ min: 0, max: 20 }),
  life: fc.constantFrom(1, 1, 1, 2),
  fitting: fc.boolean()
})

t.test('a card comes back as it was signed', (t) => {
  const card = cardOf(ada, [laptop, phone])
  for (const signer of [ada, laptop.signer, phone.signer]) {
    const signed = signCard(card, signer)
    t.same(readCard(signed.bytes), signed)
  }
  t.same(readCard(signCard(cardOf(ada, []), ada).bytes).card.devices, [], 'with no device, by the root')
  t.end()
})

t.test('a card that can’t be trusted', (t) => {
  const good = cardOf(ada, [laptop])
  const device = good.devices[0]!
  const signedBy = (signer: Parameters<typeof signCard>[1], change: Partial<Card>) =>
    signCard({ ...good, ...change }, signer).bytes
  const cases: Record<string, Uint8Array> = {
    'signed by a stranger': signedBy(eve, {}),
    'signed by a device that is not on it': signedBy(phone.signer, {}),
    'a device attested by someone else': signedBy(ada, { devices: [cardDevice(eve, laptop)] }),
    'someone else’s attestation under this name': signedBy(ada, {
      devices: [{ ...device, attestation: { ...attest(attestorOf(eve), laptop), identity: ada.identity } }]
    }),
    'another sealing key than the attested': signedBy(ada, {
      devices: [{ ...device, sealing: toHex(phone.sealing.publicKey) }]
    }),
    'a device twice': signedBy(ada, { devices: [device, { ...device, name: 'again' }] }),
    'a device that is removed': signedBy(ada, { removed: [removalOf(ada, laptop.signer.key)] }),
    'a removal by someone else': signedBy(ada, { removed: [removalOf(eve, phone.signer.key)] }),
    'a removal by a device': signedBy(ada, {
      removed: [removalOf({ ...ada, secret: laptop.signer.secret }, phone.signer.key)]
    }),
    'a removal of another device than was signed': signedBy(ada, {
      removed: [{ ...removalOf(ada, phone.signer.key), device: tablet.signer.key }]
    }),
    'removals out of order': signedBy(ada, { removed: removals(phone, tablet).reverse() }),
    'a removal twice': signedBy(ada, { removed: [...removals(phone), ...removals(phone)] }),
    '129 removals': signedBy(ada, { removed: removals(...MANY, testDevice(30)) }),
    'an unknown field': signedBy(ada, { admin: true } as Partial<Card>),
    'no name': signedBy(ada, { name: '' }),
    'a long name': signedBy(ada, { name: 'a'.repeat(65) }),
    'seventeen devices': signedBy(ada, {
      devices: Array.from({ length: 17 }, (_, i) => cardDevice(ada, testDevice(i + 1)))
    }),
    nothing: new Uint8Array(),
    'no card at all': encode({ a: 1 }),
    'a text in the card’s place': encode({ card: 'x', by: ada.identity, signature: '00'.repeat(64) }),
    'too large': new Uint8Array(MAX_CARD_BYTES + 1),
    'bytes behind its end': new Uint8Array([...signedBy(ada, {}), 0])
  }
  for (const [name, bytes] of Object.entries(cases))
    t.equal(
      codeOf(() => readCard(bytes)),
      'E_CARD',
      name
    )
  t.end()
})

t.test('a card with sixteen devices and 128 removals is within the limit', (t) => {
  const name = '\u{1f9ad}'.repeat(MAX_NAME)
  const devices = Array.from({ length: MAX_DEVICES }, (_, i) => cardDevice(ada, testDevice(i + 1), name))
  const card = { ...cardOf(ada, [], 2 ** 32 - 1, 2 ** 32 - 1, removals(...MANY)), name, devices }
  const { bytes } = signCard(card, ada)
  t.same(readCard(bytes).card, card)
  t.equal(card.removed.length, MAX_REMOVED)
  t.end()
})

t.test('no byte of a card can be changed, and none be missing', (t) => {
  const { bytes } = signCard(cardOf(ada, [laptop], 1, 1, removals(phone)), ada)
  const changed = (at: number): Uint8Array => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
  t.same(
    [...bytes.keys()].filter((at) => codeOf(() => readCard(changed(at))) !== 'E_CARD'),
    []
  )
  t.same(
    [...bytes.keys()].filter((at) => codeOf(() => readCard(bytes.subarray(0, at))) !== 'E_CARD'),
    []
  )
  t.end()
})

t.test('which card may follow', (t) => {
  const known = signCard(cardOf(ada, [laptop, phone], 5), ada)
  const after = (devices: readonly Device[], number: number, signer: Signer, removed: Removal[] = []) =>
    codeOf(() => checkSuccession(known, signCard(cardOf(ada, devices, number, 1, removed), signer)))

  t.equal(
    codeOf(() => checkSuccession(known, known)),
    undefined,
    'the same again'
  )
  t.equal(after([laptop, phone], 6, phone.signer), undefined, 'a higher number, by a device')
  t.equal(after([laptop, phone, tablet], 6, laptop.signer), undefined, 'a device more, by a known device')
  t.equal(after([laptop, phone, tablet], 6, ada), undefined, 'a device more, by the root')
  t.equal(after([laptop, phone, tablet], 6, tablet.signer), 'E_CARD', 'a device more, by that device')
  t.equal(after([laptop, phone], 4, ada), 'E_CARD_OLD', 'a lower number')
  t.equal(after([laptop], 5, ada), 'E_CARD_OLD', 'the same number on another card')
  t.equal(
    codeOf(() => checkSuccession(known, signCard(cardOf(eve, [laptop], 6), eve))),
    'E_CARD',
    'someone else’s'
  )
  t.end()
})

t.test('a device goes from a card with its removal, whoever signs, and never without', (t) => {
  const known = signCard(cardOf(ada, [laptop, phone], 5), ada)
  const after = (devices: readonly Device[], signer: Signer, removed: Removal[] = [], number = 6) =>
    codeOf(() => checkSuccession(known, signCard(cardOf(ada, devices, number, 1, removed), signer)))

  for (const [name, signer] of Object.entries({ root: ada, device: laptop.signer })) {
    const without = signer === ada ? undefined : 'E_CARD_ROOT'
    t.equal(after([laptop], signer), without, `without, by a ${name}`)
    t.equal(after([laptop, tablet], signer), without, `another in its place, by a ${name}`)
    t.equal(after([laptop], signer, removals(tablet)), without, `with another’s, by a ${name}`)
    t.equal(after([laptop], signer, removals(phone)), undefined, `with its own, by a ${name}`)
    t.equal(after([laptop], signer, removals(phone), 0), undefined, `at a lower number, by a ${name}`)
    t.equal(after([laptop, phone], signer, removals(tablet)), undefined, `of one unknown, by a ${name}`)
  }
  t.equal(after([laptop, tablet], tablet.signer, removals(phone)), 'E_CARD', 'by a new one')
  t.equal(after([], ada, removals(laptop, phone)), undefined, 'all of them')
  t.end()
})

t.test('a removal that is known was left out of the next card', (t) => {
  const known = signCard(cardOf(ada, [laptop], 5, 1, removals(phone)), ada)
  const after = (number: number, removed: Removal[], life = 1, signer: Signer = ada) =>
    codeOf(() => checkSuccession(known, signCard(cardOf(ada, [laptop], number, life, removed), signer)))

  t.equal(after(9, []), 'E_CARD_OLD')
  t.equal(after(9, removals(tablet)), 'E_CARD_OLD', 'as many others')
  t.equal(after(9, removals(tablet, server)), 'E_CARD_OLD', 'more others')
  t.equal(after(4, removals(phone)), 'E_CARD_OLD', 'the same at a lower number')
  t.equal(after(0, removals(phone, tablet)), undefined, 'more of them, at any number')
  t.equal(after(0, [], 2), undefined, 'a new life owes nothing to the one before')
  t.equal(after(0, [], 2, laptop.signer), 'E_CARD_ROOT', 'and only the root begins it')
  t.end()
})

t.test('two removals made apart, and neither card followed the other', (t) => {
  const devices = [laptop, phone, tablet, server]
  const before = signCard(cardOf(ada, devices, 5), ada)
  const one = signCard(cardOf(ada, [laptop, tablet, server], 6, 1, removals(phone)), ada)
  const other = signCard(cardOf(ada, [laptop, phone, server], 7, 1, removals(tablet)), ada)
  const both = mergeRemovals(one.card.removed, other.card.removed)
  const united = signCard(cardOf(ada, [laptop, server], 0, 1, both), server.signer)
  const code = (known: SignedCard, next: SignedCard) => codeOf(() => checkSuccession(known, next))

  t.equal(code(one, other), 'E_CARD_OLD')
  t.equal(code(other, one), 'E_CARD_OLD')
  for (const known of [before, one, other]) t.equal(code(known, readCard(united.bytes)), undefined)
  for (const late of [before, one, other]) t.equal(code(united, late), 'E_CARD_OLD')
  t.end()
})

t.test('a device signed the last card that there is a number for, and was removed all the same', (t) => {
  const last = signCard(cardOf(ada, [laptop, phone], 2 ** 32 - 1), phone.signer)
  const next = (life: number, number: number, signer: Signer, removed: Removal[] = []) =>
    codeOf(() => checkSuccession(last, signCard(cardOf(ada, [laptop], number, life, removed), signer)))

  t.equal(next(1, 2 ** 32 - 1, ada), 'E_CARD_OLD', 'no number is left')
  t.equal(next(1, 1, ada, removals(phone)), undefined, 'but a removal comes after all of them')
  t.equal(next(2, 1, ada), undefined, 'and so does a new life')
  t.equal(next(2, 1, laptop.signer), 'E_CARD_ROOT', 'which no device begins')
  t.equal(next(0, 7, ada), 'E_CARD_OLD', 'and an earlier one is over')
  t.end()
})

t.test('a stolen device took in another of the thief’s, and was removed alone', (t) => {
  // Every device has the attestor, so what the thief attests is attested.
  const stolen = signCard(cardOf(ada, [laptop, phone, tablet], 2 ** 32 - 1), phone.signer)
  const next = (signer: Signer) =>
    codeOf(() => checkSuccession(stolen, signCard(cardOf(ada, [laptop], 6, 1, removals(phone)), signer)))

  t.equal(next(laptop.signer), 'E_CARD_ROOT', 'no device leaves out the thief’s other one')
  t.equal(next(ada), undefined, 'the root takes both off')
  const later = signCard(cardOf(ada, [laptop, tablet], 9, 1, removals(phone)), tablet.signer)
  const after = signCard(cardOf(ada, [laptop], 6, 1, removals(phone)), ada)
  t.equal(
    codeOf(() => checkSuccession(after, later)),
    'E_CARD',
    'and neither comes back'
  )
  t.end()
})

t.test('a removed device put itself back', (t) => {
  const without = signCard(cardOf(ada, [laptop], 6, 1, removals(phone)), ada)
  const back = signCard(cardOf(ada, [laptop, phone], 7), phone.signer)
  t.equal(
    codeOf(() => readCard(back.bytes)),
    undefined,
    'for itself that card is in order'
  )
  t.equal(
    codeOf(() => checkSuccession(without, back)),
    'E_CARD_OLD'
  )
  t.end()
})

t.test('succession is a strict order', (t) => {
  // Nothing is verified here, so nothing need be signed.
  const cards = fc
    .record({
      life: fc.integer({ min: 1, max: 2 }),
      number: fc.integer({ min: 0, max: 2 }),
      removed: fc.subarray(UNSIGNED)
    })
    .map(({ life, number, removed }): SignedCard => {
      const card = cardOf(ada, [], number, life, removed)
      return { card, signedBy: ada.identity, bytes: encode(card) }
    })
  fc.assert(
    fc.property(cards, cards, cards, (a, b, c) => {
      if (isNewer(a, a)) throw new Error('a card follows itself')
      if (isNewer(a, b) && isNewer(b, a)) throw new Error('two cards follow each other')
      if (isNewer(a, b) && isNewer(b, c) && !isNewer(a, c)) throw new Error('a card doesn’t follow the first')
      const equal = Buffer.compare(a.bytes, b.bytes) === 0
      const follows = codeOf(() => checkSuccession(a, b)) === undefined
      if (follows !== (equal || isNewer(a, b))) throw new Error('an older card takes a newer one’s place')
    }),
    { numRuns: 2000 }
  )
  t.pass('for any three cards')
  t.end()
})

t.test('a removed device comes back by no sequence of cards that the root hasn’t signed', (t) => {
  let [taken, refused] = [0, 0]
  fc.assert(
    fc.property(fc.array(steps, { minLength: 3, maxLength: 12 }), (story) => {
      let known = signCard(cardOf(ada, OWNED.slice(0, 3)), ada)
      for (const { signer, fitting, ...step } of story) {
        const { bytes } = signCard(fitting ? fitted(step, known.card) : { ...known.card, ...step }, signer)
        const { card: before } = known
        if (codeOf(() => checkSuccession(known, readCard(bytes))) !== undefined) {
          refused++
          continue
        }
        known = readCard(bytes)
        taken++
        const gone = before.removed.map(({ device }) => device)
        if (known.card.life > before.life) throw new Error('a device began a life')
        if (deviceKeys(known.card).some((key) => gone.includes(key))) throw new Error('a device came back')
        if (gone.some((key) => !known.card.removed.some(({ device }) => device === key)))
          throw new Error('a removal was forgotten')
      }
    }),
    { numRuns: 100 }
  )
  t.ok(taken > 100 && refused > 100, `${taken} cards were taken, ${refused} refused`)
  t.end()
})

/** The card as it must be to follow, but for its signer, and for the devices that come with it. */
function fitted({ devices, removed, number }: Omit<Card, 'identity' | 'name'>, known: Card): Card {
  const all = mergeRemovals(known.removed, removed)
  const wanted = [...new Map([...known.devices, ...devices].map((each) => [each.sealing, each])).values()]
  return {
    ...known,
    number: known.number + number,
    removed: all,
    devices: wanted.filter(({ attestation }) => all.every(({ device }) => device !== attestation.device))
  }
}
