import type { DeviceKey, IdentityKey } from '../../src/base/ids.js'
import { deviceFrom, type Device, type DeviceSeeds } from '../../src/keys/device.js'
import { attestorOf, type Attestor } from '../../src/keys/attestor.js'
import { attest, rootFrom, wordsFrom, type Attestation, type Root } from '../../src/keys/identity.js'
import { hash, utf8 } from '../../src/keys/sodium.js'

/** Someone with devices, the same on every run: their seeds are hashes of their name. */
export interface Person {
  readonly name: string
  readonly words: string
  readonly root: Root
  readonly attestor: Attestor
  readonly identity: IdentityKey
  readonly seeds: readonly DeviceSeeds[]
  readonly devices: readonly Device[]
  /** Of each device, in their order. */
  readonly attestations: readonly Attestation[]
}

/** A person of that name. Public test keys: never to be used for anything else. */
export function person(name: string, devices: number): Person {
  const seed = (use: string): Uint8Array => hash('selkie/public-test-key/v1', utf8(name), utf8(use))
  const words = wordsFrom(seed('root'))
  const root = rootFrom(words)
  const attestor = attestorOf(root)
  const seeds = Array.from({ length: devices }, (_, n) => ({
    signing: seed(`device ${n} signing`),
    sealing: seed(`device ${n} sealing`)
  }))
  const owned = seeds.map(deviceFrom)
  return {
    name,
    words,
    root,
    attestor,
    identity: root.identity,
    seeds,
    devices: owned,
    attestations: owned.map((device) => attest(attestor, device))
  }
}

/** The signing keys of a person's devices. */
export function deviceKeysOf({ devices }: Person): Set<DeviceKey> {
  return new Set(devices.map(({ signer }) => signer.key))
}
