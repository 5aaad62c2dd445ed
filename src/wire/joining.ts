import { MAX_NAME } from '../base/name.js'
import { hex, object, shape, text } from '../base/schema.js'
import { MAX_CARD_BYTES } from '../keys/card.js'
import { SEALING_KEY_BYTES } from '../keys/device.js'
import { attestationSchema, type Attestation } from '../keys/identity.js'
import { MAX_RECORD } from '../store/succession.js'
import { openChannel, type Channel } from './channel.js'
import type { Connection } from './swarm.js'

/** A device to whoever calls it under an invite: whose device it is. */
export interface Offer {
  readonly type: 'offer'
  readonly attestation: Attestation
  /** The person’s card: the devices that there are. */
  readonly card: Uint8Array
}

/** Who called, as the device that it would be. */
export interface Request {
  readonly type: 'request'
  readonly name: string
  readonly device: string
  /** X-Wing public key, 2,432 hex digits. */
  readonly sealing: string
  /** The device’s word that it belongs to the identity. */
  readonly consent: string
}

/** All that a device needs to be one of a person’s. */
export interface Welcome {
  readonly type: 'welcome'
  readonly attestation: Attestation
  /** Seed of the attestor, 64 hex digits. */
  readonly attestor: string
  readonly rejoining: string
  readonly encryption: string
  readonly record: Uint8Array
}

/** Why a caller isn’t taken in: a code. */
export interface Refusal {
  readonly type: 'refusal'
  readonly code: string
}

type Message = Offer | Request | Welcome | Refusal

const hasShape = shape<Message>({
  anyOf: [
    object({ type: { const: 'offer' }, attestation: attestationSchema, card: {} }),
    object({
      type: { const: 'request' },
      name: text(MAX_NAME, 1),
      device: hex(32),
      sealing: hex(SEALING_KEY_BYTES),
      consent: hex(64)
    }),
    object({
      type: { const: 'welcome' },
      attestation: attestationSchema,
      attestor: hex(32),
      rejoining: hex(32),
      encryption: hex(32),
      record: {}
    }),
    object({ type: { const: 'refusal' }, code: { type: 'string', pattern: '^E_[A-Z_]{1,60}$' } })
  ]
})

function isMessage(value: unknown): value is Message {
  if (!hasShape(value)) return false
  if (value.type === 'offer') return value.card instanceof Uint8Array
  return value.type !== 'welcome' || value.record instanceof Uint8Array
}

/** Opens the channel on which a device is taken in, on either side. */
export function openJoining(
  connection: Connection,
  onMessage: (message: Message) => void
): Channel<Message> | undefined {
  return openChannel<Message, Message>(connection, {
    protocol: 'selkie/join/1',
    limit: MAX_CARD_BYTES + MAX_RECORD,
    most: 2,
    isMessage,
    onMessage
  })
}
