import type { FolderExport } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { writeSkill } from '../folders/write.js'
import { closureOf } from '../namespace/closure.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'
import { liveSkill, shownContent } from './find.js'
import { shownBody } from './present.js'

/**
 * Writes skills as folders in the Agent Skills format, under their slugs of now; with
 * `closure`, all that they mention too. Exec bits are set where they are honoured here.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_STORE_DAMAGED, E_FILE_AWAY, and what {@link writeSkill} refuses
 */
export async function exportFolders(
  self: Self,
  typed: readonly string[],
  to: string,
  { closure }: { closure: boolean }
): Promise<FolderExport> {
  const { store } = self
  const rows = new Map<string, StoredSkill>()
  for (const slug of typed) {
    const row = liveSkill(store, slug)
    const all = closure ? closureOf(store.namespace, row).skills : [row]
    for (const skill of all) rows.set(skill.uid, skill as StoredSkill)
  }
  const result: FolderExport = { exported: [], diagnostics: [] }
  for (const row of rows.values()) {
    const content = await shownContent(store, row)
    const written = await writeSkill(
      {
        slug: row.slug,
        title: content.title,
        summary: content.summary,
        header: content.header,
        body: shownBody(store, content),
        files: content.files.map(({ path, hash, exec }) => ({
          path,
          exec: exec && row.exec,
          bytes: async () => {
            const bytes = await store.file(hash)
            if (!bytes) throw new SelkieError('E_FILE_AWAY', { slug: row.slug })
            return bytes
          }
        }))
      },
      to
    )
    result.exported.push({ slug: row.slug, folder: written.folder, files: written.files })
    result.diagnostics.push(...written.diagnostics)
  }
  return result
}
