// Decides whether an address that a person typed in (a webhook's, a bank's) may be called: only https on the public
// internet. A name may resolve to another address later, so it is checked again at each connection.
import { type LookupAddress, promises, lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { createNetworkMatcher } from './ip.ts'

type UrlRefusal = 'invalid_url' | 'too_long' | 'https_only' | 'credentials' | 'private_address'

type GuardedAgentOptions = {
  /** Also allows http and private addresses, for development. */
  allowPrivate: boolean
  lookup?: LookupFunction
}

const MAX_URL_LENGTH = 2_048
const MAX_HOST_LENGTH = 253
/**
 * A host as a URL writes it, in Punycode. Underscores are not allowed in host names, but they do resolve, and a dot may
 * end the name.
 */
const HOST = /^(?:(?!-)[a-z\d_-]{1,63}(?<!-)\.)*(?!-)[a-z\d_-]{1,63}(?<!-)\.?$/
const AGENT_CONNECT_TIMEOUT_MS = 5_000
const RESOLVE_TIMEOUT_MS = 3_000

/**
 * Returns why this URL may not be called, or null when it may. A name that does not resolve is allowed: it may not
 * exist yet, and the agent checks it at every connection.
 */
export async function checkPublicUrl(
  url: string,
  allowPrivate: boolean,
  lookup: LookupFunction = resolve,
): Promise<UrlRefusal | null> {
  if (!URL.canParse(url)) return 'invalid_url'
  const { protocol, hostname, port, username, password, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'invalid_url'
  if (!canListen({ hostname, port })) return 'invalid_url'
  if (href.length > MAX_URL_LENGTH) return 'too_long'
  if (username || password) return 'credentials'
  if (allowPrivate) return null
  if (protocol !== 'https:') return 'https_only'
  return (await isPrivateHost(hostname, lookup)) ? 'private_address' : null
}

/** Whether a server can be at this address. URLs may have port 0, and hosts that no name server accepts. */
export function canListen({ hostname, port }: Pick<URL, 'hostname' | 'port'>) {
  if (port === '0') return false
  return hostname.startsWith('[') || (hostname.length <= MAX_HOST_LENGTH && HOST.test(hostname))
}

export function createGuardedAgent(guard: GuardedAgentOptions) {
  const connect = createGuardedConnector(guard)({
    timeout: AGENT_CONNECT_TIMEOUT_MS,
    allowH2: false,
  })
  return new Agent({ allowH2: false, connect })
}

/**
 * Creates a connector that refuses forbidden addresses. A check in `lookup` alone is not enough, because literal
 * addresses are never looked up: it checks the literal, the resolved addresses and the peer.
 */
export function createGuardedConnector({ allowPrivate, lookup }: GuardedAgentOptions) {
  return (options: buildConnector.BuildOptions): buildConnector.connector => {
    if (allowPrivate) return buildConnector({ ...options, lookup: lookup ?? resolve })
    const connect = buildConnector({
      ...options,
      lookup: guardLookup(lookup ?? createResolverLookup()),
    })
    return (to, callback) => {
      const literal = removeBrackets(to.hostname)
      if (isSpecialAddress(literal)) return callback(new PrivateAddressError(literal), null)
      if (to.protocol !== 'https:') return callback(new NotSecureError(), null)
      connect(to, (...[error, socket]) => {
        if (error) return callback(error, null)
        const { remoteAddress = '' } = socket
        if (!isSpecialAddress(remoteAddress)) return callback(null, socket)
        socket.destroy()
        callback(new PrivateAddressError(remoteAddress), null)
      })
    }
  }
}

class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'ERR_PRIVATE_ADDRESS'

  constructor(address: string) {
    super(`${address} is not a public address`)
  }
}

class NotSecureError extends Error {
  override readonly name = 'NotSecureError'
  readonly code = 'ERR_TLS_REQUIRED'
}

/**
 * Creates a lookup that asks the name servers itself. `dns.lookup` occupies one of libuv's few threads until a name
 * server answers, so two receivers with slow name servers would delay all other calls.
 */
function createResolverLookup(): LookupFunction {
  const servers = new promises.Resolver({ timeout: 1_500, tries: 2 })
  return (hostname, _options, callback) => {
    resolveAddresses(servers, hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    )
  }
}

async function resolveAddresses(servers: promises.Resolver, hostname: string) {
  const [four, six] = await Promise.allSettled([
    servers.resolve4(hostname),
    servers.resolve6(hostname),
  ])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  return [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
}

/** Makes the lookup fail when one of the addresses is special; normal names have none. */
function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = toAddressList(found)
      const special = addresses.find(({ address }) => isSpecialAddress(address))
      if (special) return callback(new PrivateAddressError(special.address), [])
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}

/** Returns the list that a lookup with `all` gives; its type also allows one address. */
function toAddressList(found: string | LookupAddress[]) {
  return Array.isArray(found) ? found : []
}

async function isPrivateHost(hostname: string, lookup: LookupFunction) {
  const host = removeBrackets(hostname)
  if (isIP(host) || isSpecialAddress(host)) return isSpecialAddress(host)
  return (await lookUpAddresses(host, lookup)).some(isSpecialAddress)
}

function lookUpAddresses(hostname: string, lookup: LookupFunction): Promise<string[]> {
  return new Promise((answer) => {
    const timer = setTimeout(answer, RESOLVE_TIMEOUT_MS, [])
    lookup(hostname, { all: true }, (error, found) => {
      clearTimeout(timer)
      answer(error ? [] : toAddressList(found).map(({ address }) => address))
    })
  })
}

function isSpecialAddress(host: string) {
  if (LOCALHOST_PATTERN.test(host)) return true
  return isIP(host) !== 0 && isInSpecialRange(host)
}

function removeBrackets(hostname: string) {
  return hostname.replace(/^\[|\]$/g, '')
}

// Resolvers disagree about `localhost.` and `a.localhost`.
const LOCALHOST_PATTERN = /(^|\.)localhost\.?$/i

// The registries of special-purpose addresses (RFC 6890 and its updates), multicast, and the IPv6
// ranges that carry an IPv4 address inside. IPv4-mapped addresses are matched by the IPv4 ranges.
const isInSpecialRange = createNetworkMatcher([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  // The last network is Azure's own and answers only to machines inside it.
  ...[
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '168.63.129.16/32',
  ],
  ...[
    '::/96',
    '::ffff:0:0:0/96',
    '3fff::/20',
    '5f00::/16',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
  ],
  ...['2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
])

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3) as ms, without a limit; null when it has neither seconds nor a date.
 */
export function parseRetryAfterMs(header: string | null, now: Date) {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  // Date.parse alone accepts almost any text with a number.
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : date - now.getTime()
}
