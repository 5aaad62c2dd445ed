import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { dhtFor } from '../scripts/person.js'
import { writeSkills } from '../scripts/skills.js'
import { clockAt } from './clock.js'
import { alike, devices, firstDevice, make, met, settled, type Device } from './devices.js'

/** One person’s devices, for all of these stories: what one leaves behind the next one finds. */
const dht = await dhtFor(t)
const {
  all: [laptop, desktop, phone]
} = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
const { device: bens } = await firstDevice(t, dht, 'Ben')
await bens.offline()
await bens.node.addCard((await laptop.node.card()).card)
await laptop.node.addCard((await bens.node.card()).card)
await settled(laptop, desktop)
await phone.close()

/** Runs each step on a device that is alone meanwhile; then they meet, and are alike. */
async function apart(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const device of [laptop, desktop]) await device.offline()
  try {
    for (const step of steps) await step()
  } finally {
    for (const device of [laptop, desktop]) await device.online()
  }
  await settled(laptop, desktop)
}

async function meet(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.online()
  await met(...those)
}

const both = [laptop, desktop] as const

t.test(
  'the same slug on both: the later takes a suffix, its mentions follow, both are told once',
  async (t) => {
    for (const device of both) await device.node.notices()
    const uids = new Map<Device, string>()
    const mint = async (device: Device): Promise<void> => {
      uids.set(device, (await make(device, 'Ask weather', `As ${device.name} does.`)).uid)
      await make(device, `Trip of ${device.name}`, 'First @ask-weather.')
    }
    await apart(
      () => mint(laptop),
      () => mint(desktop)
    )

    const list = await laptop.node.list()
    const slugs = both.map((device) => list.find(({ uid }) => uid === uids.get(device))!.slug)
    t.same(slugs.toSorted(), ['ask-weather', 'ask-weather-2'])
    for (const [i, device] of both.entries()) {
      t.equal((await desktop.node.show(`trip-of-${device.name}`)).body, `First @${slugs[i]}.`)
      t.equal((await laptop.node.show(slugs[i]!)).body, `As ${device.name} does.`)
    }
    for (const device of both) {
      t.match(await device.node.notices(), [{ kind: 'slug', slug: 'ask-weather-2', was: 'ask-weather' }])
      t.same(await device.node.notices(), [])
      await device.online()
      t.same(await device.node.notices(), [], 'nor after a restart')
    }
  }
)

t.test('a skill renamed to what another is called there', async (t) => {
  await make(laptop, 'Pack bag', 'Take little.')
  await met(laptop, desktop)
  await apart(
    () => laptop.node.rename('pack-bag', 'pack'),
    () => make(desktop, 'Pack', 'Of cards.')
  )
  const slugs = (await laptop.node.list()).map(({ slug }) => slug)
  t.ok(slugs.includes('pack') && slugs.includes('pack-2') && !slugs.includes('pack-bag'))
  for (const device of both) t.match(await device.node.notices(), [{ slug: 'pack-2', was: 'pack' }])
})

t.test('renamed on one, mentioned by the old name on the other', async (t) => {
  await make(laptop, 'Read map', 'North is up.')
  await met(laptop, desktop)
  await apart(
    () => laptop.node.rename('read-map', 'read-chart'),
    () => make(desktop, 'Sail', 'Before noon @read-map.')
  )
  for (const { node } of both) t.match(await node.show('sail'), { body: 'Before noon @read-chart.' })
  await t.rejects(laptop.node.delete('read-chart'), { code: 'E_MENTIONED' })
})

t.test('renamed to two names', async (t) => {
  await make(laptop, 'Cook rice', 'Slowly.')
  await make(laptop, 'Dinner', 'First @cook-rice.')
  await met(laptop, desktop)
  await apart(
    () => laptop.node.rename('cook-rice', 'boil-rice'),
    () => desktop.node.rename('cook-rice', 'steam-rice')
  )
  const slugs = (await laptop.node.list()).map(({ slug }) => slug).filter((slug) => slug.endsWith('-rice'))
  t.equal(slugs.length, 1)
  t.equal((await desktop.node.show('dinner')).body, `First @${slugs[0]}.`)
})

