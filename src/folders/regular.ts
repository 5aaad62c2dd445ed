import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ErrorFields } from '../base/errors.js'
import type { DiagnosticCode } from './diagnostics.js'

/** Why a file was left out: a code of the table, and what fills its message. */
export interface LeftOut {
  readonly code: DiagnosticCode
  readonly fields?: ErrorFields
}

// A swap between looking and opening must neither follow a link nor wait on a pipe.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of a regular file that was looked at as `seen`, whose size the caller has
 * checked; or why it can’t be had.
 */
export async function readRegular(path: string, seen: Stats): Promise<Uint8Array | LeftOut> {
  let handle
  try {
    handle = await open(path, FLAGS)
    const stats = await handle.stat()
    if (!stats.isFile() || stats.ino !== seen.ino || stats.size !== seen.size) return { code: 'D_CHANGED' }
    // One byte more than there should be shows a file that grows.
    const bytes = Buffer.alloc(seen.size + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return length === seen.size ? bytes.subarray(0, length) : { code: 'D_CHANGED' }
  } catch (error) {
    return unreadable(error)
  } finally {
    await handle?.close()
  }
}

/** What the system’s refusal says to a person. */
export function unreadable(error: unknown): LeftOut {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ELOOP') return { code: 'D_SYMLINK' }
  const why = code === 'EACCES' || code === 'EPERM' ? 'its permissions forbid it' : (code ?? 'unknown')
  return { code: 'D_UNREADABLE', fields: { why } }
}
