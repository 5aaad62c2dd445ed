import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { isSelkieError } from '../../src/base/errors.js'
import { bringsToken, newToken, readToken } from '../../src/mcp/token.js'

t.test('a token of one run is 32 random bytes', async (t) => {
  const tokens = new Set(Array.from({ length: 100 }, newToken))
  t.equal(tokens.size, 100)
  for (const token of tokens) t.equal(Buffer.from(token, 'base64url').length, 32)
})

t.test('a header brings the token only where it is that, whole', async (t) => {
  const token = newToken()
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `])
    t.ok(bringsToken(header, token), header)
  t.notOk(bringsToken(undefined, token))
  const part = fc.tuple(fc.nat(43), fc.nat(43)).map(([from, to]) => token.slice(from, to))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        part,
        fc.string().map((text) => token + text)
      ),
      (given) => {
        return bringsToken(`Bearer ${given}`, token) === (given.trimEnd() === token)
      }
    )
  )
})

t.test('a token file is one’s own, and holds a token', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'token')
  const token = 'abc_-DEF'.repeat(4)
  await writeFile(path, `${token}\r\n`, { mode: 0o600 })
  t.equal(await readToken(path), token)
  await symlink(path, join(folder, 'link'))
  t.equal(await readToken(join(folder, 'link')), token)

  const refused = async (why: RegExp, at = path): Promise<void> => {
    const error: unknown = await readToken(at).catch((reason: unknown) => reason)
    if (!isSelkieError(error, 'E_MCP_TOKEN_FILE'))
      return void t.fail('E_MCP_TOKEN_FILE expected', { found: error })
    t.match(error.message, why)
    t.notMatch(`${error.message} ${error.hint}`, token)
  }
  for (const mode of [0o604, 0o640, 0o620, 0o601]) {
    await chmod(path, mode)
    await refused(/others on this machine can read it/)
  }
  await chmod(path, 0o600)
  for (const text of ['', 'short', token.slice(1), `${token} ${token}`, `${token}/`, 'x'.repeat(513)]) {
    await writeFile(path, text)
    await refused(/it holds no token/)
  }
  await mkdir(join(folder, 'folder'), { mode: 0o700 })
  await refused(/it is no file/, join(folder, 'folder'))
  await refused(/no such file/, join(folder, 'none'))
})
