import type { OwnDevice } from '../api.js'
import { SelkieError } from '../base/errors.js'

/** Digits of a key that are shown, and that name it. */
const SHOWN = 12
const ENOUGH = 8

/** The beginning of a device’s key: enough to tell it from the person’s others. */
export function shortKey({ device }: OwnDevice): string {
  return device.slice(0, SHOWN)
}

/**
 * The device that a person means: by the beginning of its key, or by its name.
 *
 * @throws SelkieError E_DEVICE_UNKNOWN, E_DEVICE_WHICH
 */
export function namedDevice(devices: readonly OwnDevice[], typed: string): OwnDevice {
  const wanted = typed.trim().toLowerCase()
  const keyed = wanted.length < ENOUGH ? [] : devices.filter(({ device }) => device.startsWith(wanted))
  if (keyed.length === 1) return keyed[0]!
  const named = devices.filter(({ name }) => name.toLowerCase() === wanted)
  if (named.length > 1)
    throw new SelkieError('E_DEVICE_WHICH', { device: typed, keys: named.map(shortKey).join(', ') })
  if (!named[0]) throw new SelkieError('E_DEVICE_UNKNOWN', { device: typed })
  return named[0]
}
