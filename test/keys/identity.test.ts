import t from 'tap'
import { isSelkieError } from '../../src/base/errors.js'
import { checkSuccession, readCard, signCard, type Card } from '../../src/keys/card.js'
import { signWith, verifySignature } from '../../src/keys/device.js'
import { attest, isAttestation, rootFrom, wordsFrom } from '../../src/keys/identity.js'
import { safetyWords } from '../../src/keys/safety.js'
import { hash, keyedHash, toHex, utf8 } from '../../src/keys/sodium.js'
import { encode } from '../../src/base/msgpack.js'
import { cardDevice, cardOf, testDevice, testRoot } from './people.js'

const [ada, eve] = [testRoot(1), testRoot(2)]
const [laptop, phone, tablet] = [testDevice(1), testDevice(2), testDevice(3)]

/** The code of what is thrown; undefined where nothing is. */
function codeOf(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!isSelkieError(error)) throw error
    return error.code
  }
}

t.test('24 words give the same root back, in any case and spacing', (t) => {
  const words = wordsFrom(new Uint8Array(32).fill(1))
  t.equal(words.split(' ').length, 24)
  t.same(rootFrom(`  ${words.toUpperCase().replaceAll(' ', ' \n\t')} `), ada)
  t.not(testRoot(2).identity, ada.identity)
  t.end()
})

t.test('words that are no identity', (t) => {
  const words = wordsFrom(new Uint8Array(32).fill(1)).split(' ')
  const cases: Record<string, string[]> = {
    none: [],
    twelve: wordsFrom(new Uint8Array(16)).split(' '),
    'twenty-three': words.slice(1),
    'twenty-five': [...words, 'abandon'],
    'a word that is not in the list': ['selkie', ...words.slice(1)],
    'a wrong checksum': [...words.slice(0, 23), words[23] === 'zoo' ? 'zone' : 'zoo'],
    'two swapped': [words[1]!, words[22]!, ...words.slice(2, 22), words[0]!, words[23]!]
  }
  for (const [name, list] of Object.entries(cases))
    t.equal(
      codeOf(() => rootFrom(list.join(' '))),
      'E_WORDS',
      name
    )
  t.end()
})

t.test('an attestation holds for its identity, device and sealing key, and for nothing else', (t) => {
  const attestation = attest(ada, laptop)
  t.ok(isAttestation(attestation))
  t.notOk(isAttestation({ ...attestation, identity: eve.identity }))
  t.notOk(isAttestation({ ...attestation, device: phone.signer.key }))
  t.notOk(isAttestation({ ...attestation, sealing: attest(ada, phone).sealing }))
  t.notOk(isAttestation({ ...attestation, signature: attest(eve, laptop).signature }))
  t.notOk(
    isAttestation({ ...attestation, consent: attest(ada, phone).consent }),
    'nobody claims a device alone'
  )
  t.notOk(isAttestation({ ...attestation, consent: attestation.signature }))
  t.end()
})

t.test('a signature is for one label, one key and these bytes', (t) => {
  const bytes = utf8('hello')
  const signature = signWith(laptop.signer, 'selkie/a', bytes)
  const { key } = laptop.signer
  t.ok(verifySignature(key, 'selkie/a', bytes, signature))
  t.notOk(verifySignature(key, 'selkie/b', bytes, signature))
  t.notOk(verifySignature(phone.signer.key, 'selkie/a', bytes, signature))
  t.notOk(verifySignature(key, 'selkie/a', utf8('hullo'), signature))
  t.notOk(verifySignature(key, 'selkie/', utf8('ahello'), signature), 'the label doesn’t run into the bytes')
  t.notOk(verifySignature('00'.repeat(32), 'selkie/a', bytes, '00'.repeat(64)), 'a key of low order')
  for (const damaged of ['', 'zz', signature.slice(2), `${signature}00`]) {
    t.notOk(verifySignature(key, 'selkie/a', bytes, damaged))
    t.notOk(verifySignature(damaged, 'selkie/a', bytes, signature))
  }
  t.end()
})

t.test('a hash keeps its parts and its uses apart', (t) => {
  const hashes = [
    hash('selkie/a', utf8('bc')),
    hash('selkie/a', utf8('b'), utf8('c')),
    hash('selkie/a', utf8('bc'), utf8('')),
    hash('selkie/ab', utf8('c')),
    hash('selkie/a'),
    keyedHash(new Uint8Array(32), 'selkie/a', utf8('bc'))
  ].map(toHex)
  t.equal(new Set(hashes).size, hashes.length)
  t.end()
})

