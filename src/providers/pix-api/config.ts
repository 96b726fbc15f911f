// What a company tells us of its bank, checked and bounded; `settingsOf` fills in what the preset knows.

import { z } from 'zod'
import { invalid } from '../../http/fields.ts'
import { text } from '../../http/text.ts'
import { texts } from '../../texts.ts'
import {
  type BankAddress,
  type BankManner,
  PIX_API_PRESETS,
  PRESETS,
  STANDARD_MANNER,
} from './presets.ts'
import { pixApiTexts } from './texts.ts'

const { config: sentences } = pixApiTexts
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const PIX_KEY =
  /^(\d{11}|[0-9A-Z]{12}\d{2}|\+55\d{10,11}|[^\s@]{1,60}@[^\s@]{1,60}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i
const HEADER_NAME = /^[A-Za-z\d_-]{1,64}$/
const VISIBLE = /^[\x20-\x7e]*$/
const MAX_FILE = 65_536

const address = z
  .string()
  .max(500)
  .refine(isAddress, invalid('invalid_url', sentences.url))
  .overwrite((value) => value.replace(/\/+$/, ''))

const pem = z
  .string()
  .max(MAX_FILE)
  .refine((value) => value.includes('-----BEGIN '), invalid('invalid_pem', sentences.pem))

const extras = z
  .record(
    z.string().regex(HEADER_NAME, sentences.header),
    z.string().max(500).regex(VISIBLE, sentences.header),
  )
  .refine((value) => Object.keys(value).length <= 10, texts.fields.tooMany(10))

const visible = (max: number) => z.string().min(1).max(max).regex(VISIBLE, sentences.header)

const fields = z.strictObject({
  preset: z.enum(PIX_API_PRESETS),
  /** Homologation: payments are tests. */
  test: z.boolean().default(false),
  baseUrl: address.optional(),
  tokenUrl: address.optional(),
  clientId: visible(300),
  clientSecret: visible(1_000).optional(),
  tokenAuth: z.enum(['basic', 'body', 'none']).optional(),
  grantInQuery: z.boolean().optional(),
  scope: z.string().max(500).regex(VISIBLE, sentences.header).optional(),
  extraHeaders: extras.optional(),
  extraQuery: extras.optional(),
  /** PKCS#12 in base64. */
  pfx: z.base64(sentences.base64).min(1).max(MAX_FILE).optional(),
  cert: pem.optional(),
  key: pem.optional(),
  passphrase: z.string().max(200).optional(),
  /** The bank's own authority, trusted besides the public ones. */
  ca: pem.optional(),
  pixKey: text({ max: 77 }).regex(PIX_KEY, sentences.pixKey),
  /** As they stand in a BR Code of ours; else the company's. */
  merchantName: text({ min: 1, max: 25 }).optional(),
  merchantCity: text({ min: 1, max: 15 }).optional(),
  copyPasteFields: z
    .array(z.string().regex(/^\w{1,40}$/))
    .min(1)
    .max(5)
    .optional(),
  skipMtlsHeader: z.boolean().optional(),
})

type Fields = z.output<typeof fields>
type Missing = { at: keyof Fields; message: string }

export const pixApiConfig = fields.superRefine((config, context) => {
  for (const { at, message } of missing(config)) {
    context.addIssue({ code: 'custom', path: [at], message, params: { code: 'required' } })
  }
})

export type PixApiConfig = Fields

/** What is never shown again once it was saved; `extraQuery.x` is the key x of extraQuery. */
export const pixApiSecrets = ['clientSecret', 'passphrase', 'extraQuery.gw-dev-app-key'] as const

/** What is uploaded, and not shown either. */
export const pixApiFiles = ['pfx', 'cert', 'key', 'ca'] as const

/** What makes up the certificate: given anew, it is given as a whole. */
export const pixApiCertificate = ['pfx', 'cert', 'key', 'passphrase'] as const

/** Everything that a call to the bank takes. */
export type BankSettings = Fields & BankAddress & BankManner

export function settingsOf(config: PixApiConfig): BankSettings {
  const { manner } = PRESETS[config.preset]
  const given = Object.fromEntries(
    Object.entries(config).filter(([, value]) => value !== undefined),
  ) as Fields
  return {
    ...STANDARD_MANNER,
    ...manner,
    ...addressOf(config)!,
    ...given,
    extraHeaders: { ...manner.extraHeaders, ...config.extraHeaders },
    extraQuery: { ...manner.extraQuery, ...config.extraQuery },
  } as BankSettings
}

function addressOf({ preset, test }: Fields) {
  return test ? PRESETS[preset].homologation : PRESETS[preset].production
}

function missing(config: Fields): Missing[] {
  return [...missingAddress(config), ...missingCredentials(config)]
}

function missingAddress(config: Fields): Missing[] {
  if (addressOf(config)) return []
  const message = config.preset === 'custom' ? sentences.urlNeeded : sentences.noHomologation
  const parts = ['baseUrl', 'tokenUrl'] as const
  return parts.filter((at) => !config[at]).map((at) => ({ at, message }))
}

function missingCredentials(config: Fields): Missing[] {
  const { preset, clientSecret } = config
  const tokenAuth =
    config.tokenAuth ?? PRESETS[preset].manner.tokenAuth ?? STANDARD_MANNER.tokenAuth
  const certificate = missingCertificate(config)
  if (tokenAuth === 'none' || clientSecret) return certificate
  return [{ at: 'clientSecret', message: sentences.secretNeeded }, ...certificate]
}

function missingCertificate({ preset, pfx, cert, key }: Fields): Missing[] {
  if (pfx && (cert || key)) return [{ at: 'pfx', message: sentences.oneCertificate }]
  if (cert && !key) return [{ at: 'key', message: sentences.keyNeeded }]
  if (key && !cert) return [{ at: 'cert', message: sentences.keyNeeded }]
  // Other banks may do without; of these we know that they do not.
  const without = preset !== 'custom' && !pfx && !cert
  return without ? [{ at: 'pfx', message: sentences.certificateNeeded }] : []
}

/** Plain http would show the credentials on the way; on this machine itself there is no way. */
function isAddress(value: string) {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(value)
  if (username || password || search || hash) return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}
