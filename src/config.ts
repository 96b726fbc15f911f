// The only file that reads the environment. A wrong value stops the start with one readable sentence, which says what
// the value must be and never repeats it.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** Retention that operators don't choose: steps of a payment, e-mails, and charges of the simulated bank. */
const FIXED_RETENTION = { stepsDays: 730, mailsDays: 30, sandboxDays: 365 }
const MAX_RETENTION_DAYS = 36_500
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const ENCODED = 'with the signs of its user and password percent-encoded, such as @ as %40'
const PROXY_NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const HOP_COUNT = /^\d{1,2}$/
// An optional name and one address, without characters that could add a header or a recipient.
const SENDER =
  /^(?:[^<>",;:\p{Cc}]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u
// Also matches IPv4 addresses; the last dot of a name is allowed.
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i

/** The first parts of the service's own paths, which the checkout cannot use. */
export const TAKEN_PATHS = [
  ...['.well-known', 'api', 'assets', 'configurar', 'docs', 'healthz', 'llms-full.txt'],
  ...['llms.txt', 'logos', 'metrics', 'painel', 'readyz', 'webhooks'],
]

const secretKeyVariable = checkText(
  (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
  'must be 32 bytes in base64 (make one: openssl rand -base64 32)',
).transform((text) => Buffer.from(text, 'base64'))

export const Environment = z.object({
  PORT: checkNumber('a number', 0, 65_535).default(3000).describe('Port to listen on.'),
  HOST: checkText(isHost, 'must be an address to listen on, such as 127.0.0.1 or ::')
    .transform(removeBrackets)
    .default('127.0.0.1')
    .describe('Address to listen on: this machine alone; all of them with `::`, as in the image.'),
  DATABASE_URL: checkAddress(
    ['postgres:', 'postgresql:'],
    isEncoded,
    `must be an address such as postgres://user:password@host:5432/vintem, ${ENCODED}`,
  )
    .transform(verifyCertificate)
    .optional()
    .describe('Postgres 15 or newer. Absent: an embedded one, kept in `.data/`.'),
  BASE_URL: checkPublicUrl(
    (path) => path === '',
    'must be an address such as https://vintem.example.com, with no user, no path and no ? or #',
  )
    .optional()
    .describe('Public address of the service, without a path. Default: `http://localhost:PORT`.'),
  CHECKOUT_URL: checkPublicUrl(
    isCheckoutPath,
    'must be an address such as https://pay.example.com or https://example.com/pagar: no user, no ? or #, a path of letters, digits and . _ ~ - alone that begins with no other page of the service, such as /api',
  )
    .optional()
    .describe(
      'Public address of the checkout; its path is where it is mounted. Default: `BASE_URL/pagar`.',
    ),
  SECRET_KEY: secretKeyVariable
    .optional()
    .describe(
      '32 bytes in base64; encrypts secrets at rest. Required with `DATABASE_URL`; else made in `.data/`.',
    ),
  SECRET_KEY_PREVIOUS: secretKeyVariable
    .optional()
    .describe('A second key, while `SECRET_KEY` is being changed: it only decrypts.'),
  REDIS_URL: checkAddress(
    ['redis:', 'rediss:'],
    (url) => isEncoded(url) && isHost(url.hostname) && /^\/?\d*$/.test(url.pathname),
    `must be an address such as redis://host:6379, its path the number of a database if any, ${ENCODED}`,
  )
    .optional()
    .describe(
      'Redis or Valkey in which several processes count the rate limits. When it is absent or unreachable, each process counts alone.',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe('How much to log.'),
  TRUST_PROXY: checkText(
    isTrustProxy,
    'must be false, the number of proxies in front, such as 1, or their addresses and networks, such as loopback, uniquelocal or 10.0.0.0/8; true would let every sender choose an address',
  )
    .transform(parseTrustProxy)
    .default(false)
    .describe(
      'The proxies to trust for `X-Forwarded-For`: their number (`1`), or their addresses and ' +
        'networks (`10.0.0.0/8`, `loopback`, `linklocal`, `uniquelocal`), with commas between.',
    ),
  WEBHOOK_ALLOW_PRIVATE: z
    .stringbool({
      ...{ truthy: ['true', '1'], falsy: ['false', '0'], case: 'sensitive' },
      error: 'must be true or false',
    })
    .default(false)
    .describe(
      'Lets webhooks and calls to providers go to http and to private addresses. For development only.',
    ),
  SMTP_URL: checkAddress(
    ['smtp:', 'smtps:'],
    (url) => isEncoded(url) && url.hostname !== '',
    `must be an address such as smtp://user:password@host:587, ${ENCODED}`,
  )
    .optional()
    .describe('Mail server that e-mails are sent through. Absent: none is sent.'),
  MAIL_FROM: checkText(
    (text) => SENDER.test(text),
    'must be an address such as Vintém <nao-responda@example.com>',
  )
    .transform(parseSender)
    .optional()
    .describe(
      'The sender of e-mails. Default: `Vintém <nao-responda@HOST>`, of the host of `BASE_URL`.',
    ),
  RETENTION_EVENTS_DAYS: checkNumber('a number of days', 31, MAX_RETENTION_DAYS)
    .default(180)
    .describe('How long events are kept, with their deliveries and attempts; 31 days at least.'),
  RETENTION_AUDIT_DAYS: checkNumber('a number of days', 1_826, MAX_RETENTION_DAYS)
    .default(1_826)
    .describe('How long the audit log and reports of links are kept; five years at least.'),
  METRICS_TOKEN: checkText(
    (text) => /^[!-~]{16,}$/.test(text),
    'must be 16 visible characters or more (make one: openssl rand -hex 24)',
  )
    .optional()
    .describe('The token for `/metrics`. When absent, nothing is counted and nothing can be read.'),
})

/** The days for which rows are kept in the tables that grow with every payment. */
export type Retention = {
  eventsDays: number
  stepsDays: number
  mailsDays: number
  sandboxDays: number
  auditDays: number
}

export type Config = ReturnType<typeof readConfig>

/**
 * Throws an Error with a message for the operator. An empty variable counts as absent; spaces around a value are
 * removed.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const set = Object.entries(env).filter(([, value]) => value !== '')
  const given = Object.fromEntries(set.map(([name, value]) => [name, value?.trim()]))
  const result = Environment.safeParse(given)
  const wrong = [
    ...(result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...findMisfits(given),
  ]
  if (!result.success || wrong.length > 0) {
    throw new Error(`Wrong configuration: ${wrong.join('; ')}.`)
  }
  const values = result.data
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`
  const ourSender = { name: 'Vintém', address: `nao-responda@${new URL(baseUrl).hostname}` }
  return {
    port: values.PORT,
    host: values.HOST,
    /** When absent, the embedded Postgres is used. */
    databaseUrl: values.DATABASE_URL,
    /** An origin: lower case, no slash at the end. */
    baseUrl,
    /** The same, with the path of the checkout, if it has one. */
    checkoutUrl: values.CHECKOUT_URL ?? `${baseUrl}/pagar`,
    /** Whether a variable sets an address or PORT; otherwise commands use what the service stored. */
    isAddressGiven: [given.BASE_URL, given.CHECKOUT_URL, given.PORT].some(Boolean),
    /** Absent only with the embedded Postgres, which keeps its key beside its data. */
    secretKey: values.SECRET_KEY,
    /** Decrypts older secrets, and encrypts nothing. */
    previousSecretKey: values.SECRET_KEY_PREVIOUS,
    redisUrl: values.REDIS_URL,
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    allowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    /** When absent, no e-mail is sent. */
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? ourSender,
    /** When absent, nothing is counted. */
    metricsToken: values.METRICS_TOKEN,
    retention: {
      eventsDays: values.RETENTION_EVENTS_DAYS,
      ...FIXED_RETENTION,
      auditDays: values.RETENTION_AUDIT_DAYS,
    },
  }
}

/** Errors about two variables, reported together with the errors of single ones. */
function findMisfits(given: NodeJS.ProcessEnv) {
  if (!given.DATABASE_URL || given.SECRET_KEY) return []
  return ['SECRET_KEY is required with DATABASE_URL (make one: openssl rand -base64 32)']
}

function checkText(isFit: (text: string) => boolean, error: string) {
  // Later checks may parse the value.
  return z.string().refine(isFit, { error, abort: true })
}

function checkNumber(what: string, least: number, most: number) {
  const isFit = (text: string) =>
    /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most
  return checkText(isFit, `must be ${what} from ${least} to ${most}`).transform(Number)
}

function checkAddress(protocols: string[], isFit: (url: URL) => boolean, error: string) {
  return checkText((text) => {
    const url = URL.parse(text)
    return url !== null && protocols.includes(url.protocol) && isFit(url)
  }, error)
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

/** These modes verify like `verify-full`, but the driver would print a long warning at each start. */
function verifyCertificate(url: string) {
  if (/[?&]uselibpqcompat=true/.test(url)) return url
  return url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}

/** Normalizes to lower case, without a dot after the host and without a slash at the end. */
function checkPublicUrl(isPath: (path: string) => boolean, error: string) {
  const isFit = (url: URL) => {
    const { hostname, port, username, password, search, hash } = url
    const isPlain = isHost(hostname) && port !== '0' && !`${username}${password}${search}${hash}`
    return isPlain && isPath(getPath(url))
  }
  return checkAddress(['http:', 'https:'], isFit, error).transform((text) => {
    const url = new URL(text)
    url.hostname = url.hostname.replace(/\.$/, '')
    return url.origin + getPath(url)
  })
}

function getPath({ pathname }: URL) {
  return pathname.replace(/\/+$/, '')
}

function isCheckoutPath(path: string) {
  const [, first = ''] = path.split('/')
  return /^(\/[A-Za-z0-9._~-]+)*$/.test(path) && !TAKEN_PATHS.includes(first)
}

/** An IPv6 address may be in brackets, as in a URL. */
function isHost(text: string) {
  return HOST_NAME.test(text) || isIP(removeBrackets(text)) > 0
}

function removeBrackets(host: string) {
  return host.replace(/^\[(.*)\]$/, '$1')
}

function isTrustProxy(text: string) {
  return text === 'false' || HOP_COUNT.test(text) || text.split(',').every(isProxyNetwork)
}

/** Refuses a network of the whole internet, which would trust everybody. */
function isProxyNetwork(part: string) {
  const text = part.trim()
  if (PROXY_NETWORK_NAMES.includes(text) || isIP(text) > 0) return true
  return ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0
}

/** Fastify's option; a number of proxies becomes a function of the hop. */
type TrustProxy = false | string | ((address: string, hop: number) => boolean)

function parseTrustProxy(text: string): TrustProxy {
  if (text === 'false') return false
  return HOP_COUNT.test(text) ? (_address, hop) => hop < Number(text) : text
}

/** The sender of e-mails. */
export type Sender = { name: string; address: string }

function parseSender(text: string): Sender {
  const [, name = '', address = text] = /^(.*) <(.*)>$/.exec(text) ?? []
  return { name, address }
}
