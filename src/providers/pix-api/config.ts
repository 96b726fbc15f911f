// The configuration of an account at a bank; `toBankSettings` adds the values of the bank's preset.

import { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { z } from 'zod'
import type { Institution } from '../../database/tables.ts'
import { buildFieldRule, toRecord } from '../../http/fields.ts'
import { textField } from '../../http/text.ts'
import {
  isCnpj,
  parsePhone,
  readTaxId,
  removeUnseen,
  restoreZeros,
  trimEmail,
} from '../../payer-rules.js'
import { omitUndefined } from '../../record.ts'
import { texts } from '../../texts.ts'
import type { BankAddress } from '../profile.ts'
import { type BankBehavior, DEFAULT_BEHAVIOR, PIX_API_PRESETS, PRESETS } from './presets.ts'
import { pixApiTexts } from './texts.ts'

const { config: sentences } = pixApiTexts
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const PIX_KEY_PATTERN =
  /^(\d{11}|[0-9A-Z]{12}\d{2}|\+55\d{10,11}|[^\s@]{1,60}@[^\s@]{1,60}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i
/** How people write a phone, and never a document. */
const PHONE_START = /^(?:\+|\(|\d{2}\s)/
const HEADER_NAME_PATTERN = /^[A-Za-z\d_-]{1,64}$/
const PRINTABLE_PATTERN = /^[\x20-\x7e]*$/
const CERTIFICATE_MARK = '-----BEGIN CERTIFICATE-----'
/** Also of an `RSA PRIVATE KEY` or an `ENCRYPTED PRIVATE KEY`. */
const KEY_MARK = 'PRIVATE KEY-----'
const MAX_FILE_LENGTH = 65_536

const address = z
  .string()
  .max(500)
  .refine(isSecureUrl, buildFieldRule('invalid_url', sentences.url))
  .overwrite((value) => value.replace(/\/+$/, ''))

const pem = z
  .string()
  .max(MAX_FILE_LENGTH)
  .refine((value) => value.includes('-----BEGIN '), buildFieldRule('invalid_pem', sentences.pem))

const extras = z
  .record(
    z.string().regex(HEADER_NAME_PATTERN, sentences.header),
    z.string().max(500).regex(PRINTABLE_PATTERN, sentences.header),
  )
  .refine((value) => Object.keys(value).length <= 10, texts.fields.tooMany(10))

const printableText = (max: number) =>
  z.string().min(1).max(max).regex(PRINTABLE_PATTERN, sentences.header)

const pixApiFields = z.strictObject({
  preset: z.enum(PIX_API_PRESETS),
  /** Homologation: payments are tests. */
  test: z.boolean().default(false),
  baseUrl: address.optional(),
  tokenUrl: address.optional(),
  clientId: printableText(300),
  clientSecret: printableText(1_000).optional(),
  tokenAuth: z.enum(['basic', 'body', 'none']).optional(),
  grantInQuery: z.boolean().optional(),
  scope: z.string().max(500).regex(PRINTABLE_PATTERN, sentences.header).optional(),
  extraHeaders: extras.optional(),
  extraQuery: extras.optional(),
  /** PKCS#12 in base64. */
  pfx: z.base64(sentences.base64).min(1).max(MAX_FILE_LENGTH).optional(),
  cert: pem.optional(),
  key: pem.optional(),
  passphrase: z.string().max(200).optional(),
  /** The bank's own authority, trusted in addition to the public ones. */
  ca: pem.optional(),
  pixKey: textField({ max: 77, clean: toRegisteredKey }).regex(PIX_KEY_PATTERN, sentences.pixKey),
  /** The name and city in our BR Codes; the company's by default. */
  merchantName: textField({ min: 1, max: 25 }).optional(),
  merchantCity: textField({ min: 1, max: 15 }).optional(),
  /** The institution that receives, as fiscal documents name it; the bank's own by default. */
  institutionCnpj: z
    .string()
    .max(40)
    .overwrite((value) => readTaxId(value) ?? restoreZeros(value) ?? value)
    .refine(isCnpj, buildFieldRule('invalid_cnpj', sentences.institutionCnpj))
    .optional(),
  institutionName: textField({ min: 1, max: 120 }).optional(),
  copyPasteFields: z
    .array(z.string().regex(/^\w{1,40}$/, sentences.copyPasteFields))
    .min(1)
    .max(5)
    .optional(),
  skipMtlsHeader: z.boolean().optional(),
})

type PixApiFields = z.output<typeof pixApiFields>
type MissingField = { at: keyof PixApiFields; message: string }

export const pixApiConfig = pixApiFields.superRefine(
  (config, context) => {
    for (const { at, message } of findMissingFields(config)) {
      context.addIssue({ code: 'custom', path: [at], message, params: { code: 'required' } })
    }
  },
  // Runs even when other fields are wrong, so that one answer has all errors.
  { when: ({ value }) => PIX_API_PRESETS.some((preset) => preset === toRecord(value).preset) },
)

export type PixApiConfig = PixApiFields

/** The fields of the certificate, which are replaced together. */
export const pixApiCertificate = ['pfx', 'cert', 'key', 'passphrase'] as const

/** All values that a call to the bank needs. */
export type BankSettings = PixApiFields & BankAddress & BankBehavior

export function toBankSettings(config: PixApiConfig): BankSettings {
  const { behavior } = PRESETS[config.preset]
  return {
    ...DEFAULT_BEHAVIOR,
    ...behavior,
    ...getBankAddress(config),
    ...omitUndefined(config),
    extraHeaders: { ...behavior.extraHeaders, ...config.extraHeaders },
    extraQuery: { ...behavior.extraQuery, ...config.extraQuery },
    // Complete, because the schema refuses a configuration without an address.
  } as BankSettings
}

/** Lists addresses of a configuration that may be invalid; undefined for missing ones. */
export function listBankAddresses({ test, ...config }: Record<string, unknown>): unknown[] {
  const preset = PIX_API_PRESETS.find((one) => one === config.preset) ?? 'custom'
  const { baseUrl, tokenUrl } = { ...getBankAddress({ preset, test: test === true }), ...config }
  return [baseUrl, tokenUrl]
}

function getBankAddress({ preset, test }: Pick<PixApiFields, 'preset' | 'test'>) {
  return test ? PRESETS[preset].homologation : PRESETS[preset].production
}

/** The institution that receives: what the company says, else the bank's own. */
export function findInstitution(config: PixApiConfig): Institution | undefined {
  const ofBank = PRESETS[config.preset].institution
  const { institutionCnpj: cnpj = ofBank?.cnpj, institutionName } = config
  if (!cnpj) return undefined
  return { cnpj, name: institutionName ?? (cnpj === ofBank?.cnpj ? ofBank.name : null) }
}

function findMissingFields(config: PixApiFields): MissingField[] {
  return [...findMissingAddress(config), ...findMissingCredentials(config)]
}

function findMissingAddress(config: PixApiFields): MissingField[] {
  if (getBankAddress(config)) return []
  const message = config.preset === 'custom' ? sentences.urlNeeded : sentences.noHomologation
  const parts = ['baseUrl', 'tokenUrl'] as const
  return parts.filter((at) => !config[at]).map((at) => ({ at, message }))
}

function findMissingCredentials(config: PixApiFields): MissingField[] {
  const { preset, clientSecret } = config
  const tokenAuth =
    config.tokenAuth ?? PRESETS[preset].behavior.tokenAuth ?? DEFAULT_BEHAVIOR.tokenAuth
  const certificate = findMissingCertificate(config)
  if (tokenAuth === 'none' || clientSecret) return certificate
  return [{ at: 'clientSecret', message: sentences.secretNeeded }, ...certificate]
}

function findMissingCertificate({ preset, pfx, cert, key }: PixApiFields): MissingField[] {
  if (pfx && (cert || key)) return [{ at: 'pfx', message: sentences.oneCertificate }]
  if (!key && cert && !cert.includes(KEY_MARK)) return [{ at: 'key', message: sentences.keyNeeded }]
  if (!cert && key && !key.includes(CERTIFICATE_MARK))
    return [{ at: 'cert', message: sentences.keyNeeded }]
  // Other banks may work without a certificate; these do not.
  const without = preset !== 'custom' && !pfx && !cert && !key
  return without ? [{ at: 'pfx', message: sentences.certificateNeeded }] : []
}

/**
 * Returns a Pix key as the Diretório registers it: a document without punctuation, a phone with +55, the rest in lower
 * case. Eleven digits may be a CPF or a phone: they are a phone if they are written as one, or are no CPF.
 */
function toRegisteredKey(typed: string) {
  const key = removeUnseen(typed).trim()
  if (key.includes('@')) return trimEmail(key).toLowerCase()
  const phone = parsePhone(key)
  const isPhone = phone !== undefined && !phone.startsWith('+')
  if (isPhone && (PHONE_START.test(key) || !readTaxId(key))) return `+55${phone}`
  return readTaxId(key) ?? key.toLowerCase()
}

/** Plain http would expose the credentials, except on this machine itself. */
function isSecureUrl(value: string) {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(value)
  if (username || password || search || hash) return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname))
}

/** The company's own certificate, and its validity. */
type Identity = Pick<PixApiConfig, 'pfx' | 'cert' | 'key' | 'passphrase'>
type CertificateTerm = { from: Date; until: Date }

/** The identity as `createSecureContext` takes it. One PEM file may have both certificate and key. */
export function toIdentityOptions({ pfx, cert, key, passphrase }: Identity) {
  return {
    ...(pfx !== undefined && { pfx: Buffer.from(pfx, 'base64') }),
    ...((cert ?? key) !== undefined && { cert: cert ?? key, key: key ?? cert }),
    ...(passphrase !== undefined && { passphrase }),
  }
}

/** Undefined without a certificate. */
export function readCertificateTerm(secureContext: SecureContext): CertificateTerm | undefined {
  const own = new TLSSocket(new Socket(), { secureContext }).getCertificate()
  if (!own || !('valid_to' in own) || !('valid_from' in own)) return undefined
  return { from: new Date(own.valid_from), until: new Date(own.valid_to) }
}

/** Reads the validity from a configuration. Throws when the certificate cannot be opened. */
export function readIdentityTerm(identity: Identity) {
  return readCertificateTerm(createSecureContext(toIdentityOptions(identity)))
}
