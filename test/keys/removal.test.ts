import t from 'tap'
import { attestorOf } from '../../src/keys/attestor.js'
import { signWith } from '../../src/keys/device.js'
import {
  areRemovals,
  includesAll,
  isRemoval,
  mergeRemovals,
  removalOf,
  type Removal
} from '../../src/keys/removal.js'
import { fromHex } from '../../src/keys/sodium.js'
import { testDevice, testRoot } from './people.js'

const [ada, eve] = [testRoot(1), testRoot(2)]
const [laptop, phone] = [testDevice(1), testDevice(2)]
const [first, second, third] = [laptop, phone, testDevice(3)]
  .map(({ signer }) => removalOf(ada, signer.key))
  .sort((a, b) => (a.device < b.device ? -1 : 1)) as [Removal, Removal, Removal]

t.test('a removal holds for one device of the root that signed it', (t) => {
  const { device, signature } = removalOf(ada, laptop.signer.key)
  t.ok(isRemoval(ada.identity, { device, signature }))
  t.notOk(isRemoval(eve.identity, { device, signature }))
  t.notOk(isRemoval(ada.identity, { device: phone.signer.key, signature }))
  t.notOk(isRemoval(ada.identity, { device, signature: removalOf(eve, device).signature }))
  const claim = Buffer.concat([ada.identity, device].map(fromHex))
  for (const signer of [laptop.signer, attestorOf(ada)]) {
    const forged = signWith(signer, 'selkie/removal/v1', claim)
    t.notOk(isRemoval(ada.identity, { device, signature: forged }), 'no device removes, nor the attestor')
  }
  t.end()
})

t.test('a list of removals is in order, each once, all signed', (t) => {
  t.ok(areRemovals(ada.identity, []))
  t.ok(areRemovals(ada.identity, [first, second, third]))
  t.notOk(areRemovals(ada.identity, [second, first]))
  t.notOk(areRemovals(ada.identity, [first, first]))
  t.notOk(areRemovals(ada.identity, [first, { ...second, signature: first.signature }]))
  t.notOk(areRemovals(eve.identity, [first]))
  t.end()
})

t.test('removals made apart are one list, whichever comes first', (t) => {
  t.same(mergeRemovals([third, first], [second, first]), [first, second, third])
  t.same(mergeRemovals([second, first], [third, first]), [first, second, third])
  const other = { ...first, signature: '0'.repeat(128) }
  t.same(mergeRemovals([first], [other]), mergeRemovals([other], [first]), 'of two signatures the same')
  t.ok(includesAll([first, second], []))
  t.ok(includesAll([first, second], [second]))
  t.notOk(includesAll([first, third], [first, second]))
  t.end()
})
