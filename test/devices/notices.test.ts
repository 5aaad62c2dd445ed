import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { DeviceKey, Slug } from '../../src/base/ids.js'
import { LocalNotes } from '../../src/devices/local-notes.js'
import { takeNotices } from '../../src/devices/notices.js'
import { Memory } from '../../src/store/memory.js'
import type { DeviceRow, NoticeRow, StoredSkill } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import { Table } from '../../src/store/table.js'
import { uidOf } from '../namespace/skills.js'
import { MemoryCells } from '../store/cells.js'

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
function world(): { self: Self; memory: Memory; note: (row: NoticeRow) => void } {
  const memory = new Memory()
  const self = { store: { memory, namespace: memory.namespace } } as unknown as Self
  const note = (row: NoticeRow): void => {
    memory.notices.set(`${row.kind}/${'uid' in row ? row.uid : row.id}`, row)
  }
  return { self, memory, note }
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

t.test('what became of a note or a profile is told while it is there', async (t) => {
  const { self, memory, note } = world()
  const view = new Table(new MemoryCells())
  Object.assign(self.store, { view })
  const put = (id: string, text: string, deleted = false): Promise<void> =>
    view.put('note', { id: id.repeat(32), text, time: 0, revision: id.repeat(32), deleted }, id.repeat(32))
  await put('a', 'Groceries\u202e\nMilk')
  await put('b', 'Groceries, too')
  await put('c', 'Gone', true)
  const profile = { id: 'e'.repeat(32), name: 'Work', bindings: [], deleted: false }
  memory.profiles.set(profile.id, profile)
  note({ kind: 'note-apart', id: 'b'.repeat(32), was: 'a'.repeat(32) })
  note({ kind: 'note-apart', id: 'c'.repeat(32), was: 'a'.repeat(32) })
  note({ kind: 'note-apart', id: 'a'.repeat(32), was: 'c'.repeat(32) })
  note({ kind: 'note-kept', id: 'a'.repeat(32), was: '0'.repeat(32) })
  note({ kind: 'note-kept', id: 'c'.repeat(32), was: '0'.repeat(32) })
  note({ kind: 'profile-kept', id: profile.id, was: uidOf(1) })
  const home = t.testdir({ later: {} })
  const told = await takeNotices(self, await LocalNotes.open(home))
  t.match(told, [
    { kind: 'diverged', message: /“Groceries, too”/, hint: /note show a{12} .*note show b{12}/ },
    { kind: 'revived', message: /“Groceries\\u\{202e\}”/, hint: /selkie note delete a{12}/ },
    { kind: 'revived', message: /“Work”/, hint: /selkie profile delete Work/ }
  ])
  t.equal(told.length, 3)
  memory.profiles.set(profile.id, { ...profile, deleted: true })
  await put('a', 'Gone', true)
  t.same(await takeNotices(self, await LocalNotes.open(join(home, 'later'))), [], 'over')
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