for (const [deleter, mentioner] of [both, both.toReversed() as [Device, Device]]) {
  t.test(`deleted on the ${deleter.name}, mentioned on the ${mentioner.name}: it lives`, async (t) => {
    const title = `Feed cat of ${deleter.name}`
    const { slug } = await make(deleter, title, 'Twice a day.')
    await settled(laptop, desktop)
    for (const device of both) await device.node.notices()
    await apart(
      () => deleter.node.delete(slug),
      () => make(mentioner, `Leave house of ${mentioner.name}`, `Last @${slug}.`)
    )
    for (const { node } of both) {
      t.match(await node.show(slug), { deleted: false, title })
      t.match(await node.notices(), [{ kind: 'revived', slug }], 'who deleted it hears why it is there')
    }
  })

  t.test(`deleted on the ${deleter.name}, edited on the ${mentioner.name}: no edit is lost`, async (t) => {
    const { slug } = await make(deleter, `Water plants of ${deleter.name}`, 'Once a week.')
    await settled(laptop, desktop)
    await apart(
      () => deleter.node.delete(slug),
      () => mentioner.node.edit(slug, { body: 'Twice a week.' })
    )
    const isLive = (await laptop.node.list()).some((listed) => listed.slug === slug)
    if (!isLive) await desktop.node.restore(slug)
    t.equal((await desktop.node.show(slug)).body, 'Twice a week.')
    await settled(laptop, desktop)
  })
}

t.test('two edits made apart: one is shown, the other kept, and the merge is offered', async (t) => {
  const lines = (first: string, last: string): string => `${first}\n\nThen wait.\n\n${last}\n`
  await make(laptop, 'Bake bread', lines('Knead.', 'Bake.'))
  await met(laptop, desktop)
  for (const device of both) await device.node.notices()
  await apart(
    () => laptop.node.edit('bake-bread', { body: lines('Knead long.', 'Bake.') }),
    () => desktop.node.edit('bake-bread', { body: lines('Knead.', 'Bake hot.') })
  )
  for (const { node } of both) {
    t.match(await node.conflicts(), [{ slug: 'bake-bread', beside: [{ author: 'you' }] }])
    t.match(await node.notices(), [{ kind: 'diverged', slug: 'bake-bread' }])
    const offered = await node.merge('bake-bread', {})
    t.match(offered, { conflicts: [], body: lines('Knead long.', 'Bake hot.'), saved: null })
  }
  t.equal((await laptop.node.conflicts()).length, 1, 'an offer changes nothing')
  const merged = await desktop.node.merge('bake-bread', { save: true })
  t.ok(merged.saved)
  await settled(laptop, desktop)
  for (const { node } of both) {
    t.same(await node.conflicts(), [])
    t.match(await node.show('bake-bread'), { body: merged.body, diverged: [], versions: 4 })
  }
})

t.test('two edits of one line, and of the title: neither is lost, the person decides', async (t) => {
  await make(laptop, 'Brew tea', 'Three minutes.')
  await met(laptop, desktop)
  await apart(
    () => laptop.node.edit('brew-tea', { title: 'Brew green tea', body: 'Two minutes.' }),
    () => desktop.node.edit('brew-tea', { title: 'Brew black tea', body: 'Five minutes.' })
  )
  const { conflicts, body } = await laptop.node.merge('brew-tea', {})
  t.same(conflicts.toSorted(), ['body', 'title'])
  t.match(body, 'Two minutes.')
  t.match(body, 'Five minutes.')
  await t.rejects(laptop.node.merge('brew-tea', { save: true }), { code: /^E_/ }, 'not with marks in it')
  await laptop.node.merge('brew-tea', { save: true, body: 'Two minutes, or five.' })
  await settled(laptop, desktop)
  t.same(await desktop.node.conflicts(), [])
  t.equal((await desktop.node.show('brew-tea')).body, 'Two minutes, or five.')
})

t.test('merged on both apart', async (t) => {
  await make(laptop, 'Sweep floor', 'One.\n\nTwo.\n\nThree.\n')
  await met(laptop, desktop)
  await apart(
    () => laptop.node.edit('sweep-floor', { body: 'One!\n\nTwo.\n\nThree.\n' }),
    () => desktop.node.edit('sweep-floor', { body: 'One.\n\nTwo.\n\nThree!\n' })
  )
  await apart(
    () => laptop.node.merge('sweep-floor', { save: true }),
    () => desktop.node.merge('sweep-floor', { save: true })
  )
  t.equal((await laptop.node.show('sweep-floor')).body, 'One!\n\nTwo.\n\nThree!\n')
  for (const { slug } of await laptop.node.conflicts()) await laptop.node.merge(slug, { save: true })
  await settled(laptop, desktop)
  t.same(await desktop.node.conflicts(), [], 'what says the same is joined without a question')
})

