import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { Contact, NodeApi } from '../../src/api.js'
import { serve } from '../../src/attach/server.js'
import { fakeNode, shortHome } from '../attach/fake-node.js'

/** The real command. */
export const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

/** Someone of whom a node may tell. */
export const ANNA: Contact = {
  name: 'Anna',
  identity: 'ab',
  verified: false,
  devices: [],
  safetyWords: 'one two',
  online: false
}

export interface Run {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs the real command, without a terminal, on a home. */
export async function selkie(home: string, argv: string[], stdin = ''): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...argv], { env: { ...process.env, SELKIE_HOME: home } })
  child.stdin.end(stdin)
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr)
  ])
  return { status, stdout, stderr }
}

/** A home whose node does these methods. */
export async function homeWith(t: Test, methods: Partial<NodeApi>): Promise<string> {
  const home = await shortHome(t)
  const server = await serve(fakeNode(methods), home)
  t.teardown(() => server.close())
  return home
}
