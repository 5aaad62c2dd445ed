import type { Decisions } from '../../src/api.js'
import type { BundleId, Uid, VersionHash } from '../../src/base/ids.js'
import { acceptBundle } from '../../src/receiving/import.js'
import { declineBundle, listInbox, receiveFile } from '../../src/receiving/inbox.js'
import { reviewBundle } from '../../src/receiving/review.js'
import type { Self } from '../../src/store/self.js'
import type { Acts } from './acts.js'
import { picked, SLUGS, type BundleStep } from './story.js'

export const bundleActs: Acts<BundleStep> = {
  async receive({ self, bundle }, step) {
    const { row } = await receiveFile(self, bundle(step.bundle))
    return [{ kind: 'received', id: row.id }]
  },

  async accept({ self }, { bundle, decide, skill }) {
    const id = inInbox(self, bundle)
    if (!id) return []
    const { skills } = await reviewBundle(self, id, () => false)
    const { incoming } = picked(skills, skill)!
    const mine = picked(self.store.namespace.live(), skill)
    const decisions: Record<typeof decide, Decisions> = {
      all: {},
      rename: { rename: { [incoming]: picked(SLUGS, skill)! } },
      drop: { drop: [incoming] },
      mine: mine ? { useMine: { [incoming]: mine.slug } } : {}
    }
    const { view, namespace } = self.store
    const versions = skills.flatMap(({ lineage }) => lineage.map(({ version }) => version as VersionHash))
    const uids = skills.map(({ uid }) => uid as Uid)
    const before = uids.map((uid) => namespace.row(uid)?.head)
    const { imported } = (await acceptBundle(self, id, decisions[decide])).imported
    const shown = new Map<Uid, VersionHash>()
    for (const [n, { incoming, status }] of imported.entries()) {
      const row = namespace.row(uids[n]!)
      // What both have edited stays what it was, and theirs stands beside it, unless one skill
      // here stands in for two of theirs, of which the other is an update.
      const isOne = uids.every((uid, other) => other === n || namespace.row(uid)?.uid !== row?.uid)
      if (status === 'diverged' && isOne && row?.head !== before[n])
        throw new Error(`${incoming} replaced an edit`)
      if (row && row.head !== before[n]) shown.set(row.uid, row.head)
    }
    const here = await Promise.all(versions.map((version) => view.get('version', version)))
    const brought = versions.filter((_, n) => here[n] && here[n].author !== self.identity)
    return [{ kind: 'accepted', id, brought, shown }]
  },

  async decline({ self }, { bundle }) {
    const id = inInbox(self, bundle)
    if (!id) return []
    await declineBundle(self, id)
    return [{ kind: 'declined', id }]
  }
}

function inInbox(self: Self, bundle: number): BundleId | undefined {
  return picked(listInbox(self), bundle)?.id as BundleId | undefined
}
