import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { SelkieError } from '../base/errors.js'

/** Bytes that every Unix has room for in a socket's path, its closing zero left out (macOS has the fewest). */
const MAX_SOCKET_PATH = 103

/**
 * Where the node of a home listens: `<home>/node.sock`, or on Windows a named pipe
 * that the home's path gives its name. `home` is absolute.
 *
 * @throws SelkieError E_HOME_PATH when the path is too long for a socket
 */
export function socketPath(home: string): string {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(home.toLowerCase()).digest('hex').slice(0, 32)
    return `\\\\.\\pipe\\selkie-${name}`
  }
  const path = join(home, 'node.sock')
  const bytes = Buffer.byteLength(path)
  if (bytes > MAX_SOCKET_PATH) throw new SelkieError('E_HOME_PATH', { home, over: bytes - MAX_SOCKET_PATH })
  return path
}
