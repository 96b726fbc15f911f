// The banks whose API Pix is known, as data: where it is, how a token is asked for, what is peculiar. A
// preset holds defaults; what a company configures goes before them.
import { pixApiTexts } from './texts.ts'

export const PIX_API_PRESETS = [
  'efi',
  'inter',
  'bb',
  'itau',
  'santander',
  'sicoob',
  'custom',
] as const
export type PixApiPreset = (typeof PIX_API_PRESETS)[number]

export type BankAddress = { baseUrl: string; tokenUrl: string }

/** How a bank differs from the others; everything here may be configured too. */
export type BankBehavior = {
  /** How the client tells who it is: `none` leaves that to its certificate. */
  tokenAuth: 'basic' | 'body' | 'none'
  /** Whether `grant_type` stands in the address of the token instead of the form. */
  grantInQuery: boolean
  /** Empty: the bank knows by itself what the application may do. */
  scope: string
  /** Values may hold `{clientId}`, and `{uuid}` for one that is new at each call. */
  extraHeaders: Record<string, string>
  extraQuery: Record<string, string>
  /** Where an answer may hold the BR Code, the first one found counts. */
  copyPasteFields: readonly string[]
  /** Whether the bank must be told not to ask our server for mutual TLS when it notifies. */
  skipMtlsHeader: boolean
}

/** A field of the configuration that a person fills in; `extraQuery.x` is the key x of extraQuery. */
export type PresetField = {
  name: string
  label: string
  required: boolean
  secret: boolean
  /** A file is uploaded; `base64` because it is no text. */
  file?: 'base64' | 'pem'
}

type Preset = {
  label: string
  /** Null: only what the company configures. */
  production: BankAddress | null
  /** Null: the bank has no place for tests that works as the real one does. */
  homologation: BankAddress | null
  behavior: Partial<BankBehavior>
  fields: readonly PresetField[]
  /** How the credentials are got. */
  credentials: string
}

const ALL_SCOPES = 'cob.write cob.read pix.write pix.read webhook.write webhook.read'

export const DEFAULT_BEHAVIOR: BankBehavior = {
  tokenAuth: 'basic',
  grantInQuery: false,
  scope: ALL_SCOPES,
  extraHeaders: {},
  extraQuery: {},
  copyPasteFields: ['pixCopiaECola', 'brcode', 'qrcode'],
  skipMtlsHeader: false,
}

const { fields: labels, credentials } = pixApiTexts
const CLIENT_ID_FIELD = buildPresetField('clientId', labels.clientId)
const CLIENT_SECRET_FIELD = {
  ...buildPresetField('clientSecret', labels.clientSecret),
  secret: true,
}
const PIX_KEY_FIELD = buildPresetField('pixKey', labels.pixKey)
const PASSPHRASE_FIELD = {
  ...buildPresetField('passphrase', labels.passphrase, false),
  secret: true,
}
const PFX_FIELD = { ...buildPresetField('pfx', labels.pfx), secret: true, file: 'base64' } as const
const CERTIFICATE_FIELDS = [
  { ...buildPresetField('cert', labels.cert), file: 'pem' },
  { ...buildPresetField('key', labels.key), secret: true, file: 'pem' },
] as const
const CA_FIELD = { ...buildPresetField('ca', labels.ca, false), file: 'pem' } as const

export const PRESETS: Readonly<Record<PixApiPreset, Preset>> = {
  efi: {
    label: 'Efí',
    ...buildBankAddresses('https://pix.api.efipay.com.br', 'https://pix-h.api.efipay.com.br', {
      base: '/v2',
      token: '/oauth/token',
    }),
    behavior: { scope: '', skipMtlsHeader: true },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.efi,
  },
  inter: {
    label: 'Inter',
    ...buildBankAddresses(
      'https://cdpj.partners.bancointer.com.br',
      'https://cdpj-sandbox.partners.uatinter.co',
      {
        base: '/pix/v2',
        token: '/oauth/v2/token',
      },
    ),
    behavior: { tokenAuth: 'body' },
    fields: [
      CLIENT_ID_FIELD,
      CLIENT_SECRET_FIELD,
      ...CERTIFICATE_FIELDS,
      PIX_KEY_FIELD,
      buildPresetField('extraHeaders.x-conta-corrente', labels.account, false),
    ],
    credentials: credentials.inter,
  },
  bb: {
    label: 'Banco do Brasil',
    production: {
      baseUrl: 'https://api-pix.bb.com.br/pix/v2',
      tokenUrl: 'https://oauth.bb.com.br/oauth/token',
    },
    homologation: {
      baseUrl: 'https://api-pix.hm.bb.com.br/pix/v2',
      tokenUrl: 'https://oauth.hm.bb.com.br/oauth/token',
    },
    behavior: {},
    fields: [
      CLIENT_ID_FIELD,
      CLIENT_SECRET_FIELD,
      { ...buildPresetField('extraQuery.gw-dev-app-key', labels.developerKey), secret: true },
      PFX_FIELD,
      PASSPHRASE_FIELD,
      PIX_KEY_FIELD,
    ],
    credentials: credentials.bb,
  },
  itau: {
    label: 'Itaú',
    production: {
      baseUrl: 'https://secure.api.itau/pix_recebimentos/v2',
      tokenUrl: 'https://sts.itau.com.br/as/token.oauth2',
    },
    homologation: null,
    behavior: {
      tokenAuth: 'body',
      scope: '',
      extraHeaders: { 'x-correlationID': '{uuid}' },
    },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, ...CERTIFICATE_FIELDS, PIX_KEY_FIELD],
    credentials: credentials.itau,
  },
  santander: {
    label: 'Santander',
    ...buildBankAddresses(
      'https://trust-pix.santander.com.br',
      'https://trust-pix-h.santander.com.br',
      {
        base: '/api/v1',
        token: '/oauth/token',
      },
    ),
    behavior: { tokenAuth: 'body', grantInQuery: true, scope: '' },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.santander,
  },
  sicoob: {
    label: 'Sicoob',
    production: {
      baseUrl: 'https://api.sicoob.com.br/pix/api/v2',
      tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    },
    homologation: null,
    behavior: { tokenAuth: 'none', extraHeaders: { client_id: '{clientId}' } },
    fields: [CLIENT_ID_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.sicoob,
  },
  custom: {
    label: 'Outro banco',
    production: null,
    homologation: null,
    behavior: {},
    fields: [
      buildPresetField('baseUrl', labels.baseUrl),
      buildPresetField('tokenUrl', labels.tokenUrl),
      CLIENT_ID_FIELD,
      CLIENT_SECRET_FIELD,
      { ...PFX_FIELD, required: false },
      PASSPHRASE_FIELD,
      ...CERTIFICATE_FIELDS.map((one) => ({ ...one, required: false })),
      CA_FIELD,
      PIX_KEY_FIELD,
    ],
    credentials: credentials.custom,
  },
}

function buildPresetField(name: string, label: string, required = true): PresetField {
  return { name, label, required, secret: false }
}

function buildBankAddresses(
  production: string,
  homologation: string,
  paths: { base: string; token: string },
) {
  const toAddress = (host: string) => ({
    baseUrl: `${host}${paths.base}`,
    tokenUrl: `${host}${paths.token}`,
  })
  return { production: toAddress(production), homologation: toAddress(homologation) }
}
