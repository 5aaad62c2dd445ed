import { SelkieError } from '../base/errors.js'
import type { Packing } from '../bundle/pack.js'
import { signerOf } from '../bundle/lineage.js'
import type { ContentHash, FileHash, VersionHash } from '../base/ids.js'
import type { Attestation } from '../keys/identity.js'
import { closureOf } from '../namespace/closure.js'
import { decodeContent } from '../namespace/content.js'
import type { Version } from '../namespace/version.js'
import { lineageOf } from '../editing/find.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'

/**
 * Everything that a skill's closure is made of, out of the store: lineages, contents of
 * the shown versions, files, and the proofs of who wrote them. A text that isn't here is
 * left out, for packing to name.
 *
 * @throws SelkieError E_FILE_AWAY
 */
export async function gather(store: Store, root: StoredSkill, note: string): Promise<Packing> {
  const closure = closureOf(store.namespace, root)
  const versions = new Map<VersionHash, Version>()
  const attestations = new Map<string, Attestation>()
  const contents = new Map<ContentHash, Uint8Array>()
  const files = new Map<FileHash, Uint8Array>()
  for (const row of closure.skills) {
    for (const { hash, version } of await lineageOf(store, row)) {
      versions.set(hash, version)
      if (attestations.has(signerOf(version))) continue
      const attestation = await store.view.get('attestation', version.author, version.device)
      if (attestation) attestations.set(signerOf(version), attestation)
    }
    const head = versions.get(row.head)
    const encoded = head && (await store.view.content(head.content))
    if (!encoded) continue
    contents.set(head.content, encoded)
    for (const { hash } of decodeContent(encoded).files) {
      const bytes = files.get(hash) ?? (await store.file(hash))
      if (!bytes) throw new SelkieError('E_FILE_AWAY', { slug: row.slug })
      files.set(hash, bytes)
    }
  }
  return { closure, note, versions, attestations, contents, files }
}
