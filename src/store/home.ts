import { randomBytes } from 'node:crypto'
import { access, chmod, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Corestore from 'corestore'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { Clock } from '../base/clock.js'
import type { IdentityKey } from '../base/ids.js'
import { makeFolder } from '../base/make-folder.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, object, shape } from '../base/schema.js'
import type { DeviceSeeds } from '../keys/device.js'
import { attestationSchema, type Attestation } from '../keys/identity.js'
import { readKeyfile, writeKeyfile } from '../keys/keyfile.js'
import { fromHex, toHex } from '../keys/sodium.js'
import { PLACE, type Epoch } from './epoch.js'
import { removeOldLogs } from './old-logs.js'
import { refuseFull } from './space.js'
import { readSuccession, type SignedSuccession } from './succession.js'

/** Where a node keeps what. */
export interface HomePaths {
  readonly home: string
  readonly keyfile: string
  /** Corestore: logs and the view. */
  readonly store: string
  /** Sealed bundles that came in, and those on their way out. */
  readonly inbox: string
  readonly outbox: string
}

/** The paths of a home, whether there is one or not. */
export function pathsOf(home: string): HomePaths {
  return {
    home,
    keyfile: join(home, 'keys', 'device.key'),
    store: join(home, 'store'),
    inbox: join(home, 'bundles', 'in'),
    outbox: join(home, 'bundles', 'out')
  }
}

/** All that a device must keep secret, and what its store is found by. */
export interface HomeSecrets {
  readonly seeds: DeviceSeeds
  readonly attestation: Attestation
  /** 32 bytes: what all of a person’s devices attest new ones with. */
  readonly attestorSeed: Uint8Array
  /** The key under which a machine that has only the words calls, 64 hex digits. */
  readonly rejoining: string
  /** Where this device began; it may have gone on since. */
  readonly epoch: Epoch
}

interface EncodedSecrets {
  signing: string
  sealing: string
  attestation: Attestation
  attestor: string
  rejoining: string
  epoch: { place: string; base: string; encryption: string; record: Uint8Array }
}

const isSecrets = shape<EncodedSecrets>(
  object({
    signing: hex(32),
    sealing: hex(32),
    attestation: attestationSchema,
    attestor: hex(32),
    rejoining: hex(32),
    epoch: object({ place: hex(PLACE / 2), base: hex(32), encryption: hex(32), record: {} })
  })
)

/** Time and chance of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: (length) => new Uint8Array(randomBytes(length))
}

/** Whether a home holds an identity's device. */
export async function hasHome(home: string): Promise<boolean> {
  try {
    await access(pathsOf(home).keyfile)
    return true
  } catch {
    return false
  }
}

/**
 * Prepares a folder for a new home, which only its owner can enter. What an interrupted attempt has left is removed:
 * the key file comes last, so without one nothing there is of any use.
 *
 * @throws SelkieError E_HOME_EXISTS, E_HOME_FOREIGN when it holds something else,
 *   E_HOME_FOLDER when there can be no folder, E_HOME_BUSY when one is just being made,
 *   E_DISK_FULL
 */
export async function prepareHome(home: string): Promise<HomePaths> {
  const paths = pathsOf(home)
  if (await hasHome(home)) throw new SelkieError('E_HOME_EXISTS', { home })
  try {
    await makeFolder(home, 0o700)
  } catch (cause) {
    throw new SelkieError('E_HOME_FOLDER', { home }, { cause })
  }
  const foreign = (await readdir(home)).filter((name) => !OWN_NAMES.has(name))
  if (foreign.length > 0) throw new SelkieError('E_HOME_FOREIGN', { home, name: foreign[0]! })
  await refuseBusy(paths)
  await refuseFull(home, 0)
  await closeToOthers(home)
  for (const left of [paths.store, dirname(paths.keyfile)]) await rm(left, { recursive: true, force: true })
  for (const folder of [paths.store, paths.inbox, paths.outbox]) await makeFolder(folder, 0o700)
  return paths
}

/** A folder that was there, and has nothing in it, may have been open to everyone. */
async function closeToOthers(home: string): Promise<void> {
  try {
    await chmod(home, 0o700)
  } catch (cause) {
    throw new SelkieError('E_HOME_FOLDER', { home }, { cause })
  }
}

/** Whoever is just making a home here holds its logs. */
async function refuseBusy(paths: HomePaths): Promise<void> {
  try {
    await access(paths.store)
    await (await openLogs(paths)).close()
  } catch (error) {
    // Logs that can't be opened for another reason are an attempt's leftovers.
    if (isSelkieError(error, 'E_HOME_BUSY')) throw error
  }
}

const OWN_NAMES = new Set([
  'keys',
  'store',
  'bundles',
  'node.sock',
  'local.json',
  'grants.json',
  'model.json'
])

/** Writes the secrets of a home: what makes it one. */
export async function writeSecrets(
  paths: HomePaths,
  { seeds, attestation, attestorSeed, rejoining, epoch }: HomeSecrets,
  passphrase: string | undefined,
  clock: Clock
): Promise<void> {
  const { place, base, encryption, record } = epoch
  const encoded: EncodedSecrets = {
    signing: toHex(seeds.signing),
    sealing: toHex(seeds.sealing),
    attestation,
    attestor: toHex(attestorSeed),
    rejoining,
    epoch: { place, base, encryption, record: record.bytes }
  }
  await writeKeyfile(paths.keyfile, encode(encoded), passphrase, clock)
}

/**
 * Reads the secrets of a home; `passphrase` is asked for only where it needs one.
 *
 * @throws SelkieError E_HOME_NONE, and what {@link readKeyfile} throws
 */
export async function readSecrets(paths: HomePaths, passphrase: () => Promise<string>): Promise<HomeSecrets> {
  if (!(await hasHome(paths.home))) throw new SelkieError('E_HOME_NONE', { home: paths.home })
  const value = decode(await readKeyfile(paths.keyfile, passphrase))
  if (!isSecrets(value) || !(value.epoch.record instanceof Uint8Array)) throw damaged(paths)
  return {
    seeds: { signing: fromHex(value.signing), sealing: fromHex(value.sealing) },
    attestation: value.attestation,
    attestorSeed: fromHex(value.attestor),
    rejoining: value.rejoining,
    epoch: { ...value.epoch, record: recordOf(value, paths), former: [] }
  }
}

/** The record by which the epoch is this identity’s. */
function recordOf({ attestation, epoch }: EncodedSecrets, paths: HomePaths): SignedSuccession {
  try {
    const record = readSuccession(epoch.record)
    const { identity, base } = record.succession
    if (identity === attestation.identity && base === epoch.base) return record
  } catch (error) {
    if (!isSelkieError(error)) throw error
  }
  throw damaged(paths)
}

function damaged({ keyfile }: HomePaths): SelkieError {
  return new SelkieError('E_KEY_DAMAGED', { path: keyfile })
}

/** Whose home it is. */
export function ownerOf(secrets: HomeSecrets): IdentityKey {
  return secrets.attestation.identity
}

/**
 * The logs of a home, held by this process until they are closed.
 *
 * @param copied opens them also when they were made elsewhere
 * @throws SelkieError E_HOME_BUSY when another process holds them, E_HOME_COPIED when they were made elsewhere
 */
export async function openLogs(paths: HomePaths, { copied = false } = {}): Promise<Corestore> {
  const logs = new Corestore(paths.store, { allowBackup: copied })
  try {
    await logs.ready()
  } catch (cause) {
    // The lock's error has no code of its own.
    const locked = cause instanceof Error && /could not be locked/.test(cause.message)
    if (locked) throw new SelkieError('E_HOME_BUSY', { home: paths.home }, { cause })
    // Logs that two copies write to contradict each other, so the store knows its own disk.
    const isCopy = (cause as NodeJS.ErrnoException).code === 'DEVICE_FILE'
    if (isCopy) throw new SelkieError('E_HOME_COPIED', { home: paths.home }, { cause })
    throw cause
  }
  // That they can’t be removed is no reason not to go on.
  await removeOldLogs(paths.store).catch(() => {})
  return logs
}

/** Lets the logs of a copied home be at home on this disk. They are closed. */
export async function settleLogs(paths: HomePaths): Promise<void> {
  // It names the very file that it is, and is made anew where it is missing.
  await rm(join(paths.store, 'CORESTORE'))
}
