// What the form of an account at a provider asks, as data: the fields that its people must fill in, and
// all others that the account may have.

import {
  PIX_API_PRESETS,
  type PixApiPreset,
  PRESETS,
  type PresetField,
} from '../../providers/pix-api/presets.ts'
import { pixApiTexts } from '../../providers/pix-api/texts.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { providerPageTexts } from './texts.ts'

/** How a field is asked and read (provider-form.ts). */
export type Kind =
  | 'text'
  | 'secret'
  | 'passphrase'
  /** An upload whose bytes are kept in base64. */
  | 'pfx'
  /** An upload, or the same as pasted text. */
  | 'pem'
  | 'environment'
  | 'choice'
  | 'yesOrNo'
  | 'box'
  | 'pairs'
  | 'list'

export type AccountField = {
  /** As in the configuration; `extraQuery.x` is the key x of extraQuery. */
  name: string
  label: string
  kind: Kind
  optional?: boolean
  hint?: string
  options?: readonly { value: string; text: string }[]
}

export type AccountFields = { main: readonly AccountField[]; more: readonly AccountField[] }

const words = providerPageTexts
const bank = pixApiTexts.fields

export const BANKS = PIX_API_PRESETS.map((value) => ({ value, text: PRESETS[value].label }))

export function presetOf(given: unknown): PixApiPreset | undefined {
  return PIX_API_PRESETS.find((preset) => preset === given)
}

/** `preset` counts for pix-api alone. */
export function fieldsOf(provider: RealProvider, preset: PixApiPreset): AccountFields {
  if (provider === 'mercadopago') return MERCADO_PAGO
  const main = PRESETS[preset].fields.map(ofPreset)
  const named = new Set(main.map(({ name }) => name))
  return { main: [ENVIRONMENT, ...main], more: BANK_MORE.filter(({ name }) => !named.has(name)) }
}

function ofPreset({ name, label, required, secret, file }: PresetField): AccountField {
  const kind = file === undefined ? (secret ? 'secret' : 'text') : FILES[file]
  const known = BANK_MORE.find((field) => field.name === name)
  return { name, label, kind: known?.kind ?? kind, optional: !required, ...hintOf(kind) }
}

const FILES = { base64: 'pfx', pem: 'pem' } as const

function hintOf(kind: Kind) {
  if (kind === 'pfx') return { hint: words.pfxHint }
  return kind === 'pem' ? { hint: words.pemHint } : {}
}

const MERCADO_PAGO: AccountFields = {
  main: [
    { name: 'publicKey', label: words.publicKey, kind: 'text' },
    { name: 'accessToken', label: words.accessToken, kind: 'secret' },
    { name: 'webhookSecret', label: words.webhookSecret, kind: 'secret' },
    { name: 'test', label: words.testUser, kind: 'box', hint: words.testUserHint },
  ],
  more: [{ name: 'baseUrl', label: words.mercadoPagoUrl, kind: 'text', optional: true }],
}

const ENVIRONMENT: AccountField = {
  name: 'test',
  label: words.environment,
  kind: 'environment',
  hint: words.environmentHint,
  options: optionsOf(words.environments),
}

const OF_BANK = { value: '', text: words.ofBank }
const YES_OR_NO = [OF_BANK, { value: 'sim', text: words.yes }, { value: 'nao', text: words.no }]

/** Every field that an account at a bank may have; what its preset asks for stands above. */
const BANK_MORE: readonly AccountField[] = [
  { name: 'baseUrl', label: bank.baseUrl, kind: 'text', hint: words.ownAddress },
  { name: 'tokenUrl', label: bank.tokenUrl, kind: 'text', hint: words.ownAddress },
  { name: 'clientSecret', label: bank.clientSecret, kind: 'secret' },
  { name: 'pfx', label: bank.pfx, kind: 'pfx', hint: words.pfxHint },
  { name: 'cert', label: bank.cert, kind: 'pem', hint: words.pemHint },
  { name: 'key', label: bank.key, kind: 'pem', hint: words.pemHint },
  { name: 'passphrase', label: bank.passphrase, kind: 'passphrase' },
  { name: 'ca', label: bank.ca, kind: 'pem', hint: words.pemHint },
  {
    name: 'tokenAuth',
    label: words.tokenAuth,
    kind: 'choice',
    options: [OF_BANK, ...optionsOf(words.tokenAuths)],
  },
  { name: 'grantInQuery', label: words.grantInQuery, kind: 'yesOrNo', options: YES_OR_NO },
  { name: 'scope', label: words.scope, kind: 'text', hint: words.scopeHint },
  { name: 'extraQuery.gw-dev-app-key', label: bank.developerKey, kind: 'secret' },
  { name: 'extraHeaders', label: words.extraHeaders, kind: 'pairs', hint: words.pairsHint },
  { name: 'extraQuery', label: words.extraQuery, kind: 'pairs', hint: words.pairsHint },
  { name: 'merchantName', label: words.merchantName, kind: 'text', hint: words.merchantHint },
  { name: 'merchantCity', label: words.merchantCity, kind: 'text', hint: words.merchantHint },
  {
    name: 'copyPasteFields',
    label: words.copyPasteFields,
    kind: 'list',
    hint: words.copyPasteHint,
  },
  { name: 'skipMtlsHeader', label: words.skipMtls, kind: 'yesOrNo', options: YES_OR_NO },
].map((field) => ({ ...field, optional: true }) as AccountField)

function optionsOf(named: Record<string, string>) {
  return Object.entries(named).map(([value, text]) => ({ value, text }))
}
