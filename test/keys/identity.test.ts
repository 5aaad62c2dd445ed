import t from 'tap'
import { attestorFrom, attestorOf, isCertified } from '../../src/keys/attestor.js'
import { signWith, verifySignature } from '../../src/keys/device.js'
import {
  attest,
  attestConsenting,
  consentOf,
  isAttestation,
  rootFrom,
  wordsFrom,
  type Attestation
} from '../../src/keys/identity.js'
import { joiningKeyFrom, joiningKeyOf } from '../../src/keys/joining.js'
import { safetyWords } from '../../src/keys/safety.js'
import { fromHex, hash, keyedHash, toHex, utf8 } from '../../src/keys/sodium.js'
import { codeOf, testDevice, testRoot } from './people.js'

const [ada, eve] = [testRoot(1), testRoot(2)]
const [adas, eves] = [attestorOf(ada), attestorOf(eve)]
const [laptop, phone] = [testDevice(1), testDevice(2)]

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

t.test('an attestor comes back from its seed, and is certified by its root alone', (t) => {
  t.same(attestorOf(testRoot(1)), adas)
  t.same(attestorFrom(adas.seed, ada.identity, adas.certificate), adas)
  t.ok(isCertified(adas))
  t.notOk(isCertified({ ...adas, identity: eve.identity }))
  t.notOk(isCertified({ ...adas, key: eves.key }))
  t.notOk(isCertified({ ...adas, certificate: eves.certificate }))
  t.notOk(isCertified({ ...adas, certificate: signWith(ada, 'selkie/attestation/v1', fromHex(adas.key)) }))
  t.notOk(isCertified(attestorFrom(eves.seed, ada.identity, eves.certificate)), 'someone else’s')
  t.end()
})

t.test('what is made from one root is made apart', (t) => {
  const invite = new Uint8Array(16).fill(1)
  const keys = [
    ada.identity,
    adas.key,
    joiningKeyOf(ada).publicKey,
    joiningKeyOf(eve).publicKey,
    joiningKeyFrom(invite).publicKey,
    joiningKeyFrom(ada.seed).publicKey
  ]
  t.equal(new Set(keys).size, keys.length)
  t.same(joiningKeyOf(testRoot(1)), joiningKeyOf(ada))
  t.same(joiningKeyFrom(new Uint8Array(16).fill(1)), joiningKeyFrom(invite))
  const { publicKey, secret } = joiningKeyFrom(invite)
  const bytes = utf8('hello')
  t.ok(verifySignature(publicKey, 'selkie/a', bytes, signWith({ secret }, 'selkie/a', bytes)))
  t.end()
})

t.test('an attestation holds for its identity, device and sealing key, and for nothing else', (t) => {
  const attestation = attest(adas, laptop)
  const other = attest(adas, phone)
  const wrong: Record<string, Partial<Attestation>> = {
    'another identity': { identity: eve.identity },
    'another device': { device: phone.signer.key },
    'another sealing key': { sealing: other.sealing },
    'another attestor': { attestor: eves.key },
    'another attestor’s certificate': { certificate: eves.certificate },
    'an attestor whom nobody has certified': attest({ ...eves, identity: ada.identity }, laptop),
    'an attestor who certifies itself': {
      certificate: signWith(adas, 'selkie/attestor/v1', fromHex(adas.key))
    },
    'another attestor’s signature': { signature: attest(eves, laptop).signature },
    'the root’s signature in the attestor’s place': attest({ ...adas, secret: ada.secret }, laptop),
    'a signature over another device': { signature: other.signature },
    'another device’s consent': { consent: other.consent },
    'a consent to someone else': { consent: consentOf(eve.identity, laptop) },
    'the attestor’s signature for a consent': { consent: attestation.signature }
  }
  t.ok(isAttestation(attestation))
  for (const [name, change] of Object.entries(wrong)) {
    t.notOk(isAttestation({ ...attestation, ...change }), name)
  }
  t.end()
})

t.test('a device is attested from afar as at hand, and never without its consent', (t) => {
  const { device, sealing, consent } = attest(adas, laptop)
  t.equal(consentOf(ada.identity, laptop), consent)
  t.same(attestConsenting(adas, { device, sealing, consent }), attest(adas, laptop))
  const refused: Record<string, Parameters<typeof attestConsenting>[1]> = {
    'to someone else': { device, sealing, consent: consentOf(eve.identity, laptop) },
    'by another device': { device, sealing, consent: consentOf(ada.identity, phone) },
    'for another sealing key': { device, sealing: attest(adas, phone).sealing, consent },
    'of another device': { device: phone.signer.key, sealing, consent },
    'that is none': { device, sealing, consent: '' }
  }
  for (const [name, consenting] of Object.entries(refused)) {
    t.equal(attestConsenting(adas, consenting), undefined, `a consent ${name}`)
  }
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
