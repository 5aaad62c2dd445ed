import { ERRORS, type ErrorCode } from '../base/codes.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { isNewer, readCard, type Card, type SignedCard } from '../keys/card.js'
import type { Device } from '../keys/device.js'
import { consentOf, isAttestation } from '../keys/identity.js'
import type { JoiningKey } from '../keys/joining.js'
import { hash, fromHex, toHex } from '../keys/sodium.js'
import { isKeyOf, readSuccession } from '../store/succession.js'
import { openJoining, type Offer, type Request, type Welcome } from '../wire/joining.js'
import { deviceKey, newSwarm, type Connection } from '../wire/swarm.js'

/** What a device that called was given. */
export interface Taken {
  readonly welcome: Welcome
  /** The person's card: their name, and the devices to meet. */
  readonly card: Card
}

/** Where a person's devices are found by one that knows none of them: from the key of the words. */
export function rejoiningTopic(rejoining: string): Uint8Array {
  return hash('selkie/rejoining-topic/v1', fromHex(rejoining))
}

/**
 * Calls a person's devices to be taken in as a further one.
 *
 * @param options.key under which the call is let in
 * @param options.to the one device that an invite is of; or whose, where the words are
 *   the invite
 * @param options.patience milliseconds until nobody has answered
 * @throws SelkieError E_JOIN_UNREACHED, E_INVITE_USED, E_INVITE_EXPIRED, E_JOIN_REFUSED,
 *   E_LIMIT_DEVICES, E_CARD
 */
export async function callToJoin(options: {
  readonly bootstrap: readonly string[] | undefined
  readonly key: JoiningKey
  readonly to: { readonly device: DeviceKey } | { readonly identity: IdentityKey }
  readonly device: Device
  readonly name: string
  readonly patience: number
}): Promise<Taken> {
  const { bootstrap, key, to, device, name, patience } = options
  const signer = { key: key.publicKey as DeviceKey, secret: key.secret }
  const swarm = newSwarm({ bootstrap, signer })
  const timers: NodeJS.Timeout[] = []
  try {
    const offers: Offered[] = []
    const offered = await new Promise<Offered>((resolve, reject) => {
      timers.push(setTimeout(() => reject(new SelkieError('E_JOIN_UNREACHED')), patience))
      swarm.on('connection', (connection: Connection) => {
        // Nothing more is to be said of one that breaks: it is dialled again.
        connection.on('error', () => {})
        hear(connection, to, (offer) => {
          if (isSelkieError(offer)) return reject(offer)
          if (offers.push(offer) > 1) return
          if ('device' in to) resolve(offer)
          else timers.push(setTimeout(() => resolve(latest(offers)), LISTEN))
        })
      })
      if ('device' in to) swarm.joinPeer(fromHex(to.device))
      else swarm.join(rejoiningTopic(key.publicKey), { server: false, client: true })
    })
    const { card } = offered.signed
    timers.push(setTimeout(() => offered.refuse(new SelkieError('E_JOIN_UNREACHED')), patience))
    const welcome = checkedWelcome(await offered.ask(requestOf(card.identity, device, name)), card, device)
    return { welcome, card }
  } finally {
    timers.forEach(clearTimeout)
    await swarm.destroy()
  }
}

/**
 * Milliseconds in which other devices may answer a call under the words: one that was
 * removed, and doesn’t know it or won’t say so, may be the first.
 */
const LISTEN = 2000

/** A device that offers to take this one in. */
interface Offered {
  readonly signed: SignedCard
  readonly from: DeviceKey
  ask(request: Request): Promise<Welcome>
  /** Ends the asking. */
  refuse(error: SelkieError): void
}

/** The one with the newest card, and none that another’s card removes. */
function latest(offers: readonly Offered[]): Offered {
  const isOut = ({ from }: Offered): boolean =>
    offers.some(({ signed }) => signed.card.removed.some((removal) => removal.device === from))
  const staying = offers.filter((offer) => !isOut(offer))
  return (staying.length > 0 ? staying : offers).reduce((best, offer) =>
    isNewer(best.signed, offer.signed) ? offer : best
  )
}

/** Waits for the offer of a device, and says what came: an offer, or why there is none. */
function hear(
  connection: Connection,
  to: { readonly device: DeviceKey } | { readonly identity: IdentityKey },
  onOffer: (offer: Offered | SelkieError) => void
): void {
  let resolve!: (welcome: Welcome) => void
  let refuse!: (error: SelkieError) => void
  const welcomed = new Promise<Welcome>((yes, no) => {
    resolve = yes
    refuse = no
  })
  // Whoever asks hears of it.
  welcomed.catch(() => {})
  connection.on('close', () => refuse(new SelkieError('E_JOIN_UNREACHED')))
  const from = deviceKey(connection.remotePublicKey)
  const channel = openJoining(connection, (message) => {
    if (message.type === 'welcome') return resolve(message)
    if (message.type === 'refusal') return refuse(refused(message.code))
    const signed = message.type === 'offer' ? checkedOffer(message, to, from) : undefined
    if (signed) {
      const ask = async (request: Request): Promise<Welcome> => {
        channel?.send(request)
        return welcomed
      }
      return onOffer({ signed, from, ask, refuse })
    }
    connection.destroy()
    // One that only says that it is theirs is passed over; another may be.
    if ('device' in to) onOffer(new SelkieError('E_JOIN_FOREIGN'))
  })
}

/** The card of an offer, where it is from a device that may take this one in. */
function checkedOffer(
  { attestation, card }: Offer,
  to: { readonly device: DeviceKey } | { readonly identity: IdentityKey },
  from: DeviceKey
): SignedCard | undefined {
  const isWanted = 'device' in to ? to.device === from : to.identity === attestation.identity
  if (!isWanted || attestation.device !== from || !isAttestation(attestation)) return undefined
  try {
    const signed = readCard(card)
    return signed.card.identity === attestation.identity ? signed : undefined
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}

function requestOf(identity: IdentityKey, device: Device, name: string): Request {
  return {
    type: 'request',
    name,
    device: device.signer.key,
    sealing: toHex(device.sealing.publicKey),
    consent: consentOf(identity, device)
  }
}

function checkedWelcome(welcome: Welcome, { identity }: Card, { signer }: Device): Welcome {
  const { attestation, encryption } = welcome
  const isMine = attestation.identity === identity && attestation.device === signer.key
  const record = readSuccession(welcome.record)
  const isTheirs = record.succession.identity === identity && isKeyOf(record, encryption)
  if (!isMine || !isTheirs || !isAttestation(attestation)) throw new SelkieError('E_JOIN_REFUSED')
  return welcome
}

function refused(code: string): SelkieError {
  return new SelkieError(code in ERRORS ? (code as ErrorCode) : 'E_JOIN_REFUSED')
}
