import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { DeviceKey, Slug } from '../../src/base/ids.js'
import { LocalNotes } from '../../src/devices/local-notes.js'
import { takeNotices } from '../../src/devices/notices.js'
import { Memory } from '../../src/store/memory.js'
import type { DeviceRow, SkillNotice, StoredSkill } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import { uidOf } from '../namespace/skills.js'

const HEAD = 'a'.repeat(64)

function skill(n: number, slug: string, heads = [HEAD], deleted = false): StoredSkill {
  const row = { uid: uidOf(n), slug: slug as Slug, title: slug, summary: '', head: heads[0], heads, deleted }
  return {
    ...row,
    refs: [],
    enabled: true,
    advertised: false,
    exec: true,
    versions: 1,
    published: null
  } as never
}

/** What a device has in memory, and who is told of it. */
function world(): { self: Self; memory: Memory; note: (row: SkillNotice) => void } {
  const memory = new Memory()
  const self = { store: { memory, namespace: memory.namespace } } as unknown as Self
  return { self, memory, note: (row) => void memory.notices.set(`${row.kind}/${row.uid}`, row) }
}

t.test('each is told once on a device, also after a restart', async (t) => {
  const home = t.testdir()
  const { self, memory, note } = world()
  memory.namespace.put(skill(1, 'plan-2'))
  memory.namespace.put(skill(2, 'pack', [HEAD, 'b'.repeat(64)]))
  memory.namespace.put(skill(3, 'trip'))
  note({ kind: 'slug', uid: uidOf(1), was: 'plan' })
  note({ kind: 'diverged', uid: uidOf(2), was: 'b'.repeat(64) })
  note({ kind: 'kept', uid: uidOf(3), was: 'trip' })
  const notes = await LocalNotes.open(home)
  const told = await takeNotices(self, notes)
  t.match(told, [
    { kind: 'slug', slug: 'plan-2', was: 'plan', message: /@plan to different skills.*@plan-2/ },
    { kind: 'diverged', slug: 'pack', hint: /selkie merge @pack/ },
    { kind: 'revived', slug: 'trip' }
  ])
  t.same(await takeNotices(self, notes), [])
  t.same(await takeNotices(self, await LocalNotes.open(home)), [])
  note({ kind: 'diverged', uid: uidOf(2), was: 'c'.repeat(64) })
  t.match(await takeNotices(self, await LocalNotes.open(home)), [{ kind: 'diverged' }], 'the next one')
})

t.test('what is over already is told nobody', async (t) => {
  const { self, memory, note } = world()
  memory.namespace.put(skill(1, 'plan'))
  memory.namespace.put(skill(2, 'pack'))
  memory.namespace.put(skill(3, 'trip', [HEAD], true))
  note({ kind: 'slug', uid: uidOf(1), was: 'plan' })
  note({ kind: 'diverged', uid: uidOf(2), was: HEAD })
  note({ kind: 'kept', uid: uidOf(3), was: 'trip' })
  t.same(await takeNotices(self, await LocalNotes.open(t.testdir())), [])
})

t.test('a device that writes what it may not is told of, each time that it does more', async (t) => {
  const { self, memory } = world()
  const device = 'd'.repeat(64) as DeviceKey
  const row = { device, name: 'phone\u202e', refused: 1 } as DeviceRow
  memory.devices.set(device, row)
  const notes = await LocalNotes.open(t.testdir())
  t.match(await takeNotices(self, notes), [{ kind: 'refused', message: /^phone\\u\{202e\} has written/ }])
  t.same(await takeNotices(self, notes), [])
  memory.devices.set(device, { ...row, refused: 2 })
  t.match(await takeNotices(self, notes), [{ kind: 'refused' }])
})

t.test('a file that was cut is begun anew, and whom it saw is kept', async (t) => {
  const home = t.testdir()
  await writeFile(join(home, 'local.json'), '{"seen":')
  const notes = await LocalNotes.open(home)
  const device = 'd'.repeat(64) as DeviceKey
  t.equal(notes.lastSeen(device), undefined)
  await notes.noteSeen(device, 7)
  t.equal((await LocalNotes.open(home)).lastSeen(device), 7)
})
