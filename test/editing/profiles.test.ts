import t, { type Test } from 'tap'
import type { Uid } from '../../src/base/ids.js'
import { isSelkieError } from '../../src/base/errors.js'
import { checkStore } from '../../src/editing/check.js'
import { deleteSkill, publishVersion, renameSkill, restoreSkill } from '../../src/editing/manage.js'
import {
  bindProfile,
  boundVersion,
  deleteProfile,
  newProfile,
  profileOf,
  profilesShown,
  unbindProfile
} from '../../src/editing/profiles.js'
import { createSkill, editSkill } from '../../src/editing/save.js'
import { MAX_BINDINGS } from '../../src/store/ops.js'
import type { Self } from '../../src/store/self.js'
import { home } from './home.js'

const make = (self: Self, title: string) => createSkill(self, { title, summary: 'x', body: 'Do it.' })

async function refused(t: Test, call: Promise<unknown>, code: string): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (!isSelkieError(error)) return void t.fail(`${code} expected`, { found: error })
  t.equal(error.code, code)
  t.notOk(/[{}]/.test(error.message + error.hint), 'filled')
}

t.test('a profile gives a skill in the version that it is bound to', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const { version: first } = await make(self, 'Plan')
    t.same(await newProfile(self, ' At  work '), { name: 'At work', bindings: [] })
    const shown = async (): Promise<unknown> => (await profilesShown(self))[0]!.bindings
    t.same((await bindProfile(self, 'AT WORK', '@plan', 'latest')).bindings, [
      { slug: 'plan', to: 'latest', version: first }
    ])
    const { version: second } = await editSkill(self, 'plan', { body: 'Do more.' })
    t.match(await shown(), [{ version: second }])
    await bindProfile(self, 'at work', 'plan', 'published')
    t.same(await shown(), [{ slug: 'plan', to: 'published', version: null }], 'only drafts yet')
    await publishVersion(self, 'plan', first)
    t.match(await shown(), [{ version: first }])
    await bindProfile(self, 'at work', 'plan', { version: second.slice(0, 6) })
    await editSkill(self, 'plan', { body: 'Do most.' })
    await renameSkill(self, 'plan', 'trip')
    t.same(await shown(), [{ slug: 'trip', to: { version: second }, version: second }])
    const row = profileOf(self.store, 'at work')
    t.equal(await boundVersion(self.store, row.bindings[0]!), second)
    await bindProfile(self, 'at work', 'fetch-file', 'latest')
    t.match(await shown(), [{ slug: 'fetch-file' }, { slug: 'trip' }], 'in the order of their slugs')
    t.match((await unbindProfile(self, 'at work', '@trip')).bindings, [{ slug: 'fetch-file' }])
  })
  await ana.under(async (self) => {
    t.match(await profilesShown(self), [{ name: 'At work', bindings: [{ slug: 'fetch-file' }] }], 'kept')
    t.match(await deleteProfile(self, 'at work'), { bindings: [{ slug: 'fetch-file' }] }, 'as it was')
    t.same(await profilesShown(self), [])
    t.same(await newProfile(self, 'at work'), { name: 'at work', bindings: [] }, 'made again, it is empty')
    t.match(await checkStore(self), { ok: true })
  })
})

t.test('a bound skill is deleted as any other, and is bound when it comes back', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const { version } = await make(self, 'Plan')
    await newProfile(self, 'work')
    await bindProfile(self, 'work', 'plan', 'latest')
    await deleteSkill(self, 'plan')
    const gone = [{ slug: 'plan', to: 'latest' as const, version: null }]
    t.same(await profilesShown(self), [{ name: 'work', bindings: gone }])
    await refused(t, bindProfile(self, 'work', 'plan', 'latest'), 'E_SLUG_UNKNOWN')
    await restoreSkill(self, 'plan')
    t.match(await profilesShown(self), [{ bindings: [{ version }] }])
    await deleteSkill(self, 'plan')
    const other = await make(self, 'Plan')
    await bindProfile(self, 'work', 'plan', 'latest')
    t.match(await unbindProfile(self, 'work', 'plan'), { bindings: gone }, 'the live one goes first')
    t.same((await unbindProfile(self, 'work', 'plan')).bindings, [])
    t.equal(self.store.namespace.isLive(other.uid as Uid), true, 'the skill stays')
  })
})

t.test('of two that are one skill by now the one that was bound last counts', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const { store } = self
    const old = await make(self, 'Old')
    const next = await make(self, 'New')
    await newProfile(self, 'work')
    await bindProfile(self, 'work', 'new', 'published')
    await bindProfile(self, 'work', 'old', 'latest')
    await deleteSkill(self, 'old')
    await store.append({
      type: 'import',
      bundle: null,
      skills: [],
      versions: [],
      attestations: [],
      aliases: [{ from: old.uid as Uid, to: next.uid as Uid, seen: old.version as never }],
      blobs: [],
      contents: []
    })
    t.equal(store.namespace.uidOf(old.uid as Uid), next.uid)
    t.same((await profilesShown(self))[0]!.bindings, [{ slug: 'new', to: 'latest', version: next.version }])
    t.same((await unbindProfile(self, 'work', 'new')).bindings, [], 'and both go')
  })
})

t.test('what can’t be', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    await make(self, 'Plan')
    await newProfile(self, 'Müller')
    await refused(t, newProfile(self, 'MU\u0308LLER'), 'E_PROFILE_EXISTS')
    await refused(t, newProfile(self, ' '), 'E_PROFILE_NAME')
    await refused(t, newProfile(self, 'x'.repeat(65)), 'E_PROFILE_NAME')
    await refused(t, bindProfile(self, 'home', 'plan', 'latest'), 'E_PROFILE_UNKNOWN')
    await refused(t, deleteProfile(self, 'home'), 'E_PROFILE_UNKNOWN')
    await refused(t, bindProfile(self, 'müller', 'plam', 'latest'), 'E_SLUG_UNKNOWN')
    await refused(t, bindProfile(self, 'müller', 'calendar', 'latest'), 'E_SLUG_TOOL')
    await refused(t, bindProfile(self, 'müller', 'plan', { version: '00000000' }), 'E_VERSION_UNKNOWN')
    await refused(t, unbindProfile(self, 'müller', 'plan'), 'E_NOT_BOUND')
    t.same(await profilesShown(self), [{ name: 'Müller', bindings: [] }])
  })
})

t.test('no profile binds more skills than it may', async (t) => {
  const ana = await home(t, 'Ana')
  await ana.under(async (self) => {
    const { store } = self
    await make(self, 'Plan')
    await newProfile(self, 'work')
    const { id } = profileOf(store, 'work')
    const { memory } = store
    const row = memory.profiles.get(id)!
    const bindings = Array.from({ length: MAX_BINDINGS }, (_, n) => ({
      uid: n.toString(16).padStart(32, '0') as Uid,
      to: 'latest' as const
    }))
    memory.profiles.set(id, { ...row, bindings })
    await refused(t, bindProfile(self, 'work', 'plan', 'latest'), 'E_PROFILE_FULL')
  })
})
