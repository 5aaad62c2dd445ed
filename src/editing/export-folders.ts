import type { FolderExport } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { OutgoingSkill } from '../folders/outgoing.js'
import { writeSkills } from '../folders/write.js'
import { closureOf } from '../namespace/closure.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'
import { liveSkill, shownContent } from './find.js'
import { shownBody } from './present.js'

/**
 * Writes skills as folders in the Agent Skills format, under their slugs of now; with
 * `closure`, all that they mention too: every one, or none. What is there already, just
 * as it would be written, stays. Exec bits are set where they are honoured here.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_STORE_DAMAGED, E_FILE_AWAY, and what {@link writeSkills} refuses
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
  const skills: OutgoingSkill[] = []
  for (const row of rows.values()) skills.push(await outgoing(self, row))
  const { written, diagnostics } = await writeSkills(skills, to)
  return { exported: written.map((each, i) => ({ slug: skills[i]!.slug, ...each })), diagnostics }
}

async function outgoing({ store }: Self, row: StoredSkill): Promise<OutgoingSkill> {
  const content = await shownContent(store, row)
  return {
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
  }
}
