import { SelkieError } from './base/errors.js'
import { callToJoin } from './devices/call.js'
import { enterStore } from './devices/enter.js'
import { decodeInvite } from './devices/invite.js'
import { checkedName } from './base/name.js'
import { hostName, type MadeHome } from './found-home.js'
import { deviceFrom, SEED_BYTES } from './keys/device.js'
import { joiningKeyFrom } from './keys/joining.js'
import { prepareHome, systemClock } from './store/home.js'

/** Milliseconds after which the device that made the invite counts as out of reach. */
const PATIENCE = 60_000

/** How to make a home a further device of an identity. */
export interface JoinOptions {
  readonly home: string
  readonly invite: string
  /** What the person's other devices call it; the machine's name unless given. */
  readonly deviceName?: string
  /** What to put the home's keys under. */
  readonly passphrase?: string
  /** `host:port` of DHT nodes; without it the public ones. */
  readonly bootstrap: readonly string[] | undefined
}

/** What a device that has joined is and has. */
export type Joined = MadeHome

/**
 * Makes this home a device of the identity that opened the invite, with all that it has.
 *
 * @throws SelkieError E_HOME_EXISTS, E_HOME_FOREIGN, E_NAME, E_INVITE_FORM,
 *   E_INVITE_CONTACT, and what {@link callToJoin} throws
 */
export async function joinHome(options: JoinOptions): Promise<Joined> {
  const { bootstrap, passphrase } = options
  const invite = decodeInvite(options.invite)
  if (systemClock.now() > invite.expires * 1000) throw new SelkieError('E_INVITE_EXPIRED')
  const wanted = checkedName(options.deviceName ?? hostName())
  const paths = await prepareHome(options.home)
  const seeds = { signing: systemClock.random(SEED_BYTES), sealing: systemClock.random(SEED_BYTES) }
  const device = deviceFrom(seeds)
  const taken = await callToJoin({
    bootstrap,
    key: joiningKeyFrom(invite.seed),
    to: { device: invite.device },
    device,
    name: wanted,
    patience: PATIENCE
  })
  const entered = await enterStore({ paths, seeds, taken, passphrase, bootstrap })
  const { identity, name } = taken.card
  return { name, identity, device: device.signer.key, ...entered }
}
