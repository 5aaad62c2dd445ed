import type { Saved } from '../../src/api.js'
import { isSelkieError } from '../../src/base/errors.js'
import type { Slug, Uid, VersionHash } from '../../src/base/ids.js'
import { shownContent } from '../../src/editing/find.js'
import { logOf } from '../../src/editing/history.js'
import { importFolders } from '../../src/editing/import-folders.js'
import {
  deleteSkill,
  publishVersion,
  renameSkill,
  restoreSkill,
  setAdvertised,
  setEnabled
} from '../../src/editing/manage.js'
import { conflictsOf, mergeSkill } from '../../src/editing/merge.js'
import { shownBody } from '../../src/editing/present.js'
import { createSkill, editSkill, restoreVersion } from '../../src/editing/save.js'
import { mentions } from '../../src/namespace/mention.js'
import type { StoredSkill } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import type { Acts, Turn } from './acts.js'
import type { Deed } from './facts.js'
import { picked, SLUGS, TITLES, type SkillStep } from './story.js'

export const skillActs: Acts<SkillStep> = {
  async create(turn, step) {
    const title = picked(TITLES, step.title)!
    const body = `${said(turn, step)}\n\nThen this.\n\nThen that.\n`
    const meant = meantBy(turn.self, body)
    const made = await createSkill(turn.self, { title, summary: `How to: ${title}.`, body })
    const slug = made.slug as Slug
    return [told(made, body, meant), { kind: 'named', uid: made.uid as Uid, slug, got: slug }]
  },

  async edit(turn, step) {
    const { self } = turn
    const row = live(self, step.skill)
    if (!row) return []
    const paragraphs = shownBody(self.store, await shownContent(self.store, row)).split('\n\n')
    const body = paragraphs.with(step.paragraph % paragraphs.length, said(turn, step)).join('\n\n')
    const meant = meantBy(self, body)
    return [told(await editSkill(self, row.slug, { body, base: row.head }), body, meant)]
  },

  async retitle({ self }, { skill, title }) {
    const row = live(self, skill)
    if (!row) return []
    const edited = await editSkill(self, row.slug, { title: picked(TITLES, title)! })
    return edited.version === row.head ? [] : [told(edited)]
  },

  async rename({ self }, step) {
    const row = live(self, step.skill)
    if (!row) return []
    const slug = picked(SLUGS, step.slug)! as Slug
    await renameSkill(self, row.slug, slug)
    const got = self.store.namespace.slugOf(row.uid)
    if (got !== slug) throw new Error(`${row.slug} was renamed and isn’t ${slug}`)
    // What has the name already has nothing to say to the others.
    return row.slug === slug ? [] : [{ kind: 'named', uid: row.uid, slug, got }]
  },

  async delete({ self }, { skill }) {
    const row = live(self, skill)
    if (!row) return []
    await deleteSkill(self, row.slug)
    if (self.store.namespace.isLive(row.uid)) throw new Error(`${row.slug} was deleted and is there`)
    return [{ kind: 'deleted', uid: row.uid }]
  },

  async undelete({ self }, { skill }) {
    const { namespace } = self.store
    const gone = [...namespace.all()].filter(({ uid, deleted }) => deleted && namespace.uidOf(uid) === uid)
    const row = picked(gone, skill)
    if (!row) return []
    const uid = (await restoreSkill(self, row.slug, row.uid)).uid as Uid
    if (uid !== row.uid) throw new Error(`${row.slug} was restored, and it is another`)
    if (!namespace.isLive(uid)) throw new Error(`${row.slug} was restored and isn’t there`)
    return [{ kind: 'undeleted', uid }]
  },

  async restore({ self }, { skill, version }) {
    const row = live(self, skill)
    if (!row) return []
    const entry = picked(await logOf(self, row.slug), version)!
    const restored = await restoreVersion(self, row.slug, entry.version)
    // What is shown already makes no version.
    return restored.version === row.head ? [] : [told(restored)]
  },

  async publish({ self }, { skill, version }) {
    const row = live(self, skill)
    if (!row) return []
    const entry = picked(await logOf(self, row.slug), version)!
    const published = await publishVersion(self, row.slug, entry.version)
    return [{ kind: 'published', uid: row.uid, version: published.version as VersionHash }]
  },

  async enable({ self }, { skill, value }) {
    const row = live(self, skill)
    if (!row) return []
    await setEnabled(self, row.slug, value)
    return [{ kind: 'enabled', uid: row.uid, value }]
  },

  async advertise({ self }, { skill, value }) {
    const row = live(self, skill)
    if (!row) return []
    await setAdvertised(self, row.slug, value)
    return [{ kind: 'advertised', uid: row.uid, value }]
  },

  async merge({ self, step }, { skill }) {
    const conflict = picked(await conflictsOf(self), skill)
    if (!conflict) return []
    const { slug, shown } = conflict
    const uid = conflict.uid as Uid
    const beside = conflict.beside[0]!.version
    const by = (body?: string) => mergeSkill(self, slug, { with: beside, save: true, ...(body && { body }) })
    const { saved } = await by().catch(async (error: unknown) => {
      if (!isSelkieError(error, 'E_MERGE_CONFLICT')) throw error
      return by(`Merged by hand, in step ${step}.\n`)
    })
    const { heads } = self.store.namespace.row(uid)!
    if (heads.some((head) => head === shown || head === beside)) throw new Error(`${slug} isn’t merged`)
    return [{ kind: 'saved', uid, version: saved as VersionHash }]
  },

  async folders({ self, folder }) {
    const { imported } = await importFolders(self, [folder])
    const fresh = imported.filter(({ status }) => status !== 'same')
    return fresh.flatMap((each): Deed[] => {
      const uid = each.uid as Uid
      const { head } = self.store.namespace.row(uid)!
      return [
        { kind: 'saved', uid, version: head },
        { kind: 'named', uid, slug: each.slug as Slug, got: each.slug as Slug }
      ]
    })
  }
}

function live(self: Self, skill: number): StoredSkill | undefined {
  return picked(self.store.namespace.live() as StoredSkill[], skill)
}

/** A paragraph that no other step writes. */
function said(
  { self, step }: Turn,
  { mentions, tool }: Extract<SkillStep, { does: 'create' | 'edit' }>
): string {
  const named = mentions.flatMap((pick) => live(self, pick)?.slug ?? [])
  const all = tool ? [...named, 'find-file'] : named
  return [`Step ${step} says so.`, ...all.map((slug) => `See @${slug}.`)].join(' ')
}

/** Which skills the mentions of a text are, just now. */
function meantBy({ store: { namespace } }: Self, text: string): Map<Slug, Uid> {
  return new Map(
    mentions(text).flatMap((slug) => {
      const ref = namespace.refOf(slug)
      return ref && 'skill' in ref ? [[slug, ref.skill] as const] : []
    })
  )
}

function told(saved: Saved, text?: string, meant?: ReadonlyMap<Slug, Uid>): Deed {
  const [uid, version] = [saved.uid as Uid, saved.version as VersionHash]
  return { kind: 'saved', uid, version, ...(text && meant && { text, meant }) }
}
