// The kinds of value that a variable of the environment may have: each says what it must be, and never what
// it was.
import { isIP } from 'node:net'
import { z } from 'zod'
import { findCertificateFault } from './certificate-files.ts'

export const booleanVariable = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')

const POSTGRES_EXAMPLE = 'postgres://user:password@host:5432/vintem'
export const postgresUrlVariable = faultlessString((text) => {
  const url = parseUrl(text, ['postgres:', 'postgresql:'])
  if (!url) return sayExample(POSTGRES_EXAMPLE)
  if (!isEncoded(url)) return ENCODING_ERROR
  return findCertificateFault(url)
}).transform(askForVerifiedTls)

const REDIS_EXAMPLE = 'redis://host:6379'
export const redisUrlVariable = faultlessString((text) => {
  const url = parseUrl(text, ['redis:', 'rediss:'])
  if (!url || !isHost(url.hostname)) return sayExample(REDIS_EXAMPLE)
  if (!isEncoded(url)) return ENCODING_ERROR
  return REDIS_PATH.test(url.pathname)
    ? undefined
    : 'must have the number of a database as its path, if any'
})

const SMTP_EXAMPLE = 'smtp://user:password@host:587'
export const smtpUrlVariable = faultlessString((text) => {
  const url = parseUrl(text, ['smtp:', 'smtps:'])
  if (!url || url.hostname === '') return sayExample(SMTP_EXAMPLE)
  return isEncoded(url) ? undefined : ENCODING_ERROR
})

const BASE_URL_EXAMPLE = 'https://vintem.example.com'
/** As programs write it: in lower case, its host as DNS knows it, no slash at the end. */
export const baseUrlVariable = faultlessString((text) => {
  const fault = findPublicUrlFault(text, BASE_URL_EXAMPLE)
  if (fault) return fault
  return getPath(text) === ''
    ? undefined
    : 'must have no path: the service has the whole host, its pages begin at /painel'
}).transform(normalizePublicUrl)

const CHECKOUT_URL_EXAMPLE = 'https://pay.example.com'
/** Likewise. */
export const checkoutUrlVariable = faultlessString((text) => {
  const fault = findPublicUrlFault(text, CHECKOUT_URL_EXAMPLE)
  if (fault) return fault
  const path = getPath(text)
  if (!CHECKOUT_PATH.test(path))
    return 'must have a path of letters, digits and . _ ~ - alone, such as https://example.com/pagar'
  const [, first = ''] = path.split('/')
  return TAKEN_PATHS.includes(first)
    ? `must not begin its path with /${first}, where the service has other pages`
    : undefined
}).transform(normalizePublicUrl)

/** What addresses of the service begin with that are not the checkout's. */
export const TAKEN_PATHS = [
  ...['.well-known', 'api', 'assets', 'configurar', 'docs', 'healthz', 'llms.txt'],
  ...['logos', 'metrics', 'painel', 'readyz', 'webhooks'],
]

/** An IPv6 address may stand in brackets, as in a URL. */
export const hostVariable = faultlessString((text) =>
  isHost(text) ? undefined : 'must be an address to listen on, such as 127.0.0.1 or ::',
).transform(removeBrackets)

export const secretKeyVariable = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64 (make one: openssl rand -base64 32)')

const PORT_ERROR = 'must be a number from 0 to 65535'
const MAX_PORT = 65_535
export const portVariable = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/, PORT_ERROR)
  .transform(Number)
  .refine((port) => port <= MAX_PORT, PORT_ERROR)

const PROXY_NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const TRUST_PROXY_ERROR =
  'must be false, the number of proxies in front, such as 1, or their addresses and networks, such as ' +
  'loopback, uniquelocal or 10.0.0.0/8'
export const trustProxyVariable = z
  .string()
  .refine(
    (text) => text !== 'true',
    'must not be true, which lets every sender choose an address: write the number of proxies in front, ' +
      'such as 1, or their networks, such as loopback, uniquelocal or 10.0.0.0/8',
  )
  .refine(
    (text) => text === 'true' || text === 'false' || isHopCount(text) || isNetworkList(text),
    TRUST_PROXY_ERROR,
  )

// A name, if any, and one address: nothing that would make a second header or recipient of it.
export const senderVariable = z
  .string()
  .regex(
    /^(?:[^<>",;:\p{Cc}]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u,
    'must be an address such as Vintém <nao-responda@example.com>',
  )

const MAX_RETENTION_DAYS = 36_500

/** Never fewer than what is promised of what is kept. */
export function retentionVariable(least: number) {
  const error = `must be a number of days from ${least} to ${MAX_RETENTION_DAYS}`
  return z
    .string()
    .regex(/^\d{1,5}$/, error)
    .transform(Number)
    .refine((days) => days >= least && days <= MAX_RETENTION_DAYS, error)
}

/** Spaces around it are nobody's intention. */
function faultlessString(findFault: (text: string) => string | undefined) {
  return z
    .string()
    .trim()
    .superRefine((text, { addIssue }) => {
      const message = findFault(text)
      if (message) addIssue({ code: 'custom', message })
    })
}

const ENCODING_ERROR =
  'must have the signs of its user and password percent-encoded, such as @ as %40, # as %23 and % as %25'
const REDIS_PATH = /^\/?\d*$/
const CHECKOUT_PATH = /^(\/[A-Za-z0-9._~-]+)*$/
// Or an IPv4 address; of a name the last dot may stand.
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i

function findPublicUrlFault(text: string, example: string) {
  const url = parseUrl(text, ['http:', 'https:'])
  if (!url || !isHost(url.hostname) || url.port === '0' || /[\s\\]/.test(text))
    return sayExample(example)
  if (url.username || url.password) return 'must hold no user and no password: everybody reads it'
  if (url.search || url.hash) return 'must end with its path: no ? and no # may follow'
  return undefined
}

function normalizePublicUrl(text: string) {
  const url = new URL(text)
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.origin + getPath(text)
}

function getPath(text: string) {
  return new URL(text).pathname.replace(/\/+$/, '')
}

function parseUrl(text: string, protocols: string[]) {
  const url = URL.parse(text)
  return url && protocols.includes(url.protocol) ? url : undefined
}

function sayExample(example: string) {
  return `must be an address such as ${example}`
}

function isHost(text: string) {
  return HOST_NAME.test(text) || isIP(removeBrackets(text)) > 0
}

/** A sign that ends the user or the password too early leaves an `@` further on. */
function isEncoded({ username, password, pathname, search, hash }: URL) {
  if (hash || `${pathname}${search}`.includes('@')) return false
  try {
    decodeURIComponent(`${username}${password}${pathname}`)
    return true
  } catch {
    return false
  }
}

/** These modes verify as this one does, but each start would warn, on many lines, that they once will not. */
function askForVerifiedTls(url: string) {
  return /[?&]uselibpqcompat=true/.test(url)
    ? url
    : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}

function removeBrackets(host: string) {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** A number of proxies, rather than whose addresses they have. */
export function isHopCount(text: string) {
  return /^\d{1,2}$/.test(text)
}

function isNetworkList(text: string) {
  return text.split(',').every((part) => isProxyNetwork(part.trim()))
}

/** Not all of the internet, which would be everybody's word. */
function isProxyNetwork(text: string) {
  if (PROXY_NETWORK_NAMES.includes(text)) return true
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128)
  )
}
