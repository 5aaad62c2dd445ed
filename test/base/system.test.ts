import { readFile } from 'node:fs/promises'
import t from 'tap'
import { systemError, systemWords } from '../../src/base/system.js'

/** What the system throws with this code. */
function thrown(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: as the system says it`), { code, path: '/home/ann/x' })
}

t.test('what the system refuses is said in words', async (t) => {
  const error: unknown = await readFile(t.testdirName).catch((error: unknown) => error)
  t.match(systemError(error), { code: 'E_SYSTEM', cause: error })
  t.match(systemError(error)?.message, 'no such file or directory')
  t.notMatch(systemError(error)?.message, /ENOENT/)
  t.equal(systemWords(error), 'no such file or directory')
})

t.test('each refusal that a person can do something about has its code', async (t) => {
  t.equal(systemError(thrown('ENOSPC'))?.code, 'E_DISK_FULL')
  t.equal(systemError(thrown('EDQUOT'))?.code, 'E_DISK_FULL')
  t.equal(systemError(thrown('EACCES'))?.code, 'E_NO_ACCESS')
  t.match(systemError(thrown('EPERM'))?.message, '/home/ann/x')
  t.equal(systemError(thrown('EROFS'))?.code, 'E_READ_ONLY')
})

t.test('it is found below what a library makes of it, and nowhere else', async (t) => {
  const wrapped = new Error('Batch was not applied', { cause: thrown('ENOSPC') })
  t.equal(systemError(new Error('Twice', { cause: wrapped }))?.code, 'E_DISK_FULL')
  for (const other of [new TypeError('x is undefined'), thrown('ERR_ASSERTION'), 'a text', undefined]) {
    t.equal(systemError(other), undefined)
  }
  t.equal(systemWords(new Error('of no system')), 'the system refused')
})
