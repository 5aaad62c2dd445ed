import { basename } from 'node:path'
import { SelkieError, isSelkieError } from '../../src/base/errors.js'
import type { BundleId, Slug, Uid, VersionHash } from '../../src/base/ids.js'
import type { Decisions, Saved } from '../../src/api.js'
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
import { contactRows, forgetContact, renewCard, setVerified, takeCard } from '../../src/people/contacts.js'
import { acceptBundle } from '../../src/receiving/import.js'
import { declineBundle, listInbox, receiveFile } from '../../src/receiving/inbox.js'
import { reviewBundle } from '../../src/receiving/review.js'
import { slugFromTitle } from '../../src/namespace/slug.js'
import type { StoredSkill } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import { cardOf, people } from './cast.js'
import type { Deed } from './facts.js'
import { picked, SLUGS, TITLES, type BundleStep, type PeopleStep, type SkillStep } from './story.js'

/** One device at its turn. */
export interface Turn {
  readonly self: Self
  /** The number of the step: what makes its texts unlike all others. */
  readonly step: number
  /** The file of a bundle. */
  bundle(number: number): string
  /** A folder with skills to import. */
  readonly folder: string
}

/**
 * Does what a step says with the verb for it.
 *
 * @returns what the person has been told; nothing where there was nothing to do
 * @throws SelkieError where the verb refuses
 */
export async function act(turn: Turn, step: SkillStep | PeopleStep | BundleStep): Promise<Deed[]> {
  switch (step.does) {
    case 'card':
    case 'renew':
    case 'verify':
    case 'forget':
      return actOnPeople(turn, step)
    case 'receive':
    case 'accept':
    case 'decline':
      return actOnBundles(turn, step)
    default:
      return actOnSkills(turn, step)
  }
}

async function actOnSkills({ self, step: n, folder }: Turn, step: SkillStep): Promise<Deed[]> {
  const { namespace } = self.store
  const live = namespace.live() as StoredSkill[]
  const row = 'skill' in step ? picked(live, step.skill) : undefined
  const text = 'mentions' in step ? said(live, n, step) : ''
  switch (step.does) {
    case 'create': {
      const title = picked(TITLES, step.title)!
      const body = `${text}\n\nThen this.\n\nThen that.\n`
      const meant = meantBy(self, body)
      const made = await createSkill(self, { title, summary: `How to: ${title}.`, body })
      return [
        told(made, body, meant),
        { kind: 'named', uid: made.uid as Uid, slug: slugFromTitle(title), got: made.slug as Slug }
      ]
    }
    case 'folders': {
      const { imported } = await importFolders(self, [folder])
      return imported.flatMap(({ folder: from, uid, slug, status }): Deed[] => {
        if (status === 'same') return []
        const { head } = namespace.row(uid as Uid)!
        return [
          { kind: 'saved', uid: uid as Uid, version: head },
          { kind: 'named', uid: uid as Uid, slug: basename(from) as Slug, got: slug as Slug }
        ]
      })
    }
    case 'merge':
      return merge(self, n, step.skill)
    case 'undelete': {
      const deleted = [...namespace.all()].filter(
        (each) => each.deleted && namespace.uidOf(each.uid) === each.uid
      )
      const gone = picked(deleted, step.skill)
      if (!gone) return []
      const { uid } = await restoreSkill(self, gone.slug)
      if (!namespace.isLive(uid as Uid)) throw new Error(`${gone.slug} was restored and isn’t there`)
      return [{ kind: 'undeleted', uid: uid as Uid }]
    }
  }
  if (!row) return []
  const { uid, slug } = row
  switch (step.does) {
    case 'edit': {
      const paragraphs = shownBody(self.store, await shownContent(self.store, row)).split('\n\n')
      const body = paragraphs.with(step.paragraph % paragraphs.length, text).join('\n\n')
      const meant = meantBy(self, body)
      const edited = await editSkill(self, slug, { body, base: row.head })
      return [told(edited, body, meant)]
    }
    case 'retitle':
      return [told(await editSkill(self, slug, { title: picked(TITLES, step.title)! }))]
    case 'rename': {
      const to = picked(SLUGS, step.slug)!
      const renamed = await renameSkill(self, slug, to)
      if ((namespace.slugOf(uid) as string) !== renamed.slug)
        throw new Error(`${slug} was renamed and isn’t ${renamed.slug}`)
      // What has the name already has nothing to say to the others.
      return slug === to ? [] : [{ kind: 'named', uid, slug: to as Slug, got: to as Slug }]
    }
    case 'delete':
      await deleteSkill(self, slug)
      if (namespace.isLive(uid)) throw new Error(`${slug} was deleted and is there`)
      return [{ kind: 'deleted', uid }]
    case 'restore': {
      const version = picked(await logOf(self, slug), step.version)!
      return [told(await restoreVersion(self, slug, version.version))]
    }
    case 'publish': {
      const version = picked(await logOf(self, slug), step.version)!
      const { version: published } = await publishVersion(self, slug, version.version)
      return [{ kind: 'published', uid, version: published as VersionHash }]
    }
    case 'enable':
      await setEnabled(self, slug, step.value)
      return [{ kind: 'enabled', uid, value: step.value }]
    case 'advertise':
      await setAdvertised(self, slug, step.value)
      return [{ kind: 'advertised', uid, value: step.value }]
  }
}

