// The types of value that an environment variable may have. An error says what the value must be, and never repeats it.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

export const booleanVariable = z.stringbool({
  truthy: ['true', '1'],
  falsy: ['false', '0'],
  case: 'sensitive',
  error: 'must be true or false',
})

const ENCODED = 'with the signs of its user and password percent-encoded, such as @ as %40'
export const postgresUrlVariable = addressVariable(
  ['postgres:', 'postgresql:'],
  `must be an address such as postgres://user:password@host:5432/vintem, ${ENCODED}`,
  isEncoded,
)
  // These modes verify like this one, but the driver would print a long warning at each start.
  .transform((url) =>
    /[?&]uselibpqcompat=true/.test(url)
      ? url
      : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full'),
  )

export const redisUrlVariable = addressVariable(
  ['redis:', 'rediss:'],
  `must be an address such as redis://host:6379, its path the number of a database if any, ${ENCODED}`,
  (url) => isEncoded(url) && isHost(url.hostname) && /^\/?\d*$/.test(url.pathname),
)

export const smtpUrlVariable = addressVariable(
  ['smtp:', 'smtps:'],
  `must be an address such as smtp://user:password@host:587, ${ENCODED}`,
  (url) => isEncoded(url) && url.hostname !== '',
)

export const baseUrlVariable = publicUrlVariable(
  'must be an address such as https://vintem.example.com, with no user, no path and no ? or #',
  (path) => path === '',
)

export const checkoutUrlVariable = publicUrlVariable(
  'must be an address such as https://pay.example.com or https://example.com/pagar: no user, no ? or #, a path of letters, digits and . _ ~ - alone that begins with no other page of the service, such as /api',
  (path) =>
    /^(\/[A-Za-z0-9._~-]+)*$/.test(path) &&
    !TAKEN_PATHS.some((taken) => path.split('/')[1] === taken),
)

/** The first parts of the service's own paths, which the checkout cannot use. */
export const TAKEN_PATHS = [
  ...['.well-known', 'api', 'assets', 'configurar', 'docs', 'healthz', 'llms-full.txt'],
  ...['llms.txt', 'logos', 'metrics', 'painel', 'readyz', 'webhooks'],
]

/** An IPv6 address may be in brackets, as in a URL. */
export const hostVariable = z
  .string()
  .trim()
  .refine(isHost, 'must be an address to listen on, such as 127.0.0.1 or ::')
  .transform(removeBrackets)

export const secretKeyVariable = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64 (make one: openssl rand -base64 32)')
  .transform((text) => Buffer.from(text, 'base64'))

export const portVariable = numberVariable('a number', 0, 65_535)

const PROXY_NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const HOP_COUNT = /^\d{1,2}$/
/** Fastify's option; a number of proxies becomes a function of the hop. */
type TrustProxy = false | string | ((address: string, hop: number) => boolean)
export const trustProxyVariable = z
  .string()
  .refine(
    (text) => text === 'false' || HOP_COUNT.test(text) || text.split(',').every(isProxyNetwork),
    'must be false, the number of proxies in front, such as 1, or their addresses and networks, such as loopback, uniquelocal or 10.0.0.0/8; true would let every sender choose an address',
  )
  .transform((text): TrustProxy => {
    if (text === 'false') return false
    return HOP_COUNT.test(text) ? (_address, hop) => hop < Number(text) : text
  })

/** The sender of e-mails. */
export type Sender = { name: string; address: string }

// An optional name and one address, without characters that could add a header or a recipient.
export const senderVariable = z
  .string()
  .regex(
    /^(?:[^<>",;:\p{Cc}]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u,
    'must be an address such as Vintém <nao-responda@example.com>',
  )
  .transform((text): Sender => {
    const [, name = '', address = text] = /^(.*) <(.*)>$/.exec(text) ?? []
    return { name, address }
  })

const MAX_RETENTION_DAYS = 36_500
/** The least is what the documentation promises. */
export function retentionVariable(least: number) {
  return numberVariable('a number of days', least, MAX_RETENTION_DAYS)
}

function numberVariable(what: string, least: number, most: number) {
  const error = `must be ${what} from ${least} to ${most}`
  return z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, error)
    .transform(Number)
    .refine((number) => number >= least && number <= most, error)
}

/** Spaces around the value are removed. */
function addressVariable(protocols: string[], sentence: string, isFit: (url: URL) => boolean) {
  // Later checks parse the value as a URL.
  const refusal = { error: sentence, abort: true }
  return z
    .string()
    .trim()
    .refine((text) => {
      const url = URL.parse(text)
      return url !== null && protocols.includes(url.protocol) && isFit(url)
    }, refusal)
}

/** An unencoded character that ends user or password too early leaves an `@` further on. */
function isEncoded({ username, password, pathname, search, hash }: URL) {
  if (hash || `${pathname}${search}`.includes('@')) return false
  try {
    decodeURIComponent(`${username}${password}${pathname}`)
    return true
  } catch {
    return false
  }
}

/** Normalizes to lower case, without a dot after the host and without a slash at the end. */
function publicUrlVariable(sentence: string, isPath: (path: string) => boolean) {
  return addressVariable(['http:', 'https:'], sentence, (url) => {
    const { hostname, port, username, password, search, hash } = url
    const isPlain = isHost(hostname) && port !== '0' && !`${username}${password}${search}${hash}`
    return isPlain && isPath(getPath(url))
  }).transform((text) => {
    const url = new URL(text)
    url.hostname = url.hostname.replace(/\.$/, '')
    return url.origin + getPath(url)
  })
}

function getPath({ pathname }: URL) {
  return pathname.replace(/\/+$/, '')
}

// Also matches IPv4 addresses; the last dot of a name is allowed.
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i

function isHost(text: string) {
  return HOST_NAME.test(text) || isIP(removeBrackets(text)) > 0
}

function removeBrackets(host: string) {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** Refuses a network of the whole internet, which would trust everybody. */
function isProxyNetwork(part: string) {
  const text = part.trim()
  if (PROXY_NETWORK_NAMES.includes(text) || isIP(text) > 0) return true
  return ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0
}
