import c from 'compact-encoding'
import Protomux from 'protomux'
import { isSelkieError } from '../base/errors.js'
import { decode, encode } from '../base/msgpack.js'
import type { Connection } from './swarm.js'

/** What two ends say to each other on a connection, in one protocol. */
export interface Channel<Says> {
  send(message: Says): void
}

/**
 * Opens a channel of msgpack messages. Must be called as soon as the connection is there:
 * a channel that the other end opens first would be refused.
 *
 * @param options.limit bytes of a message
 * @param options.most messages that the other end may send; one more, or one that is
 *   none, closes the connection
 * @returns undefined where the connection has this protocol already
 */
export function openChannel<Says, Hears>(
  connection: Connection,
  options: {
    readonly protocol: string
    readonly limit: number
    readonly most: number
    readonly isMessage: (value: unknown) => value is Hears
    readonly onMessage: (message: Hears) => void
  }
): Channel<Says> | undefined {
  const channel = Protomux.from(connection).createChannel({ protocol: options.protocol })
  if (!channel) return undefined
  let heard = 0
  const wire = channel.addMessage<Buffer>({
    encoding: c.raw,
    onmessage: (bytes) => {
      const value = bytes.length > options.limit ? undefined : decoded(bytes)
      if (++heard > options.most || !options.isMessage(value)) connection.destroy()
      else options.onMessage(value)
    }
  })
  channel.open()
  return { send: (message) => void wire.send(Buffer.from(encode(message))) }
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return decode(new Uint8Array(bytes))
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}
