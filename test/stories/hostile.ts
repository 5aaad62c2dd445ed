import type { DeviceKey, Slug, Uid } from '../../src/base/ids.js'
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

/** What a device appends past every check, what that makes true, and whether all must refuse it. */
export function hostileEntry(
  self: Self,
  other: Self,
  { what, skill }: HostileStep
): { readonly bytes: Uint8Array; readonly deeds: readonly Deed[]; readonly refused: boolean } {
  const { namespace } = self.store
  const row = picked(namespace.live(), skill)
  const uid = row?.uid ?? NOBODY
  const key = self.device.signer.key
  const refused = (op: Op) => ({ bytes: encodeOp(op), deeds: [], refused: true })
  switch (what) {
    case 'noise':
      return { bytes: Uint8Array.of(0xc1, skill), deeds: [], refused: true }
    case 'forged':
      return refused(saveBy(self, self, uid, ['Forged.'], other.device.signer.key))
    case 'foreign':
      return refused(saveBy(self, other, uid, ['Someone else’s.'], other.device.signer.key))
    case 'unknown':
      return refused(saveBy(self, self, uid, ['See ', { skill: NOWHERE }, '.'], key))
    case 'nowhere':
      return refused({ type: 'delete', uid: NOBODY })
    case 'tool':
    case 'taken': {
      const slug =
        what === 'tool'
          ? ('calendar' as Slug)
          : (picked(namespace.live(), skill + 1)?.slug ?? ('plan' as Slug))
      const deeds: Deed[] = row ? [{ kind: 'named', uid, slug, got: slug }] : []
      return { bytes: encodeOp({ type: 'rename', uid, slug }), deeds, refused: !row }
    }
    case 'mentioned':
      return {
        bytes: encodeOp({ type: 'delete', uid }),
        deeds: row ? [{ kind: 'deleted', uid }] : [],
        refused: !row
      }
  }
}

function saveBy(self: Self, signer: Self, uid: Uid, body: LinkedBody, device: DeviceKey): Op {
  const content = encodeContent({ title: 'Odd', summary: 'Odd.', header: null, body, files: [] })
  const version = signVersion(
    { uid, content: contentHash(content), parents: [], author: self.identity, device, time: 1_760_000_000 },
    signer.device.signer
  )
  return { type: 'save', slug: 'odd' as Slug, version, content }
}