/** Merges what stands beside the shown version of a skill, as it is offered or else by hand. */
async function merge(self: Self, n: number, skill: number): Promise<Deed[]> {
  const conflict = picked(await conflictsOf(self), skill)
  if (!conflict) return []
  const { slug, uid, shown } = conflict
  const { version } = conflict.beside[0]!
  const by = async (body?: string): Promise<Deed[]> => {
    const { saved } = await mergeSkill(self, slug, { with: version, save: true, ...(body && { body }) })
    const { heads } = self.store.namespace.row(uid as Uid)!
    if (heads.some((head) => head === shown || head === version))
      throw new Error(`${slug} was merged and isn’t`)
    return [{ kind: 'saved', uid: uid as Uid, version: saved as VersionHash }]
  }
  try {
    return await by()
  } catch (error) {
    if (!isSelkieError(error, 'E_MERGE_CONFLICT')) throw error
    return by(`Merged by hand, in step ${n}.\n`)
  }
}

async function actOnPeople({ self }: Turn, step: PeopleStep): Promise<Deed[]> {
  if (step.does === 'card' || step.does === 'renew') {
    const person = picked(people, step.person)!
    const { identity } = person
    const number = step.number + 1
    const card = cardOf(person, number)
    if (step.does === 'card') {
      await takeCard(self, card)
      return [{ kind: 'added', identity, number }]
    }
    await renewCard(self, identity, card)
    return [{ kind: 'renewed', identity, number }]
  }
  const contact = picked(contactRows(self.store), step.person)
  if (!contact) return []
  const { identity } = contact
  if (step.does === 'forget') {
    await forgetContact(self, identity)
    return [{ kind: 'forgot', identity }]
  }
  await setVerified(self, identity, step.value)
  return [{ kind: 'verified', identity, value: step.value }]
}

async function actOnBundles({ self, bundle }: Turn, step: BundleStep): Promise<Deed[]> {
  if (step.does === 'receive') {
    const { row } = await receiveFile(self, bundle(step.bundle))
    return [{ kind: 'received', id: row.id }]
  }
  const id = picked(listInbox(self), step.bundle)?.id as BundleId | undefined
  if (!id) return []
  if (step.does === 'decline') {
    await declineBundle(self, id)
    return [{ kind: 'declined', id }]
  }
  const { skills } = await reviewBundle(self, id)
  const { incoming } = picked(skills, step.skill)!
  const mine = picked(self.store.namespace.live(), step.skill)
  const decisions: Record<typeof step.decide, Decisions> = {
    all: {},
    rename: { rename: { [incoming]: picked(SLUGS, step.skill)! } },
    drop: { drop: [incoming] },
    mine: mine ? { useMine: { [incoming]: mine.slug } } : {}
  }
  await acceptBundle(self, id, decisions[step.decide])
  return [{ kind: 'accepted', id, decided: step.decide !== 'all' }]
}

/** A paragraph that no other step writes. */
function said(
  live: readonly StoredSkill[],
  n: number,
  { mentions, tool }: { readonly mentions: readonly number[]; readonly tool: boolean }
): string {
  const named = mentions.flatMap((pick) => picked(live, pick)?.slug ?? [])
  const all = tool ? [...named, 'find-file'] : named
  return [`Step ${n} says so.`, ...all.map((slug) => `See @${slug}.`)].join(' ')
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

function told({ uid, version }: Saved, text?: string, meant?: ReadonlyMap<Slug, Uid>): Deed {
  return {
    kind: 'saved',
    uid: uid as Uid,
    version: version as VersionHash,
    ...(text && meant && { text, meant })
  }
}

/** Whether a verb may refuse a step so: because of what there is, and not because something is broken. */
export function isRefusal(error: unknown): error is SelkieError {
  return isSelkieError(error) && !BROKEN.has(error.code)
}

const BROKEN: ReadonlySet<string> = new Set(['E_STORE_DAMAGED', 'E_UPGRADE', 'E_STEP_LIMIT'])
