import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'
import { SelkieError } from '../base/errors.js'
import type { DeviceKey } from '../base/ids.js'
import { fromHex, toHex } from '../keys/sodium.js'

/** What an invite to be a further device says. */
export interface DeviceInvite {
  /** 16 bytes: under which key the new device calls. */
  readonly seed: Uint8Array
  /** Whom it calls. */
  readonly device: DeviceKey
  /** Seconds since 1970. */
  readonly expires: number
}

/** Base58 with a checksum, as Bitcoin has it: what was copied wrongly is told from what is gone. */
const base58 = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())
)

/** In front of an invite's bytes: so that a contact's invite isn't taken for one. */
const KIND = 0xd1
export const SEED_BYTES = 16
const LENGTH = 1 + SEED_BYTES + 32 + 4

/** An invite as text, about 75 letters and digits. */
export function encodeInvite({ seed, device, expires }: DeviceInvite): string {
  const bytes = new Uint8Array(LENGTH)
  bytes[0] = KIND
  bytes.set(seed, 1)
  bytes.set(fromHex(device), 1 + SEED_BYTES)
  new DataView(bytes.buffer).setUint32(LENGTH - 4, expires, true)
  return base58.encode(bytes)
}

/**
 * The invite of a text, with any white space in it.
 *
 * @throws SelkieError E_INVITE_FORM, E_INVITE_CONTACT where it is one for a contact
 */
export function decodeInvite(text: string): DeviceInvite {
  let bytes: Uint8Array
  try {
    bytes = base58.decode(text.replace(/\s+/g, ''))
  } catch (cause) {
    throw new SelkieError('E_INVITE_FORM', {}, { cause })
  }
  if (bytes[0] !== KIND || bytes.length !== LENGTH) throw new SelkieError('E_INVITE_CONTACT')
  return {
    seed: bytes.subarray(1, 1 + SEED_BYTES),
    device: toHex(bytes.subarray(1 + SEED_BYTES, LENGTH - 4)) as DeviceKey,
    expires: new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH - 4, true)
  }
}

/** Whether a text is an invite to be a further device. */
export function isDeviceInvite(text: string): boolean {
  try {
    return decodeInvite(text).seed.length === SEED_BYTES
  } catch {
    return false
  }
}
