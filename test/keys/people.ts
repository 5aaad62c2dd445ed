import { deviceFrom, type Device } from '../../src/keys/device.js'
import { attest, rootFrom, wordsFrom, type Root } from '../../src/keys/identity.js'
import type { Card, CardDevice } from '../../src/keys/card.js'
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
  return { name, sealing: toHex(device.sealing.publicKey), attestation: attest(root, device) }
}

/** A card of these devices, all attested by the root. */
export function cardOf(root: Root, devices: readonly Device[], number = 1, epoch = 1): Card {
  return {
    identity: root.identity,
    name: 'Ada',
    epoch,
    number,
    devices: devices.map((device) => cardDevice(root, device))
  }
}
