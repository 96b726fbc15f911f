// What the form of an account at a provider asks, as data: the fields that its people must fill in, and
// all others that the account may have.

import type { PresetField } from '../../providers/pix-api/preset-fields.ts'
import { PIX_API_PRESETS, type PixApiPreset, PRESETS } from '../../providers/pix-api/presets.ts'
import { pixApiTexts } from '../../providers/pix-api/texts.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { providerPageTexts } from './texts.ts'

/** How a field is asked and read (provider-form.ts). */
export type FieldKind =
  | 'text'
  | 'secret'
  | 'passphrase'
  /** An upload whose bytes are kept in base64. */
  | 'pfx'
  /** An upload, or the same as pasted text. */
  | 'pem'
  | 'choice'
  | 'box'
  | 'pairs'
  | 'list'

export type AccountField = {
  /** As in the configuration; `extraQuery.x` is the key x of extraQuery. */
  name: string
  label: string
  kind: FieldKind
  optional?: boolean
  hint?: string
  options?: readonly FieldOption[]
}

/** `is`: what stands in the configuration. */
type FieldOption = { value: string; text: string; is: unknown }
type AccountFields = { main: readonly AccountField[]; more: readonly AccountField[] }

const words = providerPageTexts
const bankLabels = pixApiTexts.fields

export const BANK_OPTIONS = PIX_API_PRESETS.map((value) => ({ value, text: PRESETS[value].label }))

export function parsePreset(given: unknown): PixApiPreset | undefined {
  return PIX_API_PRESETS.find((preset) => preset === given)
}

/** `preset` counts for pix-api alone. */
export function listAccountFields(
  provider: RealProvider,
  preset: PixApiPreset = 'custom',
): AccountFields {
  if (provider === 'mercadopago') return MERCADO_PAGO_FIELDS
  if (provider === 'openpix') return OPENPIX_FIELDS
  const main = PRESETS[preset].fields.map(toAccountField)
  const named = new Set(main.map(({ name }) => name))
  return {
    main: [ENVIRONMENT_FIELD, ...main],
    more: EXTRA_BANK_FIELDS.filter(({ name }) => !named.has(name)).map((field) =>
      withKnownAddress(field, preset),
    ),
  }
}

/** What stands in the place of an address that is left blank. */
function withKnownAddress(field: AccountField, preset: PixApiPreset): AccountField {
  const { production } = PRESETS[preset]
  if (!production || (field.name !== 'baseUrl' && field.name !== 'tokenUrl')) return field
  return { ...field, hint: words.knownAddress(production[field.name]) }
}

function toAccountField({ name, label, required, secret, file }: PresetField): AccountField {
  const kind = file === undefined ? (secret ? 'secret' : 'text') : FILE_KINDS[file]
  const known = EXTRA_BANK_FIELDS.find((field) => field.name === name)
  const hint = FILE_HINTS[kind]
  return { name, label, kind: known?.kind ?? kind, optional: !required, ...(hint && { hint }) }
}

const FILE_KINDS = { base64: 'pfx', pem: 'pem' } as const
const FILE_HINTS: Partial<Record<FieldKind, string>> = { pfx: words.pfxHint, pem: words.pemHint }

const MERCADO_PAGO_FIELDS: AccountFields = {
  main: [
    { name: 'publicKey', label: words.publicKey, kind: 'text' },
    { name: 'accessToken', label: words.accessToken, kind: 'secret' },
    { name: 'webhookSecret', label: words.webhookSecret, kind: 'secret' },
    {
      name: 'liabilityShift',
      label: words.liabilityShift,
      kind: 'choice',
      hint: words.liabilityShiftHint,
      options: listOptions(words.liabilityShifts),
    },
    { name: 'test', label: words.testUser, kind: 'box', hint: words.testUserHint },
  ],
  more: [{ name: 'baseUrl', label: words.mercadoPagoUrl, kind: 'text', optional: true }],
}

const ENVIRONMENT_FIELD: AccountField = {
  name: 'test',
  label: words.environment,
  kind: 'choice',
  hint: words.environmentHint,
  options: [
    { value: 'producao', text: words.environments.producao, is: false },
    { value: 'homologacao', text: words.environments.homologacao, is: true },
  ],
}

const OPENPIX_FIELDS: AccountFields = {
  main: [ENVIRONMENT_FIELD, { name: 'appId', label: words.appId, kind: 'secret' }],
  more: [
    {
      name: 'baseUrl',
      label: words.openPixUrl,
      kind: 'text',
      optional: true,
      hint: words.openPixUrlHint,
    },
  ],
}

const BANK_DEFAULT_OPTION = { value: '', text: words.ofBank, is: undefined }
const YES_OR_NO = {
  kind: 'choice' as const,
  options: [
    BANK_DEFAULT_OPTION,
    { value: 'sim', text: words.yes, is: true },
    { value: 'nao', text: words.no, is: false },
  ],
}

/** Every field that an account at a bank may have; what its preset asks for stands above. */
const extraBankFields: AccountField[] = [
  { name: 'baseUrl', label: bankLabels.baseUrl, kind: 'text', hint: words.ownAddress },
  { name: 'tokenUrl', label: bankLabels.tokenUrl, kind: 'text', hint: words.ownAddress },
  { name: 'clientSecret', label: bankLabels.clientSecret, kind: 'secret' },
  { name: 'pfx', label: bankLabels.pfx, kind: 'pfx', hint: words.pfxHint },
  { name: 'cert', label: bankLabels.cert, kind: 'pem', hint: words.pemHint },
  { name: 'key', label: bankLabels.key, kind: 'pem', hint: words.pemHint },
  { name: 'passphrase', label: bankLabels.passphrase, kind: 'passphrase' },
  { name: 'ca', label: bankLabels.ca, kind: 'pem', hint: words.pemHint },
  {
    name: 'tokenAuth',
    label: words.tokenAuth,
    kind: 'choice',
    options: [BANK_DEFAULT_OPTION, ...listOptions(words.tokenAuths)],
  },
  { name: 'grantInQuery', label: words.grantInQuery, ...YES_OR_NO },
  { name: 'scope', label: words.scope, kind: 'text', hint: words.scopeHint },
  { name: 'extraQuery.gw-dev-app-key', label: bankLabels.developerKey, kind: 'secret' },
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
  { name: 'skipMtlsHeader', label: words.skipMtls, ...YES_OR_NO },
]
const EXTRA_BANK_FIELDS = extraBankFields.map((field) => ({ ...field, optional: true }))

function listOptions(named: Record<string, string>): FieldOption[] {
  return Object.entries(named).map(([value, text]) => ({ value, text, is: value }))
}
