import { cp, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Adopted } from '../../src/adopt.js'
import type { Listed } from '../../src/api.js'
import { renderAdopted } from '../../src/cli/verbs/adopt.js'
import { Person } from './person.js'

t.test('a home that was restored from a backup locked its person out', async (t) => {
  const ann = await Person.of(t, '127.0.0.1:9', 'Ann')
  await ann.run('new', 'Plan a trip', '--summary', 'How.', '--body', 'Well.')
  const backup = join(ann.folder, 'backup')
  await cp(ann.home, backup, { recursive: true })
  await rename(ann.home, join(ann.folder, 'lost'))
  await cp(backup, ann.home, { recursive: true })

  t.match(await ann.refused('list'), { code: 'E_HOME_COPIED', hint: /selkie adopt/ })
  t.match(
    await ann.refused('adopt'),
    { code: 'E_ASK' },
    'nobody is there to say that they know what it means'
  )
  t.match(await ann.refused('list'), { code: 'E_HOME_COPIED' })
  const adopted = await ann.run<Adopted>('adopt', '--yes')
  t.match(adopted, { name: 'Ann', skills: 4, reached: false, removed: [] })
  t.ok((await ann.run<Listed[]>('list')).some(({ slug }) => slug === 'plan-a-trip'))
  t.match(await ann.refused('adopt', '--yes'), { code: 'E_HOME_OWN' })
  await ann.run('new', 'Pack', '--summary', 'How.', '--body', 'First @plan-a-trip.')
  t.match(await ann.run('check'), { ok: true })
})

t.test('adopting where there is no home makes none', async (t) => {
  const ann = await Person.before(t, '127.0.0.1:9', 'Ann')
  t.match(await ann.refused('adopt', '--yes'), { code: 'E_HOME_NONE' })
  t.same(await readdir(ann.folder), [])
})

t.test('what became of the other devices is said', async (t) => {
  const adopted = { name: 'Ann', identity: '', device: '', deviceName: 'laptop', skills: 4 }
  t.match(
    renderAdopted({ ...adopted, reached: true, removed: [] }),
    /laptop, a device of Ann.*\n.*up to date/
  )
  const alone = renderAdopted({ ...adopted, reached: false, removed: ['desktop', 'old one'] })
  t.match(alone, /Removed for good: desktop, old one\./)
  t.match(alone, /isn’t in it/)
})
