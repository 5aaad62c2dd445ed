import { hex, object, shape } from '../base/schema.js'
import { MAX_RECORD } from '../store/succession.js'
import { openChannel, type Channel } from './channel.js'
import type { Connection } from './swarm.js'

/** What two devices of one person tell each other: the epoch they are in or on their way to. */
export interface Greeting {
  /** The succession by which it is one. */
  readonly record: Uint8Array
  /** The key of its base, 64 hex digits, where the device knows that the other belongs to it. */
  readonly encryption: string | null
  /** Public key of the log that the device appends to in it, 64 hex digits. */
  readonly log: string
  /** The device’s word for that log. */
  readonly signature: string
}

const hasShape = shape<Greeting>(
  object({ record: {}, encryption: { anyOf: [hex(32), { type: 'null' }] }, log: hex(32), signature: hex(64) })
)

/** Greetings on one connection: at least one an epoch. */
const MAX_GREETINGS = 256

/**
 * Opens the channel for greetings on a connection.
 *
 * @param onGreeting called for each; what isn't a greeting closes the connection
 */
export function exchangeGreetings(
  connection: Connection,
  onGreeting: (theirs: Greeting) => void
): Channel<Greeting> | undefined {
  return openChannel<Greeting, Greeting>(connection, {
    protocol: 'selkie/device/1',
    limit: MAX_RECORD + 1024,
    most: MAX_GREETINGS,
    isMessage: (value): value is Greeting => hasShape(value) && value.record instanceof Uint8Array,
    onMessage: onGreeting
  })
}
