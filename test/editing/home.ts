import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { NodeApi } from '../../src/api.js'
import { initHome, openNode } from '../../src/node.js'
import { openSelf } from '../../src/store/open-self.js'
import type { Self } from '../../src/store/self.js'

const passphrase = async (): Promise<string> => ''

/** A person’s node on a home of its own, offline; closed when the test ends. */
export interface Home {
  readonly folder: string
  readonly words: string
  readonly node: NodeApi
  /** Runs `step` on what is under the facade, while the node is closed. */
  under<T>(step: (self: Self) => Promise<T>): Promise<T>
  /** Runs `step` while nobody holds the home. */
  released<T>(step: () => Promise<T>): Promise<T>
}

export async function home(t: Test, name: string): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-test-'))
  const { words } = await initHome({ home: folder, name })
  const held = { node: await openNode({ home: folder, passphrase }) }
  t.teardown(async () => {
    await held.node.close()
    await rm(folder, { recursive: true })
  })
  const released = async <T>(step: () => Promise<T>): Promise<T> => {
    await held.node.close()
    try {
      return await step()
    } finally {
      held.node = await openNode({ home: folder, passphrase })
    }
  }
  return {
    folder,
    words,
    get node() {
      return held.node
    },
    under: (step) => released(() => underneath(folder, step)),
    released
  }
}

async function underneath<T>(folder: string, step: (self: Self) => Promise<T>): Promise<T> {
  const { self } = await openSelf(folder, passphrase)
  try {
    const result = await step(self)
    await self.store.close()
    return result
  } finally {
    await self.logs.close()
  }
}
