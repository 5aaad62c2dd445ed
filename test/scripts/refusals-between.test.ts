import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { CheckReport, Contact, Delivery, Invite, SealedFile } from '../../src/api.js'
import { dhtFor, pairedByCard, Person, until } from './person.js'

const NOWHERE = '127.0.0.1:9'

t.test('sealed files that are refused leave nothing behind', async (t) => {
  const [ann, bob] = await pairedByCard(t, await dhtFor(t))
  const eve = await Person.of(t, NOWHERE, 'Eve')
  const sealed = join(ann.folder, 'trip.selkie')
  const seal = ['seal', '@search-info', '--to', 'Bob', '--out']
  await ann.run<SealedFile>(...seal, sealed)
  const whole = await readFile(sealed)
  t.match(await ann.refused(...seal, sealed), { code: 'E_FILE_EXISTS' })
  t.ok((await readFile(sealed)).equals(whole), 'which is not overwritten')
  t.match(await ann.refused(...seal, join(ann.folder, 'nowhere', 'trip.selkie')), { code: 'E_FILE_WRITE' })
  t.match(await eve.refused('receive', sealed), { code: 'E_BUNDLE_NOT_FOR_YOU' })

  const receive = async (bytes: Uint8Array): Promise<string> => {
    const path = join(bob.folder, 'changed.selkie')
    await writeFile(path, bytes)
    return (await bob.refused('receive', path)).code
  }
  await bob.up()
  t.equal(await receive(whole.subarray(0, whole.length / 2)), 'E_BUNDLE_CUT')
  t.equal(await receive(Buffer.concat([whole, whole])), 'E_BUNDLE_CUT')
  for (const [at, code] of [
    [0, 'E_BUNDLE_MAGIC'],
    [10, 'E_BUNDLE_NOT_FOR_YOU'],
    [-1, 'E_BUNDLE_DAMAGED']
  ] as const) {
    const flipped = Buffer.from(whole)
    flipped[at < 0 ? whole.length + at : at]! ^= 1
    t.equal(await receive(flipped), code, `a bit is changed at ${at}`)
  }
  t.equal(await receive(await readFile(join(bob.home, 'keys', 'device.key'))), 'E_BUNDLE_MAGIC')
  t.equal(await receive(Buffer.alloc(17 * 1024 * 1024)), 'E_BUNDLE_TOO_LARGE')

  await bob.run('forget', 'Ann', '--yes')
  t.match(await bob.refused('receive', sealed), { code: 'E_BUNDLE_SENDER' })
  t.same(await bob.run<Delivery[]>('inbox'), [])
  t.same(await readdir(join(bob.home, 'bundles', 'in')), [])
  t.match(await bob.run<CheckReport>('check'), { ok: true, skills: 3 })
})

t.test('invites that can’t be used', async (t) => {
  const dht = await dhtFor(t)
  const [ann, bob, eve] = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => Person.of(t, dht, name)))
  t.match(await ann!.refused('invite'), { code: 'E_NODE_DOWN' })
  await Promise.all([ann, bob, eve].map((person) => person!.up()))
  const { invite } = await ann!.run<Invite>('invite')
  t.match(await ann!.refused('pair', invite), { code: 'E_PAIR_SELF' })
  await bob!.run<Contact>('pair', invite)
  t.match(await eve!.refused('pair', invite), { code: 'E_INVITE_USED' })
  t.match(await eve!.refused('pair', invite.slice(0, -1)), { code: 'E_INVITE_FORM' })

  const brief = await ann!.run<Invite>('invite', '--expires', '1s')
  await until(async () => Date.parse(brief.expires) < Date.now())
  t.match(await eve!.refused('pair', brief.invite), { code: 'E_INVITE_EXPIRED' })
  t.same(await eve!.run('contacts'), [])
  t.match(await ann!.run('contacts'), [{ name: 'Bob' }])
  t.equal((await ann!.run<Contact[]>('contacts')).length, 1)
})

t.test('a network that isn’t there: the node is up, and what it is asked to send waits', async (t) => {
  const [ann] = await pairedByCard(t, NOWHERE)
  await ann.up()
  t.match(await ann.run('send', '@fetch-file', 'Bob'), { state: 'queued' })
  t.equal(await ann.kill('SIGTERM'), 0)
  const typo = await Person.before(t, 'no-port', 'Typo')
  t.match(await typo.refused('up'), { code: 'E_USAGE', message: /no HOST:PORT/ })
})
