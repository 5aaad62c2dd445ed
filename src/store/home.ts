import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Corestore from 'corestore'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { Clock } from '../base/clock.js'
import type { IdentityKey } from '../base/ids.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, object, shape, whole } from '../base/schema.js'
import { verifySignature, type DeviceSeeds } from '../keys/device.js'
import { attestationSchema, type Attestation } from '../keys/identity.js'
import { readKeyfile, writeKeyfile } from '../keys/keyfile.js'
import { fromHex, toHex } from '../keys/sodium.js'

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

/**
 * One life of a store: which base, under which encryption key, and the root's signature
 * that it is the one of that number. A store that is founded anew gets the next.
 */
export interface Epoch {
  readonly number: number
  /** Public key of the Autobase, 64 hex digits. */
  readonly base: string
  /** What its logs and its view are encrypted with, 64 hex digits. */
  readonly encryption: string
  /** Ed25519 by the identity over number and base, 128 hex digits. */
  readonly signature: string
}

/** All that a device must keep secret, and what its store is found by. */
export interface HomeSecrets {
  readonly seeds: DeviceSeeds
  readonly attestation: Attestation
  readonly epoch: Epoch
}

interface EncodedSecrets {
  signing: string
  sealing: string
  attestation: Attestation
  epoch: Epoch
}

const isSecrets = shape<EncodedSecrets>(
  object({
    signing: hex(32),
    sealing: hex(32),
    attestation: attestationSchema,
    epoch: object({ number: whole(2 ** 32 - 1), base: hex(32), encryption: hex(32), signature: hex(64) })
  })
)

/** The label of {@link Epoch.signature}. */
export const EPOCH = 'selkie/epoch/v1'

/** What {@link Epoch.signature} is over: number as u64 little-endian and base. */
export function epochBytes({ number, base }: Pick<Epoch, 'number' | 'base'>): Uint8Array {
  const bytes = new Uint8Array(8 + 32)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number), true)
  bytes.set(fromHex(base), 8)
  return bytes
}

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
 * Prepares a folder for a new home. What an interrupted attempt has left is removed:
 * the key file comes last, so without one nothing there is of any use.
 *
 * @throws SelkieError E_HOME_EXISTS, E_HOME_FOREIGN when it holds something else,
 *   E_HOME_FOLDER when there can be no folder, E_HOME_BUSY when one is just being made
 */
export async function prepareHome(home: string): Promise<HomePaths> {
  const paths = pathsOf(home)
  if (await hasHome(home)) throw new SelkieError('E_HOME_EXISTS', { home })
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SelkieError('E_HOME_FOLDER', { home }, { cause })
  }
  const foreign = (await readdir(home)).filter((name) => !OWN_NAMES.has(name))
  if (foreign.length > 0) throw new SelkieError('E_HOME_FOREIGN', { home, name: foreign[0]! })
  await refuseBusy(paths)
  await rm(paths.store, { recursive: true, force: true })
  for (const folder of [paths.inbox, paths.outbox]) await mkdir(folder, { recursive: true, mode: 0o700 })
  return paths
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

const OWN_NAMES = new Set(['keys', 'store', 'bundles', 'node.sock'])

/** Writes the secrets of a home: what makes it one. */
export async function writeSecrets(
  paths: HomePaths,
  { seeds, attestation, epoch }: HomeSecrets,
  passphrase: string | undefined,
  clock: Clock
): Promise<void> {
  const encoded: EncodedSecrets = {
    signing: toHex(seeds.signing),
    sealing: toHex(seeds.sealing),
    attestation,
    epoch
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
  if (!isSecrets(value) || !isSignedEpoch(value))
    throw new SelkieError('E_KEY_DAMAGED', { path: paths.keyfile })
  return {
    seeds: { signing: fromHex(value.signing), sealing: fromHex(value.sealing) },
    attestation: value.attestation,
    epoch: value.epoch
  }
}

function isSignedEpoch({ attestation, epoch }: EncodedSecrets): boolean {
  return verifySignature(attestation.identity, EPOCH, epochBytes(epoch), epoch.signature)
}

/** Whose home it is. */
export function ownerOf(secrets: HomeSecrets): IdentityKey {
  return secrets.attestation.identity
}

/**
 * The logs of a home, held by this process until they are closed.
 *
 * @throws SelkieError E_HOME_BUSY when another process holds them
 */
export async function openLogs(paths: HomePaths): Promise<Corestore> {
  const logs = new Corestore(paths.store)
  try {
    await logs.ready()
  } catch (cause) {
    // The lock's error has no code of its own.
    const locked = cause instanceof Error && /could not be locked/.test(cause.message)
    if (locked) throw new SelkieError('E_HOME_BUSY', { home: paths.home }, { cause })
    throw cause
  }
  return logs
}
