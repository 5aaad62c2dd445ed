import { chmod, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SelkieError } from '../base/errors.js'
import type { Clock } from '../base/clock.js'
import { makeFolder } from '../base/make-folder.js'
import { decode, encode } from '../base/msgpack.js'
import { object, shape } from '../base/schema.js'
import { isOpenToOthers } from '../base/open-to-others.js'
import { sodium, utf8 } from './sodium.js'

/*
 * A key file is msgpack: {plain} or, under a passphrase, {salt, nonce, sealed, memory,
 * passes}: Argon2id, then XChaCha20-Poly1305 with the label as associated data.
 */
interface Locked {
  readonly salt: Uint8Array
  readonly nonce: Uint8Array
  readonly sealed: Uint8Array
  /** Argon2id: KiB of memory, and passes. */
  readonly memory: number
  readonly passes: number
}

const LABEL = utf8('selkie/keyfile/v1')
/** libsodium's MODERATE: about a second on today's machines. */
const MEMORY_KIB = 256 * 1024
const PASSES = 3
const SALT_BYTES = 16

const isPlain = shape<{ plain: unknown }>(object({ plain: {} }))
const isLocked = shape<Record<keyof Locked, unknown>>(
  object({ salt: {}, nonce: {}, sealed: {}, memory: { const: MEMORY_KIB }, passes: { const: PASSES } })
)

/**
 * Writes secrets to a file that only its owner can read, in a folder that only its
 * owner can enter. The file is whole or absent, also when the process is killed.
 */
export async function writeKeyfile(
  path: string,
  secrets: Uint8Array,
  passphrase: string | undefined,
  clock: Clock
): Promise<void> {
  await makeFolder(dirname(path), 0o700)
  await chmod(dirname(path), 0o700)
  const bytes = encode(passphrase === undefined ? { plain: secrets } : await lock(secrets, passphrase, clock))
  // A draft that was left behind may have been opened to others, so it isn't written into.
  await rm(`${path}.new`, { force: true })
  try {
    const draft = await open(`${path}.new`, 'wx', 0o600)
    try {
      await draft.writeFile(bytes)
      await draft.sync()
    } finally {
      await draft.close()
    }
    await rename(`${path}.new`, path)
  } catch (error) {
    await rm(`${path}.new`, { force: true })
    throw error
  }
}

/**
 * The secrets of a key file. `passphrase` is asked for only where the file has one.
 *
 * @throws SelkieError E_KEY_OPEN when others may read the file, E_PASSPHRASE when it is
 *   wrong, E_KEY_DAMAGED
 */
export async function readKeyfile(path: string, passphrase: () => Promise<string>): Promise<Uint8Array> {
  const bytes = await readClosed(path)
  let value: unknown
  try {
    value = decode(bytes)
  } catch (cause) {
    throw new SelkieError('E_KEY_DAMAGED', { path }, { cause })
  }
  if (isPlain(value) && value.plain instanceof Uint8Array) return value.plain
  if (!isLocked(value) || !isSound(value)) throw new SelkieError('E_KEY_DAMAGED', { path })
  return unlock(value, await passphrase())
}

async function readClosed(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    if (isOpenToOthers(await file.stat())) throw new SelkieError('E_KEY_OPEN', { path })
    return await file.readFile()
  } finally {
    await file.close()
  }
}

function isSound(value: Record<keyof Locked, unknown>): value is Locked {
  const { salt, nonce, sealed } = value
  return (
    salt instanceof Uint8Array &&
    salt.length === SALT_BYTES &&
    nonce instanceof Uint8Array &&
    nonce.length === sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES &&
    sealed instanceof Uint8Array &&
    sealed.length >= sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES
  )
}

async function lock(secrets: Uint8Array, passphrase: string, clock: Clock): Promise<Locked> {
  const salt = clock.random(SALT_BYTES)
  const nonce = clock.random(sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  const key = await stretch(passphrase, salt, MEMORY_KIB, PASSES)
  const sealed = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(secrets, LABEL, null, nonce, key)
  return { salt, nonce, sealed, memory: MEMORY_KIB, passes: PASSES }
}

async function unlock(locked: Locked, passphrase: string): Promise<Uint8Array> {
  const { salt, nonce, sealed, memory, passes } = locked
  const key = await stretch(passphrase, salt, memory, passes)
  try {
    return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed, LABEL, nonce, key)
  } catch (cause) {
    throw new SelkieError('E_PASSPHRASE', {}, { cause })
  }
}

/** Argon2id, from libsodium's native build: the portable one leaves it out. */
async function stretch(
  passphrase: string,
  salt: Uint8Array,
  memoryKiB: number,
  passes: number
): Promise<Uint8Array> {
  const { default: native } = await import('sodium-native')
  const key = Buffer.alloc(native.crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
  await native.crypto_pwhash_async(
    key,
    Buffer.from(passphrase.normalize('NFKC')),
    Buffer.from(salt),
    passes,
    memoryKiB * 1024,
    native.crypto_pwhash_ALG_ARGON2ID13
  )
  return new Uint8Array(key)
}
