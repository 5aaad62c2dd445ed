import { BlockList, isIP } from 'node:net'
import { SelkieError } from '../../base/errors.js'

/** Where a request goes without leaving the machine, or the network that it stands in. */
const near = new BlockList()
near.addAddress('0.0.0.0')
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16]
] as const)
  near.addSubnet(net, bits)
near.addAddress('::1', 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

/** Names that no public server has: without a dot, or below what is kept for local use. */
const NEAR_NAME = /^[^.]+$|\.(localhost|local|lan|internal|home\.arpa)$/

/**
 * The address of a model as it is kept: without a slash at its end. What is asked is the
 * person’s own, so it goes unencrypted only within their network, with a key or without.
 *
 * @throws SelkieError E_MODEL_CHOICE, which doesn’t repeat it: there may be a password in it;
 *   E_MODEL_PLAIN for http to elsewhere
 */
export function modelAddress(given: string): string {
  if (!URL.canParse(given)) throw refused('it has no address that can be read')
  const { protocol, username, password, search, hash, host, hostname, origin, pathname } = new URL(given)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refused('its address begins neither with http:// nor with https://')
  if (username || password) throw refused('its address holds a name or a password')
  if (search || hash) throw refused('its address goes on after the path')
  if (protocol === 'http:' && !isNear(hostname)) throw new SelkieError('E_MODEL_PLAIN', { host })
  return origin + pathname.replace(/\/+$/, '')
}

function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version === 0 ? NEAR_NAME.test(hostname) : near.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function refused(why: string): SelkieError {
  return new SelkieError('E_MODEL_CHOICE', { why })
}
