import { hex, object, shape } from '../base/schema.js'
import { MAX_CARD_BYTES } from '../keys/card.js'
import { openChannel, type Channel } from './channel.js'
import type { Connection } from './swarm.js'

/** What two devices of different people tell each other: their person's card, and where their mail lies. */
export interface Hello {
  readonly card: Uint8Array
  /** Public key of the mailbox's log, 64 hex digits. */
  readonly mailbox: string
}

const hasShape = shape<Hello>(object({ card: {}, mailbox: hex(32) }))

/** Hellos on one connection: a card may be renewed while it is open. */
const MAX_HELLOS = 32

/**
 * Opens the channel for hellos on a connection.
 *
 * @param onHello called for each; what isn't a hello closes the connection
 */
export function exchangeHellos(
  connection: Connection,
  onHello: (theirs: Hello) => void
): Channel<Hello> | undefined {
  return openChannel<Hello, Hello>(connection, {
    protocol: 'selkie/hello/1',
    limit: MAX_CARD_BYTES + 1024,
    most: MAX_HELLOS,
    isMessage: (value): value is Hello => hasShape(value) && value.card instanceof Uint8Array,
    onMessage: onHello
  })
}
