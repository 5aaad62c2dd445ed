import { readFileSync, rmSync, statfsSync, watch, writeFileSync, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** Milliseconds after which the system counts as not telling of changes. */
const PATIENCE = 1000
/** What Linux allows unless it says otherwise: changes that wait to be told, folders that are watched. */
const MAX_QUEUED = 16_384
const MAX_WATCHED = 8192

/**
 * File systems of which the system tells every change, by their numbers (statfs(2)): ext2 to
 * ext4, XFS, Btrfs, F2FS, tmpfs, overlay, ZFS, bcachefs. What is on others, such as those of
 * a network, may be changed from elsewhere.
 */
const TELLING = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xca451a4e
])

/** Told the name of what changed in a folder, null for all of it, and whether it may be another now. */
export type OnChange = (name: string | null, isOther: boolean) => void

/**
 * Watches folders. All changes to folders that one thread watches come to it in one queue,
 * in order (inotify(7)): who makes one of their own, in a folder of their own, and waits
 * until they are told of it, has been told of all that was before.
 */
export class Watch {
  readonly #cookies: string | undefined
  readonly #maxQueued = limit('max_queued_events', MAX_QUEUED)
  /** Others of this user watch too. */
  readonly #maxWatched = limit('max_user_watches', MAX_WATCHED) / 2
  readonly #telling = new Map<number, boolean>()
  readonly #ended: FSWatcher[] = []
  #works = process.platform === 'linux'
  #watched = 0
  #cookie = 0
  #arrived: ((name: string) => void) | undefined
  #burst = 0
  #isLost = false

  /** @param cookies an empty folder that nobody else writes to; without one nothing can be watched */
  constructor(cookies: string | undefined) {
    this.#cookies = cookies
    this.#works &&= cookies !== undefined && isTelling(cookies)
    this.#works &&= this.follow(cookies!, (name) => this.#arrived?.(name ?? '')) !== undefined
  }

  /**
   * Begins to watch a folder; gives what ends it. Undefined where that can’t be: whoever
   * wants to know what changed there has to look.
   */
  follow(path: string, onChange: OnChange): (() => void) | undefined {
    if (!this.#works || this.#watched >= this.#maxWatched) return undefined
    let watcher: FSWatcher
    let isOn = true
    try {
      watcher = watch(path, (event, name) => {
        this.#count()
        if (isOn) onChange(name, event === 'rename')
      })
    } catch {
      return undefined
    }
    watcher.on('error', () => (this.#isLost = true))
    // Nobody waits for changes but who asks.
    watcher.unref()
    this.#watched++
    return () => {
      isOn = false
      this.#watched--
      // What is still to be told of it has to be counted.
      this.#ended.push(watcher)
    }
  }

  /** Whether the system tells of every change on the volume of that number, which a path is on. */
  tells(volume: number, path: string): boolean {
    let tells = this.#telling.get(volume)
    if (tells === undefined) this.#telling.set(volume, (tells = isTelling(path)))
    return tells
  }

  /**
   * Waits until all is told that has changed until now.
   *
   * @returns false where some of it may not have been told: then nothing is known
   */
  async settle(): Promise<boolean> {
    if (!this.#works) return true
    // Lets in what waits, a whole turn of the event loop: else there may be no room for a cookie.
    for (let i = 0; i < 2; i++) await setImmediate()
    if (!(await this.#sendCookie())) {
      this.#isLost = true
      this.#works = await this.#sendCookie()
    }
    for (const watcher of this.#ended.splice(0)) watcher.close()
    const isKnown = this.#works && !this.#isLost
    this.#isLost = false
    return isKnown
  }

  /** Makes a change; gives whether it was told. */
  async #sendCookie(): Promise<boolean> {
    const name = String(++this.#cookie)
    const path = join(this.#cookies!, name)
    const stop = new AbortController()
    const told = new Promise<boolean>((resolve) => {
      this.#arrived = (arrived) => arrived === name && resolve(true)
    })
    try {
      writeFileSync(path, '')
      return await Promise.race([told, setTimeout(PATIENCE, false, stop)])
    } catch {
      // Nothing can be written there any more.
      return false
    } finally {
      stop.abort()
      rmSync(path, { force: true })
    }
  }

  /**
   * A full queue drops what comes, and Node doesn’t say so. All that waits is told in one
   * turn of the event loop, so that it shows in how much that is.
   */
  #count(): void {
    if (this.#burst === 0) void setImmediate().then(() => (this.#burst = 0))
    if (++this.#burst >= this.#maxQueued / 2) this.#isLost = true
  }
}

function isTelling(path: string): boolean {
  try {
    return TELLING.has(statfsSync(path).type)
  } catch {
    return false
  }
}

function limit(name: string, otherwise: number): number {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8')) || otherwise
  } catch {
    return otherwise
  }
}
