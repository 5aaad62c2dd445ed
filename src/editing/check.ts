import type { CheckReport, OnProgress } from '../api.js'
import { isSelkieError } from '../base/errors.js'
import type { Slug } from '../base/ids.js'
import { isAttestation } from '../keys/identity.js'
import { contentHash, decodeContent } from '../namespace/content.js'
import { refKey, refsOf } from '../namespace/linked.js'
import { isSlug } from '../namespace/slug.js'
import { toolBySlug } from '../namespace/tool.js'
import { isSignedVersion, versionHash } from '../namespace/version.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'

/**
 * Verifies the whole store against its invariants: every reference leads to a live
 * skill or a tool, slugs are well-formed and nobody has another's, every content and
 * file is what its hash says, every version is signed by a device that its author
 * attested.
 */
export async function checkStore(self: Self, onProgress: OnProgress = () => {}): Promise<CheckReport> {
  const { view, namespace, blobs } = self.store
  const problems: CheckReport['problems'] = []
  const rows = [...namespace.all()] as StoredSkill[]
  const claimed = new Map<Slug, string>()
  for (const [i, row] of rows.entries()) {
    onProgress({ label: 'Checking skills', done: i, total: rows.length })
    if (row.deleted) continue
    const say = (code: string, message: string): void => void problems.push({ code, message, slug: row.slug })
    if (!isSlug(row.slug) || toolBySlug(row.slug)) say('C_SLUG', 'Its slug isn’t one that a skill may have.')
    if (claimed.has(row.slug)) say('C_SLUG_TWICE', 'Another live skill has the same slug.')
    claimed.set(row.slug, row.uid)
    if ((await view.get('slug', row.slug)) !== row.uid) say('C_SLUG_INDEX', 'Its slug doesn’t lead to it.')
    const version = await view.get('version', row.head)
    const encoded = version && (await view.content(version.content))
    if (!encoded) {
      say('C_CONTENT_MISSING', 'Its text is missing.')
      continue
    }
    const content = decoded(encoded)
    if (!content || contentHash(encoded) !== version.content) {
      say('C_CONTENT', 'Its text isn’t what its hash says.')
      continue
    }
    const refs = refsOf(content.body)
    if (refs.map(refKey).join() !== row.refs.map(refKey).join()) {
      say('C_MENTIONS', 'What is noted of its mentions isn’t what its text says.')
    }
    for (const ref of refs) {
      if (!('skill' in ref)) continue
      if (!namespace.isLive(ref.skill)) say('C_DANGLING', 'It mentions a skill that isn’t there.')
      const noted = await view.get('mention', namespace.uidOf(ref.skill), row.uid)
      if (noted === undefined) say('C_MENTION_INDEX', 'A skill that it mentions doesn’t know of it.')
    }
    for (const { path, hash } of content.files) {
      if (!(await view.get('blob', hash))) say('C_FILE_MISSING', `Its file ${path} is missing.`)
    }
  }
  onProgress({ label: 'Checking skills', done: rows.length, total: rows.length })

  let versions = 0
  for await (const { name, row } of view.all('version')) {
    versions++
    const attestation = await view.get('attestation', row.author, row.device)
    const attested = attestation !== undefined && isAttestation(attestation)
    if (!attested || versionHash(row) !== name || !isSignedVersion(row)) {
      problems.push({
        code: 'C_SIGNATURE',
        message: `Version ${name.slice(0, 12)} isn’t signed by its author.`
      })
    }
  }
  let files = 0
  for await (const { name, row } of view.all('blob')) {
    files++
    onProgress({ label: 'Checking files', done: files, total: files })
    if (!(await blobs.isWhole(row))) {
      problems.push({
        code: 'C_FILE',
        message: `The file ${name.slice(0, 12)} isn’t what its hash says, or is missing.`
      })
    }
  }
  return { ok: problems.length === 0, skills: claimed.size, versions, files, problems }
}

function decoded(encoded: Uint8Array) {
  try {
    return decodeContent(encoded)
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}
