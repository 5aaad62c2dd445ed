import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { IdentityKey } from '../base/ids.js'
import { fromHex, hash } from './sodium.js'

/**
 * Twelve words that two people see alike when each holds the other's true identity
 * key: 128 bits of BLAKE2b over both keys in rising order, so that finding two keys
 * that fake them takes about 2^64 tries even for someone who may choose both.
 */
export function safetyWords(a: IdentityKey, b: IdentityKey): string {
  const [low, high] = [a, b].sort() as [IdentityKey, IdentityKey]
  return entropyToMnemonic(hash('selkie/safety/v1', fromHex(low), fromHex(high)).slice(0, 16), wordlist)
}
