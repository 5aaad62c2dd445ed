import { meetUntilIn } from './devices/enter.js'
import { refound } from './devices/refound.js'
import { isSelkieError, SelkieError } from './base/errors.js'
import { readCard, type Card } from './keys/card.js'
import { rootFrom } from './keys/identity.js'
import { removalOf } from './keys/removal.js'
import { beginGeneration } from './store/generation.js'
import { hasHome, openLogs, pathsOf, settleLogs, type HomePaths } from './store/home.js'
import { openSelf, type Opened } from './store/open-self.js'
import type { DeviceRow } from './store/rows.js'

/** A copy that is the device now. */
export interface Adopted {
  readonly name: string
  readonly identity: string
  readonly device: string
  readonly deviceName: string
  readonly skills: number
  /** Whether another device of the person has brought it up to date. */
  readonly reached: boolean
  /** Names of the other devices, which were removed for good. */
  readonly removed: readonly string[]
}

/**
 * Makes a copy of a home, as out of a backup or from another disk, the device that it was
 * copied from; that one must never run again.
 *
 * The copy may be older than what others have of the device’s logs, and nobody can tell.
 * So it goes on in logs of its own: to contacts in new mailboxes; among the person’s other
 * devices in a new log, which one of them has to let in, and by then the copy has all that
 * they have. Where those are all gone, the store is founded without them. Nobody else has
 * the log of an only device: there it goes on as it is.
 *
 * Killed on the way, it is a copy as before.
 *
 * @throws SelkieError E_HOME_NONE, E_HOME_OWN where it is no copy, E_HOME_BUSY,
 *   E_ADOPT_UNREACHED where no other device was there, E_WORDS, E_WORDS_OTHER, E_KEY_…, E_PASSPHRASE, E_STORE_KEY
 */
export async function adoptHome(options: {
  readonly home: string
  /** The 24, where all the person’s other devices are gone for good: those are removed. They aren’t kept. */
  readonly words?: string
  /** `host:port` of DHT nodes; without it the public ones. */
  readonly bootstrap: readonly string[] | undefined
  readonly passphrase: () => Promise<string>
  /** Called before the other devices are waited for. */
  readonly onWaiting?: () => void
  /** Milliseconds without anything new after which the other devices count as gone. */
  readonly patience?: number
}): Promise<Adopted> {
  const { home, passphrase } = options
  const paths = pathsOf(home)
  if (!(await hasHome(home))) throw new SelkieError('E_HOME_NONE', { home })
  await refuseOriginal(paths)
  const opened = await openSelf(home, passphrase, { copied: true })
  const { store, logs } = opened.self
  let adopted: Adopted
  try {
    await beginGeneration(logs, opened.self.clock)
    adopted = await takeUp(opened, options)
    await store.close()
  } finally {
    await logs.close()
  }
  await settleLogs(paths)
  return adopted
}

async function refuseOriginal(paths: HomePaths): Promise<void> {
  try {
    await (await openLogs(paths)).close()
  } catch (error) {
    if (isSelkieError(error, 'E_HOME_COPIED')) return
    throw error
  }
  throw new SelkieError('E_HOME_OWN', { home: paths.home })
}

async function takeUp(
  opened: Opened,
  { words, bootstrap, patience, onWaiting }: Omit<Parameters<typeof adoptHome>[0], 'home' | 'passphrase'>
): Promise<Adopted> {
  const { self } = opened
  const { store, identity } = self
  const device = self.device.signer.key
  const { card } = readCard((await store.view.get('owner'))!.card)
  const others = [...store.memory.devices.values()].filter((row) => row.device !== device)
  const reached = words === undefined && others.length > 0
  if (reached) onWaiting?.()
  if (reached) await meetOthers(opened, card, bootstrap, patience)
  else if (others.length > 0) await goOnWithout(opened, others, words!)
  return {
    name: (await store.view.get('owner'))!.name,
    identity,
    device,
    deviceName: store.memory.devices.get(device)!.name,
    skills: store.namespace.live().length,
    reached,
    removed: reached ? [] : others.map(({ name }) => name)
  }
}

/** What the others have of this device’s log can contradict nothing in a store that is founded without them. */
async function goOnWithout(
  { self, epoch }: Opened,
  others: readonly DeviceRow[],
  words: string
): Promise<void> {
  const root = rootFrom(words)
  if (root.identity !== self.identity) throw new SelkieError('E_WORDS_OTHER')
  const removals = others.map(({ device }) => removalOf(root, device))
  await self.store.turn(() => refound(self, epoch, root, [...epoch.record.succession.removed, ...removals]))
}

async function meetOthers(
  { self, epoch }: Opened,
  card: Card,
  bootstrap: readonly string[] | undefined,
  patience: number | undefined
): Promise<void> {
  await self.store.beginLog()
  try {
    const { close } = await meetUntilIn(self, epoch, card, bootstrap, patience)
    await close()
  } catch (error) {
    throw isSelkieError(error, 'E_JOIN_UNREACHED') ? new SelkieError('E_ADOPT_UNREACHED') : error
  }
}