t.test('safety words are alike on both sides, and others for other keys', (t) => {
  const words = safetyWords(ada.identity, eve.identity)
  t.equal(words, safetyWords(eve.identity, ada.identity))
  t.equal(words.split(' ').length, 12)
  t.not(words, safetyWords(ada.identity, testRoot(3).identity))
  t.end()
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
      devices: [{ ...device, attestation: { ...attest(eve, laptop), identity: ada.identity } }]
    }),
    'another sealing key than the attested': signedBy(ada, {
      devices: [{ ...device, sealing: toHex(phone.sealing.publicKey) }]
    }),
    'a device twice': signedBy(ada, { devices: [device, { ...device, name: 'again' }] }),
    'an unknown field': signedBy(ada, { admin: true } as Partial<Card>),
    'no name': signedBy(ada, { name: '' }),
    'a long name': signedBy(ada, { name: 'a'.repeat(65) }),
    'seventeen devices': signedBy(ada, {
      devices: Array.from({ length: 17 }, (_, i) => cardDevice(ada, testDevice(i + 1)))
    }),
    nothing: new Uint8Array(),
    'no card at all': encode({ a: 1 }),
    'a text in the card’s place': encode({ card: 'x', by: ada.identity, signature: '00'.repeat(64) }),
    'too large': new Uint8Array(64 * 1024 + 1),
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

t.test('a card with sixteen devices is within the limit', (t) => {
  const devices = Array.from({ length: 16 }, (_, i) => testDevice(i + 1))
  t.equal(readCard(signCard(cardOf(ada, devices), ada).bytes).card.devices.length, 16)
  t.end()
})

t.test('no byte of a card can be changed, and none be missing', (t) => {
  const { bytes } = signCard(cardOf(ada, [laptop]), ada)
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
  const after = (
    devices: Parameters<typeof cardOf>[1],
    number: number,
    signer: Parameters<typeof signCard>[1]
  ) => codeOf(() => checkSuccession(known, signCard(cardOf(ada, devices, number), signer)))

  t.equal(
    codeOf(() => checkSuccession(known, known)),
    undefined,
    'the same again'
  )
  t.equal(after([laptop, phone], 6, phone.signer), undefined, 'a higher number, by a device')
  t.equal(after([laptop, phone, tablet], 6, laptop.signer), undefined, 'a device more, by a known device')
  t.equal(after([laptop, phone, tablet], 6, ada), undefined, 'a device more, by the root')
  t.equal(after([laptop, phone, tablet], 6, tablet.signer), 'E_CARD', 'a device more, by that device')
  t.equal(after([laptop], 6, ada), undefined, 'a device less, by the root')
  t.equal(after([laptop], 6, laptop.signer), 'E_CARD_ROOT', 'a device less, by a device')
  t.equal(after([laptop, tablet], 6, laptop.signer), 'E_CARD_ROOT', 'a device for another, by a device')
  t.equal(after([laptop, phone], 4, ada), 'E_CARD_OLD', 'a lower number')
  t.equal(after([laptop], 5, ada), 'E_CARD_OLD', 'the same number on another card')
  t.equal(
    codeOf(() => checkSuccession(known, signCard(cardOf(eve, [laptop], 6), eve))),
    'E_CARD',
    'someone else’s'
  )
  t.end()
})

t.test('a device signed the last card that there is a number for, and was removed all the same', (t) => {
  const last = signCard(cardOf(ada, [laptop, phone], 2 ** 32 - 1), phone.signer)
  const next = (epoch: number, number: number, signer: Parameters<typeof signCard>[1]) =>
    codeOf(() => checkSuccession(last, signCard(cardOf(ada, [laptop], number, epoch), signer)))

  t.equal(next(1, 2 ** 32 - 1, ada), 'E_CARD_OLD', 'no number is left in the epoch')
  t.equal(next(2, 1, ada), undefined, 'but the root begins another')
  t.equal(
    codeOf(() => checkSuccession(last, signCard(cardOf(ada, [laptop, phone], 1, 2), phone.signer))),
    'E_CARD_ROOT',
    'which no device can'
  )
  t.equal(next(0, 7, ada), 'E_CARD_OLD', 'and an earlier one is over')
  t.end()
})

t.test('a removed device can’t put itself back', (t) => {
  const without = signCard(cardOf(ada, [laptop], 6), ada)
  const back = signCard(cardOf(ada, [laptop, phone], 7), phone.signer)
  t.equal(
    codeOf(() => readCard(back.bytes)),
    undefined,
    'for itself that card is in order'
  )
  t.equal(
    codeOf(() => checkSuccession(without, back)),
    'E_CARD'
  )
  t.end()
})