t.test('switched, published, restored and deleted apart', async (t) => {
  for (const title of ['Sew', 'Knit', 'Weave', 'Dye']) await make(laptop, title, 'First.')
  const { version } = await laptop.node.edit('sew', { body: 'Second.' })
  await met(laptop, desktop)
  await apart(
    async () => {
      await laptop.node.setAdvertised('knit', true)
      await laptop.node.setEnabled('weave', false)
      await laptop.node.restore('sew', (await laptop.node.log('sew')).at(-1)!.version)
      await laptop.node.delete('dye')
    },
    async () => {
      await desktop.node.setEnabled('knit', false)
      await desktop.node.publish('sew', version)
      await make(desktop, 'Make cloth', 'First @weave.')
      await desktop.node.delete('dye')
    }
  )
  t.match(await desktop.node.show('knit'), { advertised: true, enabled: false })
  t.match(await desktop.node.show('weave'), { enabled: false })
  t.match(await desktop.node.show('sew'), { body: 'First.' })
  t.match(
    (await laptop.node.log('sew')).filter(({ published }) => published),
    [{ version }]
  )
  t.notOk((await laptop.node.list()).some(({ slug }) => slug === 'dye'))
})

t.test('folders imported on one are on the other, with their files', async (t) => {
  const folder = t.testdir()
  const from = await writeSkills(join(folder, 'in'), [
    { name: 'show-film', body: 'Then @play-music.', files: { 'film.bin': 300_000, 'empty.txt': 0 } },
    { name: 'play-music', body: 'Aloud.' }
  ])
  const out = join(folder, 'out')
  await apart(
    () => laptop.node.importFolders([from]),
    () => make(desktop, 'Show film', 'By hand.')
  )
  const { slug } = (await desktop.node.list()).find(({ mentions }) => mentions.includes('play-music'))!
  await desktop.node.exportFolders([slug], out, { closure: true })
  for (const file of ['film.bin', 'empty.txt']) {
    const [sent, come] = [join(from, 'show-film', file), join(out, slug, file)]
    t.ok((await readFile(sent)).equals(await readFile(come)), `${file} is the same`)
  }
})

t.test('one bundle approved on two devices imports once, and one declined on one is declined', async (t) => {
  const folder = t.testdir()
  await make(bens, 'Tie knot', 'Over, under, through.')
  await make(bens, 'Moor boat', 'With @tie-knot.')
  const [knot, boat] = [join(folder, 'knot.selkie'), join(folder, 'boat.selkie')]
  const { id } = await bens.node.seal('moor-boat', 'Ana', boat, {})
  const other = await bens.node.seal('tie-knot', 'Ana', knot, {})
  await apart(
    () => laptop.node.receive(boat),
    () => desktop.node.receive(boat)
  )
  t.match(
    (await desktop.node.inbox()).filter((delivery) => delivery.id === id),
    [{ state: 'waiting', contact: 'Ben' }]
  )
  const approve = async ({ node }: Device): Promise<void> => {
    await node.review(id)
    await node.accept(id, {})
  }
  await apart(
    () => approve(laptop),
    () => approve(desktop)
  )
  for (const { node } of both) {
    const came = (await node.list()).filter(({ title }) => title === 'Moor boat' || title === 'Tie knot')
    t.match(came, [
      { slug: 'moor-boat', versions: 1 },
      { slug: 'tie-knot', versions: 1 }
    ])
    t.match(await node.inbox(), [{ id, state: 'imported' }])
    t.same(await node.conflicts(), [])
  }

  await laptop.node.receive(knot)
  await met(laptop, desktop)
  await apart(
    () => laptop.node.decline(other.id),
    async () => {}
  )
  t.match(
    (await desktop.node.inbox()).find((delivery) => delivery.id === other.id),
    { state: 'declined' }
  )
})

t.test(
  'a bundle approved on one device and declined on another: both see the same, all of it or nothing',
  async (t) => {
    const file = join(t.testdir(), 'oar.selkie')
    await make(bens, 'Mend oar', 'Glue.')
    const { id } = await bens.node.seal('mend-oar', 'Ana', file, {})
    await apart(
      () => laptop.node.receive(file),
      () => desktop.node.receive(file)
    )
    const approve = async (): Promise<void> => {
      await laptop.node.review(id)
      await laptop.node.accept(id, {})
    }
    await apart(approve, () => desktop.node.decline(id))
    const { state } = (await laptop.node.inbox()).find((delivery) => delivery.id === id)!
    const isHere = (await laptop.node.list()).some(({ slug }) => slug === 'mend-oar')
    t.equal(isHere, state === 'imported')
  }
)

