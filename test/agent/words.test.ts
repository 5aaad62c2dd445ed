import t from 'tap'
import { byWords } from '../../src/agent/by-words.js'
import type { MenuEntry } from '../../src/agent/menu.js'
import type { Slug } from '../../src/base/ids.js'

const menu = Array.from({ length: 1000 }, (_, n): MenuEntry => ({
  slug: `skill-${n}` as Slug,
  summary: `One of many, of the ${['apples', 'pears', 'invoices'][n % 3]} number${n}.`,
  kind: 'skill'
}))

t.test('one word without end took all the memory', (t) => {
  t.same(byWords(menu, 'a'.repeat(64 * 1024)), [])
  t.same(byWords(menu, `${'x'.repeat(60_000)} number42`), ['skill-42'])
  t.end()
})

t.test('a typing error and a plural are forgiven', (t) => {
  t.same(byWords(menu.slice(0, 3), 'invoises'), ['skill-2'])
  t.same(byWords(menu.slice(0, 3), 'apple'), ['skill-0'])
  t.end()
})
