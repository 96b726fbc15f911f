// Finds the network under which an address is counted, and whether an address is in a configured network. A customer of
// an internet provider has one IPv4 address, but 2⁶⁴ IPv6 addresses or more, so the first half of an IPv6 address
// identifies the customer.
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { requireFound } from '../database/found.ts'

const NETWORK_PATTERN = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i
export const NETWORK_SEPARATORS = /[\s,;]+/
const ADDRESS_BITS = { 4: 32, 6: 128 }

/** Providers give a customer a /64, a /56 or a /48 of IPv6; the larger ones may hold many customers. */
const IPV6_NETWORKS = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 2 },
  { bits: 48, factor: 4 },
]

/** Returns an IPv4 address as it is, also out of `::ffff:203.0.113.7`, and the /64 of an IPv6 address. */
export function getNetwork(address: string) {
  return requireFound(listNetworks(address)[0]).network
}

/** Lists the networks under which an address is counted, smallest first, each with the factor of its limit. */
export function listNetworks(address: string): { network: string; factor: number }[] {
  const parsed = parseAddress(address)
  if (!(parsed instanceof ipaddr.IPv6)) return [{ network: unmapAddress(address), factor: 1 }]
  return IPV6_NETWORKS.map(({ bits, factor }) => ({ network: formatNetwork(parsed, bits), factor }))
}

/**
 * Reads an address as proxies write it: with a port (Azure, IIS), in brackets, in quotes. Undefined when it is no
 * address.
 */
export function readForwardedAddress(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const written = [bare, bare.replace(/:\d{1,5}$/, '')].map((one) =>
    one.replace(/^\[(.*)\]$/, '$1'),
  )
  const address = written.find((one) => isIP(one) !== 0)
  return address && unmapAddress(address)
}

/** Returns the IPv4 address out of `::ffff:203.0.113.7`, and other addresses without their zone, such as `%eth0`. */
export function unmapAddress(address: string) {
  const own = address.replace(/%.*/s, '')
  const parsed = parseAddress(own)
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : own
}

/** Returns the network with its prefix; undefined when the text is no network. */
export function parseNetwork(text: string): string | undefined {
  const [, address = '', prefix] = NETWORK_PATTERN.exec(text.trim()) ?? []
  const version = isIP(address)
  if (version !== 4 && version !== 6) return undefined
  const bits = prefix === undefined ? ADDRESS_BITS[version] : Number(prefix)
  return bits <= ADDRESS_BITS[version] ? `${address.toLowerCase()}/${bits}` : undefined
}

/** Returns a check whether an address is in one of these networks, which parseNetwork returned. */
export function createNetworkMatcher(networks: readonly string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), getFamily(address))
  }
  return (ip: string) => {
    const address = unmapAddress(ip)
    return list.check(address, getFamily(address))
  }
}

/** Whether a text has only networks, with blanks, commas or semicolons between them. */
export function isNetworkList(text: string) {
  const parts = text.split(NETWORK_SEPARATORS).filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => parseNetwork(part) !== undefined)
}

function getFamily(address: string) {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** Accepts only addresses that Node accepts; the library also reads `1` and `0x7f.1`. */
function parseAddress(text: string) {
  return isIP(text) === 0 ? undefined : ipaddr.process(text)
}

/** Writes `2001:db8:0:0::/64`: four groups, the last one cut to the prefix. */
function formatNetwork(address: ipaddr.IPv6, bits: number) {
  const groups = address.parts.slice(0, 4).map((group, i) => {
    const kept = Math.min(Math.max(bits - i * 16, 0), 16)
    return (group & (0xffff << (16 - kept)) & 0xffff).toString(16)
  })
  return `${groups.join(':')}::/${bits}`
}
