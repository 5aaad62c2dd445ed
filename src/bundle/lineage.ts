import { SelkieError } from '../base/errors.js'
import type { Uid, VersionHash } from '../base/ids.js'
import { MAX_LINEAGE, MAX_VERSIONS } from '../base/limits.js'
import { isAttestation, type Attestation } from '../keys/identity.js'
import { isSignedVersion, versionHash, type Version } from '../namespace/version.js'
import type { BundledSkill, Manifest } from './manifest.js'

/**
 * A version and its ancestors as far as they are known, newest first: by generations,
 * each in the order of the parents. Ancestors that carry another uid than `carries`
 * allows end the walk.
 */
export function lineageOf(
  head: VersionHash,
  versions: ReadonlyMap<VersionHash, Version>,
  carries: (uid: Uid) => boolean
): Version[] {
  const lineage = new Map<VersionHash, Version>()
  const queue = new Set([head])
  // A set goes on iterating over what is added meanwhile.
  for (const hash of queue) {
    const version = versions.get(hash)
    if (!version || !carries(version.uid)) continue
    lineage.set(hash, version)
    for (const parent of version.parents) queue.add(parent)
    if (lineage.size === MAX_LINEAGE) break
  }
  return [...lineage.values()]
}

/**
 * The lineages cut to what one bundle carries: the long ones first, so that each keeps
 * as much as it can.
 */
export function cutToFit(lineages: readonly (readonly Version[])[]): (readonly Version[])[] {
  let most = MAX_LINEAGE
  const total = (): number => lineages.reduce((sum, { length }) => sum + Math.min(length, most), 0)
  while (total() > MAX_VERSIONS) most--
  return lineages.map((lineage) => lineage.slice(0, most))
}

/**
 * Refuses a history that isn't the skill's own, isn't whole from the head down, or that
 * its authors haven't signed with devices of theirs.
 *
 * @returns every version by its hash
 * @throws SelkieError E_BUNDLE_ATTESTATIONS, E_BUNDLE_LINEAGE, E_BUNDLE_HEAD,
 *   E_BUNDLE_AUTHOR, E_BUNDLE_VERSION_SIGNATURE
 */
export function refuseForgedLineages(manifest: Manifest): Map<VersionHash, Version> {
  refuseIdleAttestations(manifest)
  const attested = attestedDevices(manifest)
  const targets = new Map(manifest.aliases.map(({ from, to }) => [from, to]))
  const versions = new Map<VersionHash, Version>()
  for (const skill of manifest.skills) {
    const { slug } = skill
    for (const [hash, version] of hashedLineage(skill)) {
      if ((targets.get(version.uid) ?? version.uid) !== skill.uid)
        throw new SelkieError('E_BUNDLE_LINEAGE', { slug })
      if (!attested.has(signerOf(version))) throw new SelkieError('E_BUNDLE_AUTHOR', { slug })
      if (!isSignedVersion(version)) throw new SelkieError('E_BUNDLE_VERSION_SIGNATURE', { slug })
      versions.set(hash, version)
    }
  }
  return versions
}

/** Author and device as one string, for sets. */
export function signerOf({ author, device }: Pick<Version, 'author' | 'device'>): string {
  return `${author} ${device}`
}

/** The versions of a skill by hash: the head first, every other a parent of one before it. */
function hashedLineage({ slug, head, content, versions }: BundledSkill): Map<VersionHash, Version> {
  const lineage = new Map<VersionHash, Version>()
  const expected = new Set([head])
  for (const version of versions) {
    const hash = versionHash(version)
    if (!expected.has(hash) || lineage.has(hash)) throw new SelkieError('E_BUNDLE_LINEAGE', { slug })
    lineage.set(hash, version)
    for (const parent of version.parents) expected.add(parent)
  }
  if (lineage.get(head)?.content !== content) throw new SelkieError('E_BUNDLE_HEAD', { slug })
  return lineage
}

/**
 * Refuses doubled attestations, and more of them than there are signers: what nothing
 * needs isn't verified. Where each signer has its own, none is left over.
 */
function refuseIdleAttestations({ skills, attestations }: Manifest): void {
  const attested = new Set(attestations.map(signerOfAttestation))
  const signers = new Set(skills.flatMap(({ versions }) => versions.map(signerOf)))
  if (attested.size < attestations.length || attested.size > signers.size)
    throw new SelkieError('E_BUNDLE_ATTESTATIONS')
}

function attestedDevices({ attestations }: Manifest): Set<string> {
  const attested = new Set<string>()
  for (const attestation of attestations) {
    if (!isAttestation(attestation)) throw new SelkieError('E_BUNDLE_ATTESTATIONS')
    attested.add(signerOfAttestation(attestation))
  }
  return attested
}

function signerOfAttestation({ identity, device }: Attestation): string {
  return signerOf({ author: identity, device })
}