t.test('contacts: two of one name, one that both add, one verified and forgotten', async (t) => {
  const { device: clara } = await firstDevice(t, dht, 'Clara')
  const { device: otherClara } = await firstDevice(t, dht, 'Clara')
  const { device: dan } = await firstDevice(t, dht, 'Dan')
  const card = async ({ node }: Device): Promise<string> => (await node.card()).card
  await apart(
    async () => {
      await laptop.node.addCard(await card(clara))
      await laptop.node.addCard(await card(dan))
      await laptop.node.verify('Dan', true)
      await laptop.node.verify('Ben', true)
    },
    async () => {
      await desktop.node.addCard(await card(otherClara))
      await desktop.node.addCard(await card(dan))
    }
  )
  const names = (await laptop.node.contacts()).map(({ name }) => name)
  t.same(names.toSorted(), ['Ben', 'Clara', 'Clara 2', 'Dan'], 'a name means one person')
  t.match(await desktop.node.contact('Dan'), { verified: true })
  t.match(await desktop.node.contact('Ben'), { verified: true })
  await apart(
    () => laptop.node.forget('Clara 2'),
    () => desktop.node.forget('Dan')
  )
  t.same(
    (await laptop.node.contacts()).map(({ name }) => name),
    ['Ben', 'Clara']
  )
})

t.test('clocks years apart', async (t) => {
  await make(laptop, 'Wind clock', 'At noon.')
  await met(laptop, desktop)
  for (const device of both) await device.node.notices()
  const past = clockAt('1999-01-01')
  const future = clockAt('2090-01-01')
  await apart(
    () =>
      future(async () => {
        await laptop.node.edit('wind-clock', { body: 'At noon, in the future.' })
        await make(laptop, 'Set alarm', 'Early.')
        await laptop.node.rename('wind-clock', 'wind-up-clock')
      }),
    () =>
      past(async () => {
        await desktop.node.edit('wind-clock', { body: 'At noon, in the past.' })
        await make(desktop, 'Set alarm', 'Late.')
        await make(desktop, 'Go to bed', 'After @wind-clock and @set-alarm.')
      })
  )
  t.match(await desktop.node.show('go-to-bed'), { body: /^After @wind-up-clock and @set-alarm/ })
  t.match(await desktop.node.conflicts(), [{ slug: 'wind-up-clock' }])
  // What follows another stands above it, whatever the clocks say.
  await past(() => laptop.node.merge('wind-up-clock', { save: true, body: 'At noon.' }))
  await settled(laptop, desktop)
  t.match(await desktop.node.log('wind-up-clock'), [{ time: /^1999/, head: true }, {}, {}, { time: /^20/ }])
  t.same(await desktop.node.conflicts(), [])
})

t.test('three in a chain that are never all there at once', async (t) => {
  await meet(laptop, desktop, phone)
  const all = [laptop, desktop, phone] as const
  for (const device of all) await device.offline()
  await make(laptop, 'Dig hole', 'Deep.')
  await make(phone, 'Dig hole', 'Wide.')
  await make(phone, 'Plant tree', 'In a @dig-hole.')
  await desktop.node.rename('wind-up-clock', 'old-clock')
  await phone.node.edit('wind-up-clock', { body: 'Never.' })
  for (const device of all) await device.close()

  await meet(laptop, desktop)
  await laptop.offline()
  await laptop.node.edit('old-clock', { body: 'At one.' })
  await laptop.close()
  await meet(desktop, phone)
  await phone.offline()
  await make(phone, 'Fill hole', 'After @dig-hole.')
  await phone.close()
  await meet(laptop, desktop)
  await laptop.close()
  await meet(desktop, phone)
  await phone.close()
  // The middle one has heard all that either says; now the ends have, too.
  await meet(laptop, desktop)
  await desktop.close()
  await meet(laptop, phone)
  await alike(laptop, phone)
  t.match(await phone.node.conflicts(), [{ slug: 'old-clock', beside: [{}] }])
  await desktop.online()
  await settled(...all)
})
