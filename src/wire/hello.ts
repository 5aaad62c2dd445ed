import c from 'compact-encoding'
import Protomux from 'protomux'
import { isSelkieError } from '../base/errors.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, object, shape } from '../base/schema.js'
import { MAX_CARD_BYTES } from '../keys/card.js'
import type { Connection } from './swarm.js'

/** What two devices tell each other first: their person's card, and where their mail lies. */
export interface Hello {
  readonly card: Uint8Array
  /** Public key of the mailbox's log, 64 hex digits. */
  readonly mailbox: string
}

const isHello = shape<Hello>(object({ card: {}, mailbox: hex(32) }))

/**
 * Says hello on a connection and waits for the other's. Must be called as soon as the
 * connection is there: a channel that the other opens first would be refused.
 *
 * @param onHello called at most once; what isn't a hello closes the connection
 * @returns what says one's own hello, once it is known
 */
export function exchangeHellos(
  connection: Connection,
  onHello: (theirs: Hello) => void
): (mine: Hello) => void {
  const channel = Protomux.from(connection).createChannel({ protocol: 'selkie/hello/1' })
  if (!channel) return () => {}
  let heard = false
  const message = channel.addMessage<Buffer>({
    encoding: c.raw,
    onmessage: (bytes) => {
      const theirs = heard ? undefined : decodeHello(bytes)
      if (!theirs) {
        connection.destroy()
        return
      }
      heard = true
      onHello(theirs)
    }
  })
  channel.open()
  return (mine) => void message.send(Buffer.from(encode(mine)))
}

function decodeHello(bytes: Uint8Array): Hello | undefined {
  if (bytes.length > MAX_CARD_BYTES + 1024) return undefined
  try {
    const value = decode(new Uint8Array(bytes))
    return isHello(value) && value.card instanceof Uint8Array ? value : undefined
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}
