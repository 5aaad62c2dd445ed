import t from 'tap'
import { readCard, signCard, type Card } from '../../src/keys/card.js'
import { attest } from '../../src/keys/identity.js'
import { toHex } from '../../src/keys/sodium.js'
import { cardBytes, cardText, renewCard } from '../../src/people/contacts.js'
import { home } from '../editing/home.js'
import { person, type Person } from '../vectors/people.js'

/** Someone’s card as text. */
function cardOf(who: Person, change: Partial<Card> = {}, devicesOf: Person = who): string {
  const device = {
    name: 'laptop',
    sealing: toHex(devicesOf.devices[0]!.sealing.publicKey),
    attestation: who.attestations[0]!
  }
  const card = {
    identity: who.identity,
    name: who.name,
    life: 1,
    number: 1,
    devices: [device],
    removed: [],
    ...change
  }
  return cardText(signCard(card, who.root).bytes)
}

const ben = person('Ben', 1)
const cleo = person('Cleo', 1)

t.test('a card makes a contact, a newer one renews it', async (t) => {
  const { node } = await home(t, 'Ana')
  t.match(await node.addCard(cardOf(ben)), {
    name: 'Ben',
    verified: false,
    online: false,
    devices: [{ name: 'laptop' }]
  })
  t.equal((await node.contact('ben')).safetyWords.split(/\s+/).length, 12)
  t.match(await node.verify('BEN', true), { verified: true })
  t.match(await node.addCard(cardOf(ben)), { verified: true }, 'the same again')
  t.match(await node.addCard(cardOf(ben, { number: 3, name: 'Benno' })), { name: 'Ben', verified: true })
  await t.rejects(node.addCard(cardOf(ben, { number: 2 })), { code: 'E_CARD_OLD' })
  await t.rejects(node.addCard((await node.card()).card), { code: 'E_PAIR_SELF' })
  await t.rejects(node.addCard('selkie-card:AAAA'), { code: 'E_CARD' })
  await t.rejects(node.addCard('hello'), { code: 'E_CARD' })
  for (const name of ['ben', ben.identity, ben.identity.slice(0, 8)]) {
    t.equal((await node.contact(name)).identity, ben.identity)
  }
  await t.rejects(node.contact(ben.identity.slice(0, 7)), { code: 'E_CONTACT_UNKNOWN' })
  await t.rejects(node.contact(''), { code: 'E_CONTACT_UNKNOWN' })
})

t.test('a forgotten contact comes back unverified, and not by an old card', async (t) => {
  const { node } = await home(t, 'Ana')
  await node.addCard(cardOf(ben, { number: 2 }))
  await node.verify('ben', true)
  await node.forget('ben')
  t.same(await node.contacts(), [])
  await t.rejects(node.contact('ben'), { code: 'E_CONTACT_UNKNOWN' })
  await t.rejects(node.addCard(cardOf(ben)), { code: 'E_CARD_OLD' })
  t.match(await node.addCard(cardOf(ben, { number: 2 })), { verified: false })
})

t.test('a contact brought their node back from a backup, and its old card kept their mail out', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.node.addCard(cardOf(ben, { number: 2, name: 'Ben' }))
  const shows = (card: string) =>
    ana.under(async (self) => {
      await renewCard(self, ben.identity, cardBytes(card))
      return readCard(self.store.memory.contacts.get(ben.identity)!.card).card.number
    })
  t.equal(await shows(cardOf(ben)), 2, 'the newer one stays, and nothing is refused')
  t.equal(await shows(cardOf(ben, { number: 3 })), 3)
  await t.rejects(shows(cardOf(cleo)), { code: 'E_CARD' })
})

t.test('nobody takes another’s name, one’s own, or another’s key for a name', async (t) => {
  const { node } = await home(t, 'Ana')
  await node.addCard(cardOf(ben))
  t.match(await node.addCard(cardOf(cleo, { name: ' BEN' })), { name: 'BEN 2' })
  const names: string[] = []
  for (const [n, name] of [
    'you',
    'Dora\u200b',
    'line\nbreak',
    '\u202eevil',
    'é'.normalize('NFD'),
    '😀'.repeat(64),
    '😀'.repeat(64)
  ].entries()) {
    names.push((await node.addCard(cardOf(person(`P${n}`, 1), { name }))).name)
  }
  t.same(names, [
    'you 2',
    'Dora\\u{200b}',
    'line break',
    '\\u{202e}evil',
    'é',
    '😀'.repeat(64),
    `${'😀'.repeat(62)} 2`
  ])
  await node.addCard(cardOf(person('Impostor', 1), { name: ben.identity }))
  t.equal((await node.contact(ben.identity)).name, 'Ben')
})

t.test('nobody takes another’s device', async (t) => {
  const { node } = await home(t, 'Ana')
  await node.addCard(cardOf(ben))
  const thief = { ...cleo, attestations: [attest(cleo.attestor, ben.devices[0]!)] }
  await t.rejects(node.addCard(cardOf(thief, {}, ben)), { code: 'E_CARD' })
  t.equal((await node.contacts()).length, 1)
})
