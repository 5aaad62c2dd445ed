import { checkedName, MAX_NAME } from './base/name.js'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { importFolders } from './editing/import-folders.js'
import { setAdvertised } from './editing/manage.js'
import { attestorOf } from './keys/attestor.js'
import { signCard } from './keys/card.js'
import { deviceFrom, SEED_BYTES } from './keys/device.js'
import { attest, type Root } from './keys/identity.js'
import { joiningKeyOf } from './keys/joining.js'
import { toHex } from './keys/sodium.js'
import { foundEpoch } from './store/founding.js'
import { openLogs, systemClock, writeSecrets, type HomePaths } from './store/home.js'
import { seconds, type Self } from './store/self.js'

/** The built-in skills, beside the built code as beside the sources. */
const STARTER = fileURLToPath(new URL('../../bundles/starter', import.meta.url))
/** Those of them that the planner's menu offers by themselves. */
const ADVERTISED = ['check-schedule', 'search-info']

/** A home that was made. */
export interface MadeHome {
  readonly name: string
  readonly identity: string
  readonly device: string
  readonly deviceName: string
  readonly skills: number
}

/**
 * Makes this device the first of an identity's life: attested, with a store that holds
 * the built-in skills. The home is there whole or, when the process is killed before
 * the key file, not at all.
 *
 * @param paths of a home that was prepared
 * @param life higher than any that the identity had before
 * @throws SelkieError E_NAME
 */
export async function foundHome(options: {
  readonly paths: HomePaths
  readonly root: Root
  readonly life: number
  readonly name: string
  readonly deviceName?: string
  readonly passphrase?: string
}): Promise<MadeHome> {
  const { paths, root, life } = options
  const clock = systemClock
  const { identity } = root
  const name = checkedName(options.name)
  const deviceName = checkedName(options.deviceName ?? hostName())
  const seeds = { signing: clock.random(SEED_BYTES), sealing: clock.random(SEED_BYTES) }
  const device = deviceFrom(seeds)
  const attestor = attestorOf(root)
  const attestation = attest(attestor, device)
  const own = { name: deviceName, sealing: toHex(device.sealing.publicKey), attestation }
  const card = signCard({ identity, name, life, number: 1, devices: [own], removed: [] }, root)

  const logs = await openLogs(paths)
  try {
    const time = seconds(clock)
    const { store, epoch } = await foundEpoch({
      logs,
      clock,
      signer: root,
      attestation,
      card,
      life,
      state: [],
      time
    })
    const self: Self = { identity, device, attestation, attestor, store, logs, paths, clock }
    await importFolders(self, [STARTER])
    for (const slug of ADVERTISED) await setAdvertised(self, slug, true)
    const skills = store.namespace.live().length
    await store.close()
    const rejoining = joiningKeyOf(root).publicKey
    const secrets = { seeds, attestation, attestorSeed: attestor.seed, rejoining, epoch }
    await writeSecrets(paths, secrets, options.passphrase, clock)
    return { name, identity, device: device.signer.key, deviceName, skills }
  } finally {
    await logs.close()
  }
}

/** What a device is called unless its person says otherwise. */
export function hostName(): string {
  return hostname().slice(0, MAX_NAME) || 'this device'
}
