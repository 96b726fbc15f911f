// Whom an address stands for when attempts are counted, and whether it is in a network that people have named.
// A customer of a provider has one IPv4 address, but 2⁶⁴ of IPv6: there the first half is the customer.
import { BlockList, isIP, isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const NETWORK_GROUPS = 4
const NETWORK_PATTERN = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i
export const NETWORK_SEPARATORS = /[\s,;]+/
const ADDRESS_BITS = { 4: 32, 6: 128 }

/** `203.0.113.7` as it is, also out of `::ffff:203.0.113.7`; of IPv6 the /64. */
export function getNetwork(address: string) {
  const own = unmapAddress(address)
  if (!isIPv6(own)) return own
  const [left = '', right] = own.toLowerCase().split('::')
  const before = splitIpGroups(left)
  const after = splitIpGroups(right ?? '')
  const zeros = right === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** The IPv4 address out of `::ffff:203.0.113.7`; of any other no zone, as `%eth0`. */
export function unmapAddress(address: string) {
  return address.match(MAPPED_IPV4)?.[1] ?? address.replace(/%.*/s, '')
}

/** With its prefix, or undefined for what is no network. */
export function parseNetwork(text: string): string | undefined {
  const [, address = '', prefix] = NETWORK_PATTERN.exec(text.trim()) ?? []
  const version = isIP(address)
  if (version !== 4 && version !== 6) return undefined
  const bits = prefix === undefined ? ADDRESS_BITS[version] : Number(prefix)
  return bits <= ADDRESS_BITS[version] ? `${address.toLowerCase()}/${bits}` : undefined
}

/** Whether an address is in one of these, which parseNetwork has made. */
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

/** Whether a text is networks and nothing else, with blanks, commas or semicolons between. */
export function isNetworkList(text: string) {
  const parts = text.split(NETWORK_SEPARATORS).filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => parseNetwork(part) !== undefined)
}

function getFamily(address: string) {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

function splitIpGroups(text: string) {
  return text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
