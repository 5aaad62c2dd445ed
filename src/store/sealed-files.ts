import { access, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BundleId } from '../base/ids.js'
import { makeFolder } from '../base/make-folder.js'
import { fileHash } from '../namespace/skill.js'
import type { Blobs } from './blobs.js'
import type { BlobPointer } from './rows.js'
import { refuseFull } from './space.js'

/** Where the sealed bytes of a bundle lie in a folder of the home. */
export function sealedFile(folder: string, id: BundleId): string {
  return join(folder, `${id}.selkie`)
}

/**
 * Writes a file whole or not at all, also when the process is killed.
 *
 * @throws SelkieError E_DISK_FULL
 */
export async function writeSealed(path: string, sealed: Uint8Array): Promise<void> {
  await refuseFull(dirname(path), sealed.length)
  try {
    const draft = await open(draftOf(path), 'w', 0o600)
    try {
      await draft.writeFile(sealed)
      await draft.sync()
    } finally {
      await draft.close()
    }
    await rename(draftOf(path), path)
  } catch (error) {
    await rm(draftOf(path), { force: true })
    throw error
  }
}

/** The bytes of a file, or undefined where there is none. */
export async function readSealed(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function draftOf(path: string): string {
  return `${path}.part`
}

/** A bundle that is done: what of it is still kept. */
export interface Done {
  readonly time: number
  /** Of the sealed file. */
  readonly bytes: number
  /**
   * Lets go of what is kept of it elsewhere.
   *
   * @param force also while someone is fetching it
   * @returns false where it has to wait
   */
  letGo(force: boolean): Promise<boolean>
}

/** Bytes of sealed files, the newest, that stay for as long as someone is fetching what is kept beside them. */
const MOST_KEPT = 32 * 1024 * 1024

/**
 * Removes from a folder what no one waits for: bundles that are done, and what a killed
 * process has left. The file of a bundle goes last, so what is left of it elsewhere is
 * found again. To be called within a turn, for in a turn the files of new bundles are
 * written ahead of their rows.
 *
 * @param stateOf gives how to let a bundle go where it is done
 */
export async function sweepSealed(
  folder: string,
  stateOf: (id: BundleId) => 'awaited' | 'unknown' | Done
): Promise<void> {
  await makeFolder(folder, 0o700)
  const done: { readonly path: string; readonly bundle: Done }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const state = stateOf(name.replace(/\.selkie(\.part)?$/, '') as BundleId)
    if (typeof state === 'object') done.push({ path, bundle: state })
    else if (state === 'unknown' || isLeftDraft(path)) await rm(path, { force: true, recursive: true })
  }
  let kept = 0
  for (const { path, bundle } of done.sort((a, b) => b.bundle.time - a.bundle.time)) {
    if (await bundle.letGo(kept + bundle.bytes > MOST_KEPT)) await rm(path, { force: true })
    else kept += bundle.bytes
  }
}

function isLeftDraft(path: string): boolean {
  return path.endsWith('.part') && !fetching.has(path.slice(0, -'.part'.length))
}

interface Fetching {
  readonly parcels: readonly BlobPointer[]
  readonly stop: AbortController
}

/** What is just being fetched from another device, by the path of its file. */
const fetching = new Map<string, Fetching>()

/**
 * Brings the sealed files of bundles that this device lacks from the person's other
 * devices, each as soon as it can be had, and stops what isn't asked for any more. What
 * is being fetched already is left to that.
 *
 * @param wanted every bundle that belongs in the folder, with where its bytes may be had
 * @param onCame called for each one that has come
 * @param signal ends it, without an error
 * @throws what the system refuses; that a file can't be had is no error
 */
export async function fetchMissing(
  blobs: Blobs,
  folder: string,
  wanted: ReadonlyMap<BundleId, readonly BlobPointer[]>,
  onCame: (id: BundleId) => Promise<void>,
  signal: AbortSignal
): Promise<void> {
  const asked = new Set([...wanted.keys()].map((id) => sealedFile(folder, id)))
  for (const [path, { stop }] of fetching) {
    if (dirname(path) === folder && !asked.has(path)) stop.abort()
  }
  const fetches = [...wanted].map(async ([id, parcels]) => {
    if (await fetchSealed(blobs, sealedFile(folder, id), parcels, signal)) await onCame(id)
  })
  await Promise.all(fetches)
}

/** @returns whether the file has come now */
async function fetchSealed(
  blobs: Blobs,
  path: string,
  parcels: readonly BlobPointer[],
  signal: AbortSignal
): Promise<boolean> {
  const before = fetching.get(path)
  const isNews = !before || parcels.length > before.parcels.length
  if (parcels.length === 0 || signal.aborted || !isNews) return false
  before?.stop.abort()
  const mine: Fetching = { parcels, stop: new AbortController() }
  fetching.set(path, mine)
  try {
    if (await isThere(path)) return false
    // Should the process be killed meanwhile, this says that blocks of it may be here.
    await writeFile(draftOf(path), '', { mode: 0o600 })
    return await fetchAny(blobs, path, parcels, AbortSignal.any([signal, mine.stop.signal]))
  } finally {
    if (fetching.get(path) === mine) fetching.delete(path)
  }
}

/** Fetches it from wherever it comes first. */
async function fetchAny(
  blobs: Blobs,
  path: string,
  parcels: readonly BlobPointer[],
  signal: AbortSignal
): Promise<boolean> {
  const come = new AbortController()
  const stop = AbortSignal.any([signal, come.signal])
  const attempts = parcels.map(async (parcel) => {
    if (!(await blobs.fetch(parcel, stop))) return
    await alone(async () => {
      if (stop.aborted) return
      const sealed = await blobs.get(parcel)
      if (!sealed || fileHash(sealed) !== parcel.hash) return
      await writeSealed(path, sealed)
      come.abort()
    })
  })
  for (const outcome of await Promise.allSettled(attempts)) {
    if (outcome.status === 'rejected' && !stop.aborted) throw outcome.reason
  }
  return come.signal.aborted
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other: each has a whole bundle in memory. */
async function alone(step: () => Promise<void>): Promise<void> {
  const mine = last.then(step)
  last = mine.catch(() => {})
  return mine
}

/** Whether there is a file. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
