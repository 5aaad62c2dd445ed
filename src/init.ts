import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { SelkieError } from './base/errors.js'
import { importFolders } from './editing/import-folders.js'
import { setAdvertised } from './editing/manage.js'
import { MAX_NAME, signCard } from './keys/card.js'
import { deviceFrom, SEED_BYTES, signWith } from './keys/device.js'
import { attest, rootFrom, wordsFrom } from './keys/identity.js'
import { toHex } from './keys/sodium.js'
import { EPOCH, epochBytes, openLogs, prepareHome, systemClock, writeSecrets } from './store/home.js'
import type { Self } from './store/self.js'
import { Store } from './store/store.js'

/** The built-in skills, beside the built code as beside the sources. */
const STARTER = fileURLToPath(new URL('../../bundles/starter', import.meta.url))
/** Those of them that the planner's menu offers by themselves. */
const ADVERTISED = ['check-schedule', 'search-info']

/**
 * Makes an identity and this device of it in a home: the root from 24 new words, the
 * device attested by it, a store with the built-in skills. The root isn't kept; the
 * words are given back once. A home is there whole or, when the process is killed
 * before the key file, not at all.
 *
 * @throws SelkieError E_HOME_EXISTS, E_HOME_FOREIGN, E_NAME
 */
export async function initHome(options: {
  home: string
  name: string
  passphrase?: string
}): Promise<{ name: string; identity: string; device: string; words: string }> {
  const clock = systemClock
  const name = personName(options.name)
  const paths = await prepareHome(options.home)
  const words = wordsFrom(clock.random(32))
  const root = rootFrom(words)
  const seeds = { signing: clock.random(SEED_BYTES), sealing: clock.random(SEED_BYTES) }
  const device = deviceFrom(seeds)
  const attestation = attest(root, device)
  const { identity } = root
  const own = { name: deviceName(), sealing: toHex(device.sealing.publicKey), attestation }
  const card = signCard({ identity, name, epoch: 1, number: 1, devices: [own] }, root)

  const logs = await openLogs(paths)
  try {
    const encryption = clock.random(32)
    const { store, base } = await Store.found(logs, encryption, 1)
    const self: Self = { identity, device, attestation, store, logs, paths, clock }
    await store.append({ type: 'found', name, card: card.bytes, attestation })
    await importFolders(self, [STARTER])
    for (const slug of ADVERTISED) await setAdvertised(self, slug, true)
    await store.close()
    const life = { number: 1, base: toHex(base), encryption: toHex(encryption) }
    const epoch = { ...life, signature: signWith(root, EPOCH, epochBytes(life)) }
    await writeSecrets(paths, { seeds, attestation, epoch }, options.passphrase, clock)
  } finally {
    await logs.close()
  }
  return { name, identity, device: device.signer.key, words }
}

function personName(typed: string): string {
  const name = typed.replace(/\s+/g, ' ').trim()
  if (!name || [...name].length > MAX_NAME) throw new SelkieError('E_NAME', { limit: MAX_NAME })
  return name
}

function deviceName(): string {
  return hostname().slice(0, MAX_NAME) || 'this device'
}
