import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Listed, NodeApi, OwnDevice } from '../../src/api.js'
import { METHODS } from '../../src/attach/methods.js'

export const PLAN_TRIP: Listed = {
  slug: 'plan-trip',
  uid: '0123456789abcdef0123456789abcdef',
  title: 'Plan a trip',
  summary: 'How to plan a trip.',
  enabled: true,
  advertised: false,
  mentions: ['find-file'],
  version: 'aa'.repeat(32),
  versions: 2
}

export const DESKTOP: OwnDevice = {
  name: 'desktop',
  device: 'de'.repeat(32),
  added: '2026-03-01T12:00:00Z',
  seen: null,
  online: false,
  current: false,
  refused: 0
}

/**
 * A node of which only some methods are of interest; asking for another is a fault of
 * the test, and throws what a fault of the node would throw. It has no notices, which
 * every verb asks for.
 */
export function fakeNode(methods: Partial<NodeApi>): NodeApi {
  const others = Object.keys(METHODS).map((name) => [
    name,
    () => Promise.reject(new TypeError(`${name} is not part of this test`))
  ])
  const quiet = { notices: () => Promise.resolve([]), close: () => Promise.resolve() }
  return { ...(Object.fromEntries(others) as NodeApi), ...quiet, ...methods }
}

/** An empty home with a path short enough for a socket, which the test’s own folder hasn’t. */
export async function shortHome(t: Test): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'selkie-'))
  t.teardown(() => rm(home, { recursive: true }))
  return home
}
