import type { Diagnostic, FolderImport, OnProgress } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { FileHash, Slug, Uid } from '../base/ids.js'
import { saysHidden } from '../folders/declared.js'
import { diagnostic } from '../folders/diagnostics.js'
import { calledFolders } from '../folders/called.js'
import { linkFolders } from '../folders/link.js'
import { readFolders, type IncomingSkill } from '../folders/read.js'
import { toHex } from '../keys/sodium.js'
import { contentHash, encodeContent } from '../namespace/content.js'
import { fileHash, type Content, type SkillFile } from '../namespace/skill.js'
import { freeSlug } from '../namespace/slug.js'
import { signVersion, versionHash, type Version } from '../namespace/version.js'
import { MAX_IMPORT, type ImportedSkill } from '../store/ops.js'
import type { BlobPointer, StoredSkill } from '../store/rows.js'
import { seconds, type Self } from '../store/self.js'
import { twinsOf } from './twins.js'

/** One skill on its way in. */
interface Arriving {
  readonly skill: IncomingSkill
  readonly uid: Uid
  readonly files: readonly SkillFile[]
}

/**
 * Takes in every skill under these folders, in one step: all of them, or, when the
 * process is killed, none. A skill that is here already byte for byte stays as it is;
 * a slug that is taken gets a suffix. What can't be taken as it is becomes a
 * diagnostic.
 *
 * @throws SelkieError E_FOLDER… when a named folder isn't there, E_IMPORT_LIMIT
 */
export async function importFolders(
  self: Self,
  folders: readonly string[],
  onProgress: OnProgress = () => {}
): Promise<FolderImport> {
  const { skills, diagnostics } = await readFolders(folders, calledFolders(folders))
  if (skills.length > MAX_IMPORT) {
    throw new SelkieError('E_IMPORT_LIMIT', { count: skills.length, limit: MAX_IMPORT })
  }
  return self.store.turn(async () => {
    const { store } = self
    const arriving = skills.map((skill): Arriving => ({
      skill,
      uid: toHex(self.clock.random(16)) as Uid,
      files: skill.files.map(({ path, bytes, exec }) => ({
        path,
        hash: fileHash(bytes),
        size: bytes.length,
        exec
      }))
    }))
    const first = contentsOf(self, arriving, new Map())
    const twins = await twinsOf(
      store,
      arriving.map(({ uid }, i) => ({ uid, content: first.contents[i]! }))
    )
    const fresh = arriving.filter(({ uid }) => !twins.has(uid))
    const linked = twins.size > 0 ? contentsOf(self, arriving, twins) : first
    const contents = new Map(arriving.map(({ uid }, i) => [uid, linked.contents[i]!]))
    await append(self, fresh, contents, onProgress)

    return {
      imported: arriving.map(({ skill, uid }) => {
        const row = twins.get(uid) ?? (store.namespace.row(uid) as StoredSkill)
        const status = twins.has(uid) ? 'same' : row.slug === skill.slug ? 'new' : 're-slugged'
        const mentions: string[] = store.namespace.slugsOf(row.refs)
        return { folder: skill.folder, slug: row.slug, uid: row.uid, status, mentions }
      }),
      diagnostics: [...diagnostics, ...linked.diagnostics, ...hiddenAmong(skills)]
    }
  })
}

/** A remark on each skill that isn't for models. */
function hiddenAmong(skills: readonly IncomingSkill[]): Diagnostic[] {
  const hidden = skills.filter(({ header, files }) => saysHidden(header, files))
  return hidden.map(({ path }) => diagnostic('D_HIDDEN', { path }))
}

/** The contents of what arrives, linked to each other and to the namespace. */
function contentsOf(self: Self, arriving: readonly Arriving[], twins: ReadonlyMap<Uid, StoredSkill>) {
  const uids = new Map(arriving.map(({ skill, uid }) => [skill, twins.get(uid)?.uid ?? uid]))
  const { bodies, diagnostics } = linkFolders(
    arriving.map(({ skill }) => skill),
    { uidOf: (skill) => uids.get(skill)!, refOf: (slug: Slug) => self.store.namespace.refOf(slug) }
  )
  const contents = arriving.map(({ skill, files }, i): Content => {
    const { title, summary, header } = skill
    return { title, summary, header, body: bodies[i]!, files }
  })
  return { contents, diagnostics }
}

async function append(
  self: Self,
  fresh: readonly Arriving[],
  contents: ReadonlyMap<Uid, Content>,
  onProgress: OnProgress
): Promise<void> {
  if (fresh.length === 0) return
  const { store, identity, device, clock } = self
  const versions: Version[] = []
  const encodings: Uint8Array[] = []
  const imported: ImportedSkill[] = []
  const blobs = new Map<FileHash, BlobPointer>()
  const taken = new Set<Slug>()
  for (const [i, { skill, uid }] of fresh.entries()) {
    onProgress({ label: 'Importing', done: i, total: fresh.length })
    for (const { bytes } of skill.files) {
      const hash = fileHash(bytes)
      if (!blobs.has(hash) && !(await store.view.get('blob', hash)))
        blobs.set(hash, await store.blobs.put(bytes))
    }
    const encoded = encodeContent(contents.get(uid)!)
    const version = signVersion(
      {
        uid,
        content: contentHash(encoded),
        parents: [],
        author: identity,
        device: device.signer.key,
        time: seconds(clock)
      },
      device.signer
    )
    versions.push(version)
    encodings.push(encoded)
    const slug = freeSlug(skill.slug, (wanted) => taken.has(wanted) || store.namespace.isTaken(wanted))
    taken.add(slug)
    imported.push({
      uid,
      slug,
      head: versionHash(version),
      over: null,
      beside: false,
      exec: true,
      advertised: false
    })
  }
  await store.append({
    type: 'import',
    bundle: null,
    skills: imported,
    versions,
    attestations: [],
    aliases: [],
    blobs: [...blobs.values()],
    contents: encodings
  })
  onProgress({ label: 'Importing', done: fresh.length, total: fresh.length })
}
