import type { SkillFileShown } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { Self } from '../store/self.js'
import { contentHere, liveSkill, namedVersion } from './find.js'

/**
 * A file of a skill, of the shown version unless one is named.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_VERSION_UNKNOWN, E_VERSION_AWAY, E_SKILL_FILE, E_FILE_AWAY
 */
export async function skillFile(
  { store }: Self,
  typed: string,
  path: string,
  version?: string
): Promise<SkillFileShown> {
  const row = liveSkill(store, typed)
  const hash = version === undefined ? row.head : (await namedVersion(store, row, version)).hash
  const { files } = await contentHere(store, row, hash)
  const file = files.find((entry) => entry.path === path)
  if (!file) throw new SelkieError('E_SKILL_FILE', { slug: row.slug, path })
  const bytes = await store.file(file.hash)
  if (!bytes) throw new SelkieError('E_FILE_AWAY', { slug: row.slug })
  return { ...file, bytes: Buffer.from(bytes).toString('base64') }
}
