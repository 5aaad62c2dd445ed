import { readFileSync } from 'node:fs'
import type { DeviceKey, IdentityKey } from '../../src/base/ids.js'
import { openBundle, type Opened } from '../../src/bundle/open.js'
import { deviceFrom } from '../../src/keys/device.js'
import { fromHex } from '../../src/keys/sodium.js'

/** Beside the build folder. */
const ROOT = new URL('../../../', import.meta.url)
export const VECTORS = new URL('bundles/vectors/', ROOT)
export const KEYS = new URL('keys/vectors/', ROOT)

/** A vector as the index lists it: with the code of its refusal, or with what opening gives. */
export interface Entry {
  readonly file: string
  readonly about: string
  readonly opener: string
  readonly device: number
  readonly zerosTo?: number
  readonly code?: string
  readonly opens?: object
}

interface PublicPerson {
  readonly name: string
  readonly identity: IdentityKey
  readonly devices: readonly {
    readonly signingSeed: string
    readonly sealingSeed: string
    readonly key: DeviceKey
  }[]
}

/** The index of the vectors. */
export function readIndex(): Entry[] {
  return (readJson(new URL('index.json', VECTORS)) as { vectors: Entry[] }).vectors
}

/**
 * Opens a vector as its opener would, who knows Ana without her third device, and Ben.
 *
 * @throws SelkieError
 */
export function openVector({ file, opener, device, zerosTo }: Entry): Opened {
  const { people } = readJson(new URL('people.json', KEYS)) as { people: PublicPerson[] }
  const named = (name: string): PublicPerson => people.find((person) => person.name === name)!
  const keys = ({ devices }: PublicPerson): Set<DeviceKey> => new Set(devices.map(({ key }) => key))
  const [ana, ben] = [named('Ana'), named('Ben')]
  const known = new Map([
    [ana.identity, keys({ ...ana, devices: ana.devices.slice(0, 2) })],
    [ben.identity, keys(ben)]
  ])
  const me = named(opener)
  const { signingSeed, sealingSeed } = me.devices[device]!
  const { sealing } = deviceFrom({ signing: fromHex(signingSeed), sealing: fromHex(sealingSeed) })
  const stored = readFileSync(new URL(file, VECTORS))
  const bytes = new Uint8Array(zerosTo ?? stored.length)
  bytes.set(stored)
  return openBundle(bytes, { identity: me.identity, sealing }, (identity) => known.get(identity))
}

function readJson(url: URL): unknown {
  return JSON.parse(readFileSync(url, 'utf8'))
}
