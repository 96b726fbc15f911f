// The only file that reads the environment. A wrong value stops the start with one readable sentence.
import { z } from 'zod'
import {
  baseUrlVariable,
  booleanVariable,
  checkoutUrlVariable,
  hostVariable,
  portVariable,
  postgresUrlVariable,
  redisUrlVariable,
  retentionVariable,
  secretKeyVariable,
  senderVariable,
  smtpUrlVariable,
  trustProxyVariable,
} from './config-variables.ts'

const metricsTokenVariable = z
  .string()
  .regex(/^[!-~]{16,}$/, 'must be 16 visible characters or more (make one: openssl rand -hex 24)')

/** Retention that operators don't choose: steps of a payment, e-mails, and charges of the simulated bank. */
const FIXED_RETENTION = { stepsDays: 730, mailsDays: 30, sandboxDays: 365 }

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export const Environment = z.object({
  PORT: portVariable.default(3000).describe('Port to listen on.'),
  HOST: hostVariable
    .default('127.0.0.1')
    .describe('Address to listen on: this machine alone; all of them with `::`, as in the image.'),
  DATABASE_URL: postgresUrlVariable
    .optional()
    .describe('Postgres 15 or newer. Absent: an embedded one, kept in `.data/`.'),
  BASE_URL: baseUrlVariable
    .optional()
    .describe('Public address of the service, without a path. Default: `http://localhost:PORT`.'),
  CHECKOUT_URL: checkoutUrlVariable
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
  REDIS_URL: redisUrlVariable
    .optional()
    .describe(
      'Redis or Valkey that several processes count the rate limits in. Absent, or while it is gone: each counts alone.',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe('How much to log.'),
  TRUST_PROXY: trustProxyVariable
    .default(false)
    .describe(
      'Whose `X-Forwarded-For` is believed: the number of proxies in front (`1`), or their addresses and ' +
        'networks (`10.0.0.0/8`, `loopback`, `linklocal`, `uniquelocal`), with commas between.',
    ),
  WEBHOOK_ALLOW_PRIVATE: booleanVariable
    .default(false)
    .describe(
      'Lets webhooks and calls to providers go to http and to private addresses. For development only.',
    ),
  SMTP_URL: smtpUrlVariable
    .optional()
    .describe('Mail server that e-mails are sent through. Absent: none is sent.'),
  MAIL_FROM: senderVariable
    .optional()
    .describe(
      'Whom e-mails come from. Default: `Vintém <nao-responda@HOST>`, of the host of `BASE_URL`.',
    ),
  RETENTION_EVENTS_DAYS: retentionVariable(31)
    .default(180)
    .describe('How long events are kept, with their deliveries and attempts; 31 days at least.'),
  RETENTION_AUDIT_DAYS: retentionVariable(1_826)
    .default(1_826)
    .describe('How long the audit log and reports of links are kept; five years at least.'),
  METRICS_TOKEN: metricsTokenVariable
    .optional()
    .describe('Whoever bears it may read `/metrics`. Absent: nothing is counted, and nobody may.'),
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

/** Throws an Error with a message for the operator. An empty variable counts as absent. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
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
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
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
