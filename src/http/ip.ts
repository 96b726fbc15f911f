// Whom an address stands for when attempts are counted. A customer of a provider has one IPv4 address,
// but 2⁶⁴ of IPv6: there the first half is the customer.
import { isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const NETWORK_GROUPS = 4

/** `203.0.113.7` as it is, also out of `::ffff:203.0.113.7`; of IPv6 the /64. */
export function getNetwork(address: string) {
  const mapped = address.match(MAPPED_IPV4)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [left = '', right] = address.replace(/%.*/s, '').toLowerCase().split('::')
  const before = splitIpGroups(left)
  const after = splitIpGroups(right ?? '')
  const zeros = right === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

function splitIpGroups(text: string) {
  return text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
