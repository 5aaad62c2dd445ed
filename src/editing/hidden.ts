import type { Listed } from '../api.js'
import type { VersionHash } from '../base/ids.js'
import { HIDING_KEY, POLICY_FILE, saysHidden } from '../folders/declared.js'
import { decodeContent } from '../namespace/content.js'
import { reachedByModels } from '../namespace/reached-by-models.js'
import type { Store } from '../store/store.js'

/** What was found of versions before: a version never changes. */
const found = new WeakMap<Store, Map<VersionHash, boolean>>()

/**
 * Whether a version of a skill says that it isn’t for models: they get it only where the
 * person names it. While the file that may say so isn’t on this device, it counts as if it did.
 */
export async function isHidden(store: Store, hash: VersionHash): Promise<boolean> {
  let answers = found.get(store)
  if (!answers) found.set(store, (answers = new Map<VersionHash, boolean>()))
  const before = answers.get(hash)
  if (before !== undefined) return before
  const version = await store.view.get('version', hash)
  const encoded = version && (await store.view.content(version.content))
  // Where there is no text, there is nothing that a model could get.
  if (!encoded) return false
  const answer = await saysSo(store, encoded)
  if (answer === undefined) return true
  answers.set(hash, answer)
  return answer
}

/**
 * A list in which those are marked that models would get, for they are advertised or what is
 * mentions them, and that are hidden. The others are closed to models anyway, and not looked at.
 */
export async function marked(store: Store, skills: readonly Listed[]): Promise<Listed[]> {
  const hidden = new Set<string>()
  await reachedByModels(skills, async ({ slug, version }) => {
    const isClosed = await isHidden(store, version as VersionHash)
    if (isClosed) hidden.add(slug)
    return !isClosed
  })
  return skills.map((skill) => (hidden.has(skill.slug) ? { ...skill, hidden: true } : skill))
}

/** What is shown of one skill, marked where it is hidden. */
export async function withHidden<T extends Listed>(store: Store, skill: T): Promise<T> {
  return (await isHidden(store, skill.version as VersionHash)) ? { ...skill, hidden: true } : skill
}

/** Undefined where that can’t be told yet. */
async function saysSo(store: Store, encoded: Uint8Array): Promise<boolean | undefined> {
  // Few do, and all of a list are looked at: by its bytes alone, one that doesn’t is told at once.
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  if (!bytes.includes(HIDING_KEY) && !bytes.includes(POLICY_FILE)) return false
  const { header, files } = decodeContent(encoded)
  if (saysHidden(header, [])) return true
  const policy = files.find(({ path }) => path === POLICY_FILE)
  if (!policy) return false
  const said = await store.file(policy.hash)
  return said && saysHidden(null, [{ path: POLICY_FILE, bytes: said }])
}
