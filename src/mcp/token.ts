import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import { SelkieError } from '../base/errors.js'
import { systemWords } from '../base/system.js'
import { isOpenToOthers } from '../base/open-to-others.js'

const TOKEN = /^[A-Za-z0-9_-]{32,512}$/

/** A token for one run: 32 random bytes as 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The token in a file of this user's, which nobody else may read: 32 to 512 characters of
 * base64url, and a line end where there is one.
 *
 * @throws SelkieError E_MCP_TOKEN_FILE
 */
export async function readToken(path: string): Promise<string> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new SelkieError('E_MCP_TOKEN_FILE', { path, why }, { cause })
  }
  const file = await open(path).catch((cause: unknown) => refuse(systemWords(cause), cause))
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return refuse('it is no file')
    if (isOpenToOthers(stats)) return refuse('others on this machine can read it')
    const token = stats.size > 1024 ? '' : (await file.readFile('utf8')).trim()
    return TOKEN.test(token) ? token : refuse('it holds no token')
  } finally {
    await file.close()
  }
}

/** Whether an `Authorization` header brings the token; how long that takes says nothing about it. */
export function bringsToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

/** Of one length, whatever was given. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
