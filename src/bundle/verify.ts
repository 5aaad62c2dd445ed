import { SelkieError } from '../base/errors.js'
import type { VersionHash } from '../base/ids.js'
import { collisions, pathProblem } from '../folders/paths.js'
import type { Version } from '../namespace/version.js'
import { refuseContentsOverLimits } from './limits.js'
import { refuseForgedLineages } from './lineage.js'
import { refuseBrokenLinks } from './links.js'
import type { Payload } from './manifest.js'

/**
 * Refuses paths that aren't safe on every system, or that meet within a skill.
 *
 * @throws SelkieError E_PATH, E_PATH_COLLISION
 */
export function refuseUnsafePaths({ manifest, contents }: Pick<Payload, 'manifest' | 'contents'>): void {
  for (const { slug, content } of manifest.skills) {
    const paths = contents.get(content)!.content.files.map((file) => file.path)
    for (const path of paths) {
      const problem = pathProblem(path)
      if (problem) throw new SelkieError('E_PATH', { slug, path, problem })
    }
    const [met] = collisions(paths)
    if (met) throw new SelkieError('E_PATH_COLLISION', { slug, path: met.path, with: met.with })
  }
}

/**
 * Refuses what no honest sender seals: links, limits and lineages, in that order. A
 * sender asks the same of what it packs.
 *
 * @returns every version by its hash
 * @throws SelkieError E_BUNDLE_…, E_LIMIT_…
 */
export function verifyClosure(payload: Pick<Payload, 'manifest' | 'contents'>): Map<VersionHash, Version> {
  refuseBrokenLinks(payload)
  refuseContentsOverLimits(payload)
  return refuseForgedLineages(payload.manifest)
}
