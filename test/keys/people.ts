import { deviceFrom, type Device } from '../../src/keys/device.js'
import { isSelkieError } from '../../src/base/errors.js'
import { attestorOf } from '../../src/keys/attestor.js'
import { attest, rootFrom, wordsFrom, type Root } from '../../src/keys/identity.js'
import type { Card, CardDevice } from '../../src/keys/card.js'
import type { Removal } from '../../src/keys/removal.js'
import { toHex } from '../../src/keys/sodium.js'

/** A root key that is the same in every run, from one byte. */
export function testRoot(byte: number): Root {
  return rootFrom(wordsFrom(new Uint8Array(32).fill(byte)))
}

/** A device that is the same in every run, from one byte. */
export function testDevice(byte: number): Device {
  return deviceFrom({ signing: new Uint8Array(32).fill(byte), sealing: new Uint8Array(32).fill(byte + 100) })
}

/** What a card says of a device that the root attests. */
export function cardDevice(root: Root, device: Device, name = 'laptop'): CardDevice {
  return { name, sealing: toHex(device.sealing.publicKey), attestation: attest(attestorOf(root), device) }
}

/** A card of these devices, all attested by the root. */
export function cardOf(
  root: Root,
  devices: readonly Device[],
  number = 1,
  life = 1,
  removed: readonly Removal[] = []
): Card {
  return {
    identity: root.identity,
    name: 'Ada',
    life,
    number,
    devices: devices.map((device) => cardDevice(root, device)),
    removed
  }
}

/** The code of what is thrown; undefined where nothing is. */
export function codeOf(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!isSelkieError(error)) throw error
    return error.code
  }
}
