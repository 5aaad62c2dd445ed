import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'
import BlindPairing, { type CreatedInvite, type MemberRequest } from 'blind-pairing'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { Clock } from '../base/clock.js'
import { newSwarm, type Connection } from './swarm.js'

/** Base58 with a checksum, as Bitcoin has it: an invite that was copied wrongly is told from one that is gone. */
const inviteText = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())
)

/** An invite while it is open. */
export interface OpenInvite {
  /** What the other person types: about 100 letters and digits. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** Settles when someone has used it, with what `admit` gave; rejects with E_INVITE_EXPIRED, or E_INVITE_ENDED by `close`. */
  readonly used: Promise<void>
  close(): Promise<void>
}

/**
 * Opens a one-time invite. Pairing peers meet on a swarm of their own, under keys that
 * live as long as the invite, so that a stranger with an invite never reaches the
 * node's own connections. The first who proves to hold the invite hands over their card
 * and gets this one; whoever comes later is told that it was used.
 *
 * @param card this person's own, as it travels
 * @param admit takes in the other's card; where it rejects, the invite stays open
 * @param parted called once the other has taken in this one's card too
 */
export async function openInvite(options: {
  bootstrap: readonly string[] | undefined
  card: Uint8Array
  expiresIn: number
  clock: Clock
  admit: (card: Uint8Array) => Promise<void>
  parted: () => void
}): Promise<OpenInvite> {
  const { bootstrap, card, clock, admit, parted } = options
  let isUsed = false
  let isAdmitted = false
  const key = Buffer.from(clock.random(32))
  // An invite carries whole seconds.
  const expires = Math.ceil((clock.now() + options.expiresIn) / 1000) * 1000
  const invite = BlindPairing.createInvite(key, { data: card, expires })
  // The other hangs up when it has what it came for.
  const meeting = await meet(bootstrap, () => isAdmitted && parted())
  const { promise: used, resolve, reject } = withResolvers()
  // Whoever waits hears of it; without anyone waiting it is no failure.
  used.catch(() => {})

  const member = meeting.pairing.addMember({
    discoveryKey: invite.discoveryKey,
    onadd: async (request) => {
      const theirs = openRequest(request, invite)
      if (!theirs) return
      if (clock.now() > expires) return request.deny({ status: EXPIRED })
      if (isUsed) return request.deny({ status: USED })
      isUsed = true
      try {
        await admit(theirs)
      } catch (error) {
        isUsed = false
        if (isSelkieError(error)) return request.deny({ status: REJECTED })
        throw error
      }
      request.confirm({ key, ...(invite.additional && { additional: invite.additional }) })
      isAdmitted = true
      resolve()
      if (meeting.isEmpty()) parted()
    }
  })
  await member.flushed()

  const end = async (why: 'E_INVITE_EXPIRED' | 'E_INVITE_ENDED'): Promise<void> => {
    clearTimeout(timer)
    reject(new SelkieError(why))
    await meeting.close()
  }
  // Whoever comes later sees by themselves that it has expired.
  const timer = setTimeout(() => void end('E_INVITE_EXPIRED'), expires - clock.now())
  timer.unref()
  return {
    text: inviteText.encode(new Uint8Array(invite.invite)),
    expires,
    used,
    close: () => end('E_INVITE_ENDED')
  }
}

/**
 * Uses an invite: hands over one's own card and takes in the inviter's.
 *
 * @param admit takes in the inviter's card, before the meeting ends
 * @param patience milliseconds until the other side counts as out of reach
 * @throws SelkieError E_INVITE_FORM, E_INVITE_EXPIRED, E_INVITE_USED, E_PAIR_REFUSED,
 *   E_PAIR_UNREACHED
 */
export async function useInvite(options: {
  bootstrap: readonly string[] | undefined
  invite: string
  card: Uint8Array
  clock: Clock
  patience: number
  admit: (card: Uint8Array) => Promise<void>
}): Promise<void> {
  const bytes = decodeInvite(options.invite, options.clock)
  const meeting = await meet(options.bootstrap, () => {})
  let timer: NodeJS.Timeout | undefined
  try {
    const card = await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new SelkieError('E_PAIR_UNREACHED')), options.patience)
      const { request } = meeting.pairing.addCandidate({
        invite: bytes,
        userData: Buffer.from(options.card),
        onadd: async ({ data }) => (data ? resolve(data) : reject(new SelkieError('E_PAIR_REFUSED')))
      })
      request.on('rejected', (error: { code?: string }) => reject(new SelkieError(refusal(error.code))))
    })
    await options.admit(card)
  } finally {
    clearTimeout(timer)
    await meeting.close()
  }
}

/** Statuses of blind-pairing's answers. */
const REJECTED = 1
const USED = 2
const EXPIRED = 3

function refusal(code: string | undefined) {
  if (code === 'INVITE_USED') return 'E_INVITE_USED'
  if (code === 'INVITE_EXPIRED') return 'E_INVITE_EXPIRED'
  return 'E_PAIR_REFUSED'
}

function decodeInvite(text: string, clock: Clock): Buffer {
  let bytes: Buffer
  let expires: number
  try {
    bytes = Buffer.from(inviteText.decode(text.replace(/\s+/g, '')))
    expires = BlindPairing.decodeInvite(bytes).expires
  } catch (cause) {
    throw new SelkieError('E_INVITE_FORM', {}, { cause })
  }
  if (expires > 0 && clock.now() > expires) throw new SelkieError('E_INVITE_EXPIRED')
  return bytes
}

/** What the other side brought, or undefined where it doesn't hold this invite. */
function openRequest(request: MemberRequest, invite: CreatedInvite): Uint8Array | undefined {
  try {
    return request.open(invite.publicKey)
  } catch {
    return undefined
  }
}

async function meet(
  bootstrap: readonly string[] | undefined,
  onHangUp: () => void
): Promise<{ pairing: BlindPairing; isEmpty(): boolean; close(): Promise<void> }> {
  const swarm = newSwarm({ bootstrap })
  swarm.on('connection', (connection: Connection) => {
    // Nothing more is to be said of one that breaks than that it is closed.
    connection.on('error', () => {})
    connection.on('close', onHangUp)
  })
  const pairing = new BlindPairing(swarm)
  await pairing.ready()
  const close = async (): Promise<void> => {
    // The swarm first: a card is larger than what a DHT node stores, so blind-pairing's
    // way around a direct connection never ends by itself before its requests time out.
    await swarm.destroy()
    await pairing.close()
  }
  return { pairing, isEmpty: () => swarm.connections.size === 0, close }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
