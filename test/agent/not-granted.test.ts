import t from 'tap'
import { Grants } from '../../src/agent/grants.js'
import type { SelkieError } from '../../src/base/errors.js'
import { grantOf } from '../../src/cli/grant.js'

t.test('what is to be done about a missing grant was no command that works', async (t) => {
  const grants = await Grants.open(t.testdir(), (error) => void t.fail(String(error)))
  for (const kind of ['files', 'calendar', 'notebook', 'memory'] as const) {
    let hint = ''
    try {
      grants.require(kind)
    } catch (error) {
      hint = (error as SelkieError).hint
    }
    const [, typed = '', path] = /`selkie grant (\w+)(?: ([A-Z]+))?`/.exec(hint)!
    t.equal(grantOf(typed, path, 'grant').kind, kind, hint)
  }
})
