// The only file that reads the environment. A wrong value stops the start with one readable sentence.
import { isIP } from 'node:net'
import { z } from 'zod'

const booleanVariable = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')

const urlVariable = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` })

const secretKeyVariable = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64 (make one: openssl rand -base64 32)')

const PORT_ERROR = 'must be a number from 0 to 65535'
const MAX_PORT = 65_535
const portVariable = z
  .string()
  .regex(/^\d{1,5}$/, PORT_ERROR)
  .transform(Number)
  .refine((port) => port <= MAX_PORT, PORT_ERROR)

const PROXY_NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const TRUST_PROXY_ERROR =
  'must be false, the number of proxies in front, such as 1, or their addresses and networks, such as ' +
  'loopback, uniquelocal or 10.0.0.0/8'
const trustProxyVariable = z
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
const senderVariable = z
  .string()
  .regex(
    /^(?:[^<>",;:\p{Cc}]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u,
    'must be an address such as Vintém <nao-responda@example.com>',
  )

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export const Environment = z.object({
  PORT: portVariable.default(3000).describe('Port to listen on.'),
  HOST: z.string().optional().describe('Address to listen on; all of them when absent.'),
  DATABASE_URL: urlVariable(/^postgres(ql)?$/, 'postgres://user:password@host:5432/vintem')
    .optional()
    .describe('Postgres 15 or newer. Absent: an embedded one, kept in `.data/`.'),
  DATABASE_DIRECT_URL: urlVariable(/^postgres(ql)?$/, 'postgres://user:password@host:5432/vintem')
    .optional()
    .describe(
      'Postgres itself, where `DATABASE_URL` names a pooler: changes are heard and migrations run there.',
    ),
  BASE_URL: urlVariable(/^https?$/, 'https://vintem.example.com')
    .optional()
    .describe('Public address of the service. Default: `http://localhost:PORT`.'),
  CHECKOUT_URL: urlVariable(/^https?$/, 'https://pay.example.com')
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
    .describe(
      'The key before `SECRET_KEY`, while secrets are sealed again: it opens, and seals nothing.',
    ),
  REDIS_URL: urlVariable(/^rediss?$/, 'redis://host:6379')
    .optional()
    .describe(
      'Redis or Valkey that several processes count the rate limits in; Postgres counts while it is gone. ' +
        'Absent: each counts alone.',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe('How much to log.'),
  TRUST_PROXY: trustProxyVariable
    .default('false')
    .describe(
      'Whose `X-Forwarded-For` is believed: the number of proxies in front (`1`), or their addresses and ' +
        'networks (`10.0.0.0/8`, `loopback`, `linklocal`, `uniquelocal`), with commas between.',
    ),
  WEBHOOK_ALLOW_PRIVATE: booleanVariable
    .default(false)
    .describe(
      'Lets webhooks and calls to providers go to http and to private addresses. For development only.',
    ),
  SMTP_URL: urlVariable(/^smtps?$/, 'smtp://user:password@host:587')
    .optional()
    .describe('Mail server that e-mails are sent through. Absent: none is sent.'),
  MAIL_FROM: senderVariable
    .optional()
    .describe(
      'Whom e-mails come from. Default: `Vintém <nao-responda@HOST>`, of the host of `BASE_URL`.',
    ),
})

export type Config = {
  port: number
  host: string | undefined
  /** Absent: the embedded Postgres. */
  databaseUrl: string | undefined
  /** Absent: `databaseUrl` names Postgres itself, or whoever stands between has to do. */
  databaseDirectUrl: string | undefined
  /** No trailing slash. */
  baseUrl: string
  /** No trailing slash. */
  checkoutUrl: string
  /** Absent only with the embedded Postgres, which keeps its own beside its data. */
  secretKey: Buffer | undefined
  /** Opens what it sealed, and seals nothing. */
  previousSecretKey: Buffer | undefined
  redisUrl: string | undefined
  logLevel: z.output<typeof Environment>['LOG_LEVEL']
  /** As Fastify takes it; a number of proxies becomes a judgement by hop. */
  trustProxy: false | string | ((address: string, hop: number) => boolean)
  webhookAllowPrivate: boolean
  /** Absent: no e-mail is sent. */
  smtpUrl: string | undefined
  mailFrom: Sender
}

/** Whom e-mails come from. */
export type Sender = { name: string; address: string }

/** Throws an Error whose message is the sentence to show. An empty variable counts as absent. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(given)
  if (!result.success) {
    const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    throw new Error(`Wrong configuration: ${wrong.join('; ')}.`)
  }
  const values = result.data
  if (values.DATABASE_URL && !values.SECRET_KEY) {
    throw new Error(
      'Wrong configuration: SECRET_KEY is required with DATABASE_URL (make one: openssl rand -base64 32).',
    )
  }
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL) {
    throw new Error('Wrong configuration: DATABASE_DIRECT_URL is of use only with DATABASE_URL.')
  }
  const baseUrl = removeTrailingSlash(values.BASE_URL ?? `http://localhost:${values.PORT}`)
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    baseUrl,
    checkoutUrl: removeTrailingSlash(values.CHECKOUT_URL ?? `${baseUrl}/pagar`),
    secretKey: decodeKey(values.SECRET_KEY),
    previousSecretKey: decodeKey(values.SECRET_KEY_PREVIOUS),
    redisUrl: values.REDIS_URL,
    logLevel: values.LOG_LEVEL,
    trustProxy: parseTrustProxy(values.TRUST_PROXY),
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    smtpUrl: values.SMTP_URL,
    mailFrom: parseSender(values.MAIL_FROM ?? `Vintém <nao-responda@${new URL(baseUrl).hostname}>`),
  }
}

function decodeKey(text: string | undefined) {
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}

function parseSender(text: string): Sender {
  const [, name = '', address = text] = /^(.*) <(.*)>$/.exec(text) ?? []
  return { name, address }
}

function parseTrustProxy(text: string): Config['trustProxy'] {
  if (text === 'false') return false
  if (!isHopCount(text)) return text
  const hops = Number(text)
  return (_address, hop) => hop < hops
}

function isHopCount(text: string) {
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

function removeTrailingSlash(address: string) {
  return address.replace(/\/+$/, '')
}
