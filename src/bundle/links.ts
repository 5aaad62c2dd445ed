import { SelkieError } from '../base/errors.js'
import type { FileHash, ToolName, Uid } from '../base/ids.js'
import { refsOf } from '../namespace/linked.js'
import { isSlug } from '../namespace/slug.js'
import { toolBySlug } from '../namespace/tool.js'
import type { EncodedContent, Manifest, Payload } from './manifest.js'

type Linked = Pick<Payload, 'manifest' | 'contents'>

/**
 * Refuses a bundle that isn't a closure: names that aren't sound, references that lead
 * out of it, skills that nothing needs, and lists that don't say what the contents say.
 *
 * @throws SelkieError E_BUNDLE_UID, E_BUNDLE_SLUG, E_BUNDLE_ALIAS, E_BUNDLE_ROOT,
 *   E_BUNDLE_DANGLES, E_BUNDLE_UNREACHED, E_BUNDLE_TOOLS, E_BUNDLE_FILES
 */
export function refuseBrokenLinks({ manifest, contents }: Linked): void {
  const uids = uidsOf(manifest)
  refuseUnsoundSlugs(manifest)
  const targets = targetsOf(manifest, uids)
  if (!uids.has(manifest.root)) throw new SelkieError('E_BUNDLE_ROOT')
  const references = new Map(
    manifest.skills.map(({ uid, slug, content }) => {
      const mentioned = refsOf(contents.get(content)!.content.body).flatMap((ref) =>
        'skill' in ref ? [ref.skill] : []
      )
      const dangling = mentioned.find((ref) => !uids.has(targets.get(ref) ?? ref))
      if (dangling) throw new SelkieError('E_BUNDLE_DANGLES', { slug, uid: dangling })
      return [uid, mentioned]
    })
  )
  refuseIdleAliases({ manifest, contents })
  refuseUnreached(manifest, references, targets)
  const derived = derivedFrom([...contents.values()])
  if (!sameList(manifest.tools, derived.tools)) throw new SelkieError('E_BUNDLE_TOOLS')
  if (!sameList(manifest.files.map(fileKey), derived.files.map(fileKey)))
    throw new SelkieError('E_BUNDLE_FILES')
}

/**
 * The tools and the files that occur in contents, each once and in rising order: what
 * the manifest must say of them. A hash with two sizes occurs twice.
 */
export function derivedFrom(contents: readonly EncodedContent[]): Pick<Manifest, 'tools' | 'files'> {
  const tools = new Set<ToolName>()
  const files = new Map<string, { hash: FileHash; size: number }>()
  for (const { content } of contents) {
    for (const ref of refsOf(content.body)) if ('tool' in ref) tools.add(ref.tool)
    for (const { hash, size } of content.files) files.set(fileKey({ hash, size }), { hash, size })
  }
  return {
    tools: [...tools].sort(),
    files: [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file)
  }
}

/** The uids that bodies mention and that versions are of: what an alias can be used by. */
export function namedUids({ skills }: Pick<Manifest, 'skills'>, contents: Linked['contents']): Set<Uid> {
  const uids = new Set<Uid>()
  for (const { content, versions } of skills) {
    for (const ref of refsOf(contents.get(content)!.content.body)) if ('skill' in ref) uids.add(ref.skill)
    for (const { uid } of versions) uids.add(uid)
  }
  return uids
}

function uidsOf({ skills }: Manifest): Set<Uid> {
  const uids = new Set<Uid>()
  for (const { uid } of skills) {
    if (uids.has(uid)) throw new SelkieError('E_BUNDLE_UID', { uid })
    uids.add(uid)
  }
  return uids
}

function refuseUnsoundSlugs({ skills }: Manifest): void {
  const slugs = new Set<string>()
  for (const { slug } of skills) {
    if (!isSlug(slug) || toolBySlug(slug) || slugs.has(slug)) throw new SelkieError('E_BUNDLE_SLUG', { slug })
    slugs.add(slug)
  }
}

/** The skill that each alias stands for. An alias of a skill that is here could hide it. */
function targetsOf({ aliases }: Manifest, uids: ReadonlySet<Uid>): Map<Uid, Uid> {
  const targets = new Map<Uid, Uid>()
  for (const { from, to } of aliases) {
    if (uids.has(from) || targets.has(from) || !uids.has(to))
      throw new SelkieError('E_BUNDLE_ALIAS', { uid: from })
    targets.set(from, to)
  }
  return targets
}

/** An alias that nothing uses would only be there to be believed by its receiver. */
function refuseIdleAliases({ manifest, contents }: Linked): void {
  const named = namedUids(manifest, contents)
  const idle = manifest.aliases.find(({ from }) => !named.has(from))
  if (idle) throw new SelkieError('E_BUNDLE_ALIAS', { uid: idle.from })
}

function refuseUnreached(
  { root, skills }: Manifest,
  references: ReadonlyMap<Uid, readonly Uid[]>,
  targets: ReadonlyMap<Uid, Uid>
): void {
  const reached = new Set<Uid>([root])
  // A set goes on iterating over what is added meanwhile.
  for (const uid of reached) {
    for (const ref of references.get(uid)!) reached.add(targets.get(ref) ?? ref)
  }
  const unreached = skills.find(({ uid }) => !reached.has(uid))
  if (unreached) throw new SelkieError('E_BUNDLE_UNREACHED', { slug: unreached.slug })
}

function fileKey({ hash, size }: Manifest['files'][number]): string {
  return `${hash} ${size}`
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}
