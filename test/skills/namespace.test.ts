import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Listed, NodeApi } from '../../src/api.js'
import { SelkieError } from '../../src/base/errors.js'
import { createNamespaceSource } from '../../src/skills/namespace.js'
import { home } from '../editing/home.js'

const md = (name: string, body: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`

t.test('enabled skills are there under their slugs, advertised ones in the catalog', async (t) => {
  const { node } = await home(t, 'Ana')
  const source = await createNamespaceSource(node)
  t.equal(source.id, `namespace:${(await node.status()).identity}`)
  const listed = async () =>
    (await source.list()).skills.map(({ name, hidden }) => (hidden ? `(${name})` : name))
  t.same(await listed(), ['check-schedule', '(fetch-file)', 'search-info'])
  await node.setEnabled('check-schedule', false)
  await node.setAdvertised('fetch-file', true)
  await node.rename('search-info', 'look-up')
  t.same(await listed(), ['fetch-file', 'look-up'])
  t.equal(await source.load('check-schedule'), undefined)
  t.equal(await source.load('search-info'), undefined)
  t.equal(await source.load('current-date'), undefined, 'a tool is no skill')
  t.equal(await source.load('No slug!'), undefined)
  t.match((await source.list()).skills[1], {
    name: 'look-up',
    description: (await node.show('look-up')).summary,
    source: source.id,
    version: (await node.show('look-up')).version
  })
})

t.test(
  'a skill comes with the text and the slugs of now, its files, and the tools that it leads to',
  async (t) => {
    const { node } = await home(t, 'Ana')
    const source = await createNamespaceSource(node)
    const folder = t.testdir({
      top: {
        'SKILL.md': md('top', 'See @leaf and @current-date.'),
        'a.md': 'A.',
        sub: { 'b.bin': '\u0000\u0001' }
      },
      leaf: { 'SKILL.md': md('leaf', 'Use @find-file.') }
    })
    await node.importFolders([folder])
    await node.rename('leaf', 'twig')
    const top = (await source.load('top'))!
    t.match(top, {
      name: 'top',
      description: 'About top.',
      folder: null,
      tools: ['find_file', 'current_date']
    })
    t.equal(top.body.trim(), 'See @twig and @current-date.')
    t.same(top.references, [
      { path: 'a.md', size: 2 },
      { path: 'sub/b.bin', size: 2 }
    ])
    t.equal(Buffer.from((await source.read(top, 'a.md'))!).toString(), 'A.')
    t.same([...(await source.read(top, 'sub/b.bin'))!], [0, 1])
    for (const path of [
      '',
      '.',
      'sub',
      'SKILL.md',
      '../leaf/SKILL.md',
      'sub/../a.md',
      './a.md',
      join(folder, 'top/a.md')
    ])
      t.equal(await source.read(top, path), undefined, path)

    const stop = AbortSignal.abort(new Error('enough'))
    await t.rejects(source.list({ signal: stop }), /enough/)
    await t.rejects(source.load('top', 'latest', { signal: stop }), /enough/)
    await t.rejects(source.read(top, 'a.md', { signal: stop }), /enough/)
  }
)

t.test('what isn’t advertised is closed, unless an advertised skill leads to it', async (t) => {
  const { node } = await home(t, 'Ana')
  const source = await createNamespaceSource(node)
  const isHidden = async (name: string) => (await source.load(name))?.hidden
  t.equal(await isHidden('fetch-file'), false, 'search-info mentions it')
  await node.setAdvertised('search-info', false)
  t.equal(await isHidden('fetch-file'), true)
  t.equal(await isHidden('search-info'), true)
  t.equal(await isHidden('check-schedule'), false)
})

t.test('published and earlier versions stay what they were', async (t) => {
  const { node } = await home(t, 'Ana')
  const source = await createNamespaceSource(node)
  const { version } = await node.create({
    title: 'Bread',
    summary: 'Baking.',
    body: 'Knead. See @fetch-file.'
  })
  t.equal(await source.load('bread', 'published'), undefined)
  await node.publish('bread')
  const newer = await node.edit('bread', {
    body: 'Wait.',
    summary: 'Baking slowly.'
  })
  t.match(await source.load('bread'), {
    version: newer.version,
    body: 'Wait.',
    description: 'Baking slowly.',
    tools: []
  })
  const published = {
    version,
    hash: version,
    body: 'Knead. See @fetch-file.',
    description: 'Baking.'
  }
  t.match(await source.load('bread', 'published'), published)
  t.match(await source.load('bread', { version }), {
    ...published,
    tools: ['list_devices', 'find_file']
  })
  t.equal(await source.load('bread', { version: 'ff'.repeat(32) }), undefined)
  t.equal(await source.load('nothing', 'published'), undefined)
})

t.test(
  'a version that was loaded is found after a rename, also where another skill has its slug now',
  async (t) => {
    const { node } = await home(t, 'Ana')
    const source = await createNamespaceSource(node)
    await node.importFolders([t.testdir({ plan: { 'SKILL.md': md('plan', 'First.'), 'a.md': 'A.' } })])
    const plan = (await source.load('plan'))!
    const { version } = plan
    await node.rename('plan', 'trip')
    t.match(await source.load('plan', { version }), {
      name: 'trip',
      version,
      body: /First/
    })
    await node.create({ title: 'Plan', summary: 'Another.', body: 'Second.' })
    t.match(await source.load('plan'), { body: 'Second.' })
    t.match(await source.load('plan', { version }), {
      name: 'trip',
      version,
      body: /First/
    })
    t.equal(Buffer.from((await source.read(plan, 'a.md'))!).toString(), 'A.')
    await node.delete('trip')
    t.equal(await source.load('plan', { version }), undefined)
    t.equal(await source.read(plan, 'a.md'), undefined)
  }
)

t.test('changes of skills are told, until the signal aborts, and that the node is gone', async (t) => {
  const ana = await home(t, 'Ana')
  const { node } = ana
  const source = await createNamespaceSource(node)
  const stop = new AbortController()
  let told = 0
  source.watch!(() => told++, { signal: stop.signal })
  await node.rename('fetch-file', 'get-file')
  t.equal(told, 1)
  await node.addCard((await node.card()).card).catch(() => {})
  t.equal(told, 1, 'what is no skill isn’t told')
  const gone = new Promise<void>((resolve) =>
    source.watch!(() => resolve(), { signal: new AbortController().signal })
  )
  stop.abort()
  await ana.released(() => gone)
  t.equal(told, 1)
})

/** Skills that mention each other, as a node lists and shows them. */
const namespaces = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.array(
    fc.record({
      enabled: fc.boolean(),
      advertised: fc.boolean(),
      hidden: fc.boolean(),
      mentions: fc.uniqueArray(fc.nat(count - 1), { maxLength: 4 })
    }),
    { minLength: count, maxLength: count }
  )
)

t.test(
  'the model gets to what is advertised and where mentions lead from there, and to nothing else',
  async () => {
    await fc.assert(
      fc.asyncProperty(namespaces, async (skills) => {
        const all = skills.map(({ enabled, advertised, hidden, mentions }, i): Listed => {
          const slugs = mentions.map((j) => `skill-${j}`)
          return {
            slug: `skill-${i}`,
            uid: `${i}`,
            title: '',
            summary: '',
            enabled,
            advertised,
            ...(hidden && { hidden }),
            mentions: slugs,
            version: `${i}`,
            versions: 1
          }
        })
        const source = await createNamespaceSource(nodeWith(all))
        // By ever longer paths, as the rule says it.
        const open = all.filter(({ enabled, hidden }) => enabled && !hidden)
        let reached = open.filter(({ advertised }) => advertised)
        for (let step = 0; step < all.length; step++)
          reached = open.filter(
            (to) => reached.includes(to) || reached.some(({ mentions }) => mentions.includes(to.slug))
          )
        for (const skill of all) {
          const loaded = await source.load(skill.slug)
          if ((loaded !== undefined) !== skill.enabled) return false
          if (loaded && loaded.hidden === reached.includes(skill)) return false
        }
        const { skills: listed } = await source.list()
        return (
          listed.length === all.filter(({ enabled }) => enabled).length &&
          listed.every(({ name, hidden }) => {
            const skill = all.find(({ slug }) => slug === name)!
            return hidden === (skill.hidden === true || !skill.advertised)
          })
        )
      })
    )
  }
)

function nodeWith(all: readonly Listed[]): Parameters<typeof createNamespaceSource>[0] {
  const unknown = (slug: string) => new SelkieError('E_SLUG_UNKNOWN', { slug, near: '' })
  const show: NodeApi['show'] = async (slug) => {
    const skill = all.find((each) => each.slug === slug)
    if (!skill) throw unknown(slug)
    return { ...skill, body: '', files: [], diverged: [], deleted: false }
  }
  return {
    status: async () => ({ identity: 'aa' }) as never,
    list: async () => [...all],
    show,
    toolsForPlan: async () => [],
    log: (slug) => Promise.reject(unknown(slug)),
    skillFile: (slug) => Promise.reject(unknown(slug)),
    watch: async () => {}
  }
}
