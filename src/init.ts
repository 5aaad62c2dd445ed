import { checkedName } from './base/name.js'
import { foundHome } from './found-home.js'
import { rootFrom, wordsFrom } from './keys/identity.js'
import { prepareHome, systemClock } from './store/home.js'

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
  const name = checkedName(options.name)
  const paths = await prepareHome(options.home)
  const words = wordsFrom(systemClock.random(32))
  const { passphrase } = options
  const made = await foundHome({
    paths,
    root: rootFrom(words),
    life: 1,
    name,
    ...(passphrase !== undefined && { passphrase })
  })
  return { name, identity: made.identity, device: made.device, words }
}
