import type { DeviceKey, Slug, Uid, VersionHash } from '../../src/base/ids.js'
import { contentHash, encodeContent } from '../../src/namespace/content.js'
import type { LinkedBody } from '../../src/namespace/linked.js'
import { signVersion } from '../../src/namespace/version.js'
import { encodeOp, type Op } from '../../src/store/ops.js'
import type { Self } from '../../src/store/self.js'
import type { Deed } from './facts.js'
import { picked, type HostileStep } from './story.js'

/** Ids that no skill has. */
const NOBODY = 'f'.repeat(32) as Uid
const NOWHERE = 'e'.repeat(32) as Uid

/** What a device appends past every check. */
export interface HostileEntry {
  readonly bytes: Uint8Array
  /** What it makes true. */
  readonly deeds: readonly Deed[]
  /** Whether every device must refuse it. */
  readonly refused: boolean
}

/** @param other another device of the same person, that is a victim of it */
export function hostileEntry(self: Self, other: Self, { what, skill }: HostileStep): HostileEntry {
  const live = self.store.namespace.live()
  const row = picked(live, skill)
  const uid = row?.uid ?? NOBODY
  const key = self.device.signer.key
  const refused = (op: Op): HostileEntry => ({ bytes: encodeOp(op), deeds: [], refused: true })
  const sound = (op: Op, ...deeds: Deed[]): HostileEntry => {
    return row ? { bytes: encodeOp(op), deeds, refused: false } : refused(op)
  }
  const astray = NOBODY.repeat(2) as VersionHash
  const renamed = (slug: Slug): HostileEntry => {
    return sound({ type: 'rename', uid, slug }, { kind: 'named', uid, slug, got: slug })
  }
  const entries: Record<HostileStep['what'], () => HostileEntry> = {
    noise: () => ({ bytes: Uint8Array.of(0xc1, skill), deeds: [], refused: true }),
    forged: () => refused(saveBy(self, other, uid, ['Forged.'], key)),
    foreign: () => refused(saveBy(self, other, uid, ['Someone else’s.'], other.device.signer.key)),
    unknown: () => refused(saveBy(self, self, uid, ['See ', { skill: NOWHERE }, '.'], key)),
    nowhere: () => refused({ type: 'delete', uid: NOBODY }),
    tool: () => renamed('calendar' as Slug),
    taken: () => renamed(picked(live, skill + 1)?.slug ?? ('plan' as Slug)),
    astray: () => sound({ type: 'publish', uid, version: astray }),
    mentioned: () => sound({ type: 'delete', uid }, { kind: 'deleted', uid })
  }
  return entries[what]()
}

function saveBy(self: Self, signer: Self, uid: Uid, body: LinkedBody, device: DeviceKey): Op {
  const content = encodeContent({ title: 'Odd', summary: 'Odd.', header: null, body, files: [] })
  const version = signVersion(
    { uid, content: contentHash(content), parents: [], author: self.identity, device, time: 1_760_000_000 },
    signer.device.signer
  )
  return { type: 'save', slug: 'odd' as Slug, version, content }
}
