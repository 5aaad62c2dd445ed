import t from 'tap'
import type { Slug } from '../../src/base/ids.js'
import { closest } from '../../src/namespace/near.js'
import { freeSlug, isSlug, slugOf } from '../../src/namespace/slug.js'
import { slugFromTitle } from '../../src/namespace/slug-from-title.js'

t.test('what is a slug', (t) => {
  for (const slug of ['a', '7', 'plan', 'plan-trip-2', 'a'.repeat(64)]) t.ok(isSlug(slug), slug)
  for (const other of ['', '-', '-a', 'a-', 'a--b', 'A', 'a_b', 'a b', 'é', '@a', 'a\n', 'a'.repeat(65)]) {
    t.notOk(isSlug(other), JSON.stringify(other))
  }
  t.end()
})

t.test('a slug as a person types it', (t) => {
  t.equal(slugOf('@Plan-Trip'), 'plan-trip')
  t.equal(slugOf('plan'), 'plan')
  for (const typed of ['@@plan', '', '@', 'plan trip', '../plan']) {
    t.throws(() => slugOf(typed), { code: 'E_SLUG_FORM', fields: { slug: typed } })
  }
  t.end()
})

t.test('a slug from a title', (t) => {
  const cases: Record<string, string> = {
    'Plan a trip': 'plan-a-trip',
    '  Plan -- a  trip!  ': 'plan-a-trip',
    'What’s new?': 'what-s-new',
    'C++ & C#': 'c-c',
    snake_case: 'snake-case',
    'Ünïcödé straße': 'unicode-strasse',
    'Œuvre à la carte': 'oeuvre-a-la-carte',
    'Найти файл': 'nayti-fayl',
    北京: 'bei-jing',
    'Plan 🧳 trip': 'plan-trip',
    '🧳': 'skill',
    '!?': 'skill',
    '': 'skill',
    '２０２６': '2026',
    Calendar: 'calendar'
  }
  for (const [title, slug] of Object.entries(cases)) t.equal(slugFromTitle(title), slug, title)
  t.equal(slugFromTitle('a'.repeat(70)), 'a'.repeat(64))
  t.equal(slugFromTitle(`${'a'.repeat(63)} b`), 'a'.repeat(63), 'no hyphen is left where it is cut')
  t.end()
})

t.test('the first free number', (t) => {
  const free = (wanted: string, ...taken: string[]): string =>
    freeSlug(wanted as Slug, (slug) => taken.includes(slug))
  t.equal(free('plan'), 'plan')
  t.equal(free('plan', 'plan'), 'plan-2')
  t.equal(free('plan', 'plan', 'plan-2', 'plan-4'), 'plan-3')
  t.equal(free('plan-2', 'plan-2'), 'plan-2-2')
  const long = 'a'.repeat(64)
  t.equal(free(long, long), `${'a'.repeat(62)}-2`)
  const hyphened = `${'a'.repeat(61)}-bc`
  t.equal(free(hyphened, hyphened), `${'a'.repeat(61)}-2`, 'no double hyphen where it is cut')
  t.end()
})

t.test('near slugs', (t) => {
  const slugs = ['fetch-file', 'plan', 'plan-trip', 'plant', 'zebra'] as Slug[]
  t.same(closest('fetch-fiel' as Slug, slugs), ['fetch-file'])
  t.same(closest('plan' as Slug, slugs), ['plan', 'plant', 'plan-trip'])
  t.same(closest('current-dat' as Slug, slugs), ['current-date'], 'tools too')
  t.same(closest('unlike-anything' as Slug, slugs), [])
  t.equal(closest('a' as Slug, ['b', 'c', 'd', 'e'] as Slug[]).length, 3, 'three at most')
  t.end()
})
