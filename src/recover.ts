import { isSelkieError, SelkieError } from './base/errors.js'
import { callToJoin, type Taken } from './devices/call.js'
import { enterStore } from './devices/enter.js'
import { checkedName } from './base/name.js'
import { foundHome, hostName, type MadeHome } from './found-home.js'
import { deviceFrom, SEED_BYTES } from './keys/device.js'
import { rootFrom } from './keys/identity.js'
import { joiningKeyOf } from './keys/joining.js'
import { prepareHome, systemClock } from './store/home.js'

/** Milliseconds after which the other devices count as out of reach. */
const PATIENCE = 30_000

/** How to bring an identity back from its words. */
export interface RecoverOptions {
  readonly home: string
  readonly words: string
  /** What contacts see; given, the identity is begun anew where no device is reached. */
  readonly name?: string
  /** What the person's other devices call it; the machine's name unless given. */
  readonly deviceName?: string
  /** What to put the home's keys under. */
  readonly passphrase?: string
  /** `host:port` of DHT nodes; without it the public ones. */
  readonly bootstrap: readonly string[] | undefined
  /** Milliseconds after which the other devices count as out of reach. */
  readonly patience?: number
}

/** What came back. */
export interface Recovered extends MadeHome {
  /** Whether another device was reached, and so whether the namespace came too. */
  readonly reached: boolean
}

/**
 * Makes this home a device of the identity that the words are the key to: with all that
 * it has where one of its devices is reached, else, where a name is given, the first of a
 * new life.
 *
 * @throws SelkieError E_WORDS, E_HOME_EXISTS, E_HOME_FOREIGN, E_NAME,
 *   E_RECOVER_UNREACHED, and what {@link callToJoin} throws
 */
export async function recoverHome(options: RecoverOptions): Promise<Recovered> {
  const { bootstrap, passphrase } = options
  const root = rootFrom(options.words)
  const wanted = checkedName(options.deviceName ?? hostName())
  const name = options.name === undefined ? undefined : checkedName(options.name)
  const paths = await prepareHome(options.home)
  const seeds = { signing: systemClock.random(SEED_BYTES), sealing: systemClock.random(SEED_BYTES) }
  const device = deviceFrom(seeds)
  let taken: Taken
  try {
    taken = await callToJoin({
      bootstrap,
      key: joiningKeyOf(root),
      to: { identity: root.identity },
      device,
      name: wanted,
      patience: options.patience ?? PATIENCE
    })
  } catch (error) {
    if (!isSelkieError(error, 'E_JOIN_UNREACHED')) throw error
    if (name === undefined) throw new SelkieError('E_RECOVER_UNREACHED', {}, { cause: error })
    // Higher than that of any life before: the first is 1, and each that follows begins later.
    const life = Math.floor(systemClock.now() / 1000)
    const made = await foundHome({
      paths,
      root,
      life,
      name,
      deviceName: wanted,
      ...(passphrase !== undefined && { passphrase })
    })
    return { ...made, reached: false }
  }
  const entered = await enterStore({ paths, seeds, taken, passphrase, bootstrap })
  const { identity, name: known } = taken.card
  return { name: known, identity, device: device.signer.key, ...entered, reached: true }
}
