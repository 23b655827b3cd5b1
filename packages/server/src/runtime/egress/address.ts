/**
 * Which addresses the server may connect to when a user names the host: only addresses that the IANA registries assign
 * to the public internet. An address that cannot be parsed is refused.
 *
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), IPv4 multicast and reserved space (RFC
 * 1112), IPv6 global unicast 2000::/3 (RFC 4291).
 */

import { type AddressBytes, parseAddress } from './parse-address.js'

interface Range {
  readonly prefix: AddressBytes
  readonly bits: number
  readonly name: string
}

const V4_RANGES = ranges([
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'multicast tunnels'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  // Public according to the registry, but a cloud's metadata service.
  ['168.63.129.16/32', 'cloud metadata'],
])

/** Ranges within 2000::/3. Everything outside of it is refused and needs no entry here. */
const V6_RANGES = ranges([
  ['2001::/23', 'protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
])

const V6_NAMED = ranges([
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['100::/64', 'discard'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
])

const GLOBAL_UNICAST = ranges([['2000::/3', 'global unicast']])

/**
 * Returns null for a public address, otherwise its kind. A text that is not an address in its usual form is refused
 * too.
 */
export function notPublic(text: string): string | null {
  const bytes = parseAddress(text)
  if (bytes === null) return 'no address'
  if (bytes.length === 4) return nameIn(V4_RANGES, bytes)
  // guard: ipv6-is-closed-but-for-global-unicast
  if (nameIn(GLOBAL_UNICAST, bytes) === null) return nameIn(V6_NAMED, bytes) ?? 'not global unicast'
  return nameIn(V6_RANGES, bytes)
}

/** True for link-local addresses, where clouds have their metadata services. No receiver can be there. */
export function isLinkLocal(text: string): boolean {
  const bytes = parseAddress(text)
  if (bytes === null) return false
  const inner = bytes.length === 16 && nameIn(V6_NAMED, bytes) === 'IPv4-mapped' ? bytes.subarray(12) : bytes
  return nameIn(inner.length === 4 ? V4_RANGES : V6_NAMED, inner) === 'link-local'
}

function ranges(table: readonly (readonly [string, string])[]): readonly Range[] {
  return table.map(([cidr, name]) => {
    const [address = '', bits = ''] = cidr.split('/')
    const prefix = parseAddress(address)
    if (prefix === null) throw new Error(`not a range: ${cidr}`)
    return { prefix, bits: Number(bits), name }
  })
}

function nameIn(table: readonly Range[], bytes: AddressBytes): string | null {
  return table.find(({ prefix, bits }) => isIn(bytes, prefix, bits))?.name ?? null
}

function isIn(bytes: AddressBytes, prefix: AddressBytes, bits: number): boolean {
  if (bytes.length !== prefix.length) return false
  const whole = bits >> 3
  for (let at = 0; at < whole; at++) if (bytes[at] !== prefix[at]) return false
  const rest = bits & 7
  // guard: the-bits-of-the-last-byte-of-a-range
  if (rest === 0) return true
  const mask = (0xff << (8 - rest)) & 0xff
  return ((bytes[whole] ?? 0) & mask) === ((prefix[whole] ?? 0) & mask)
}
