// The known banks with an API Pix, as data: addresses, how a token is requested, peculiarities. A preset has defaults;
// the fields that a company configures override them.
import type { Institution } from '../../database/tables.ts'
import type { Bank } from '../profile.ts'
import {
  BASE_URL_FIELD,
  CA_FIELD,
  CERTIFICATE_FIELDS,
  CLIENT_ID_FIELD,
  CLIENT_SECRET_FIELD,
  DEVELOPER_KEY_FIELD,
  PASSPHRASE_FIELD,
  PFX_FIELD,
  PIX_KEY_FIELD,
  TOKEN_URL_FIELD,
} from './preset-fields.ts'
import { pixApiTexts } from './texts.ts'

export const PIX_API_PRESETS = [
  'efi',
  'inter',
  'bb',
  'itau',
  'santander',
  'sicoob',
  'sicredi',
  'bradesco',
  'c6',
  'banrisul',
  'custom',
] as const
type PixApiPreset = (typeof PIX_API_PRESETS)[number]

/** How a bank differs from the others; all of this can also be configured. */
export type BankBehavior = {
  /** How the client authenticates for a token: `none` uses only its certificate. */
  tokenAuth: 'basic' | 'body' | 'none'
  /** Whether `grant_type` is in the address of the token request, not in the form. */
  grantInQuery: boolean
  /** Null: each call requests its own scope. Empty: the bank knows the permissions of the application. */
  scope: string | null
  /** Values may contain `{clientId}`, and `{uuid}` for a new one at each call. */
  extraHeaders: Record<string, string>
  extraQuery: Record<string, string>
  /** Fields of an answer that may have the BR Code; the first one found counts. */
  copyPasteFields: readonly string[]
  /** Whether the bank must be told not to ask our server for mutual TLS when it notifies. */
  skipMtlsHeader: boolean
}

type Preset = Bank & {
  behavior: Partial<BankBehavior>
  /** The institution that receives; another one where a cooperative has the account. */
  institution: Institution | null
}

export const DEFAULT_BEHAVIOR: BankBehavior = {
  tokenAuth: 'basic',
  grantInQuery: false,
  scope: null,
  extraHeaders: {},
  extraQuery: {},
  copyPasteFields: ['pixCopiaECola', 'brcode', 'qrcode'],
  skipMtlsHeader: false,
}

const { fields: labels, credentials } = pixApiTexts

export const PRESETS: Readonly<Record<PixApiPreset, Preset>> = {
  efi: {
    label: 'Efí',
    institution: { cnpj: '09089356000118', name: 'Efí S.A. - Instituição de Pagamento' },
    source: { from: 'SDK Efí', date: '2026-11-22' },
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
    institution: { cnpj: '00416968000101', name: 'Banco Inter S.A.' },
    source: readAtAcbr('Inter'),
    ...buildBankAddresses(
      'https://cdpj.partners.bancointer.com.br',
      'https://cdpj-sandbox.partners.uatinter.co',
      { base: '/pix/v2', token: '/oauth/v2/token' },
    ),
    behavior: { tokenAuth: 'body' },
    fields: [
      CLIENT_ID_FIELD,
      CLIENT_SECRET_FIELD,
      ...CERTIFICATE_FIELDS,
      PIX_KEY_FIELD,
      {
        name: 'extraHeaders.x-conta-corrente',
        label: labels.account,
        kind: 'text',
        optional: true,
      },
    ],
    credentials: credentials.inter,
  },
  bb: {
    label: 'Banco do Brasil',
    institution: { cnpj: '00000000000191', name: 'Banco do Brasil S.A.' },
    source: readAtAcbr('BancoDoBrasil'),
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
      DEVELOPER_KEY_FIELD,
      PFX_FIELD,
      PASSPHRASE_FIELD,
      PIX_KEY_FIELD,
    ],
    credentials: credentials.bb,
  },
  itau: {
    label: 'Itaú',
    institution: { cnpj: '60701190000104', name: 'Itaú Unibanco S.A.' },
    source: readAtAcbr('Itau'),
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
    institution: { cnpj: '90400888000142', name: 'Banco Santander (Brasil) S.A.' },
    source: readAtAcbr('Santander'),
    ...buildBankAddresses(
      'https://trust-pix.santander.com.br',
      'https://trust-pix-h.santander.com.br',
      { base: '/api/v1', token: '/oauth/token' },
    ),
    behavior: { tokenAuth: 'body', grantInQuery: true, scope: '' },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.santander,
  },
  sicoob: {
    label: 'Sicoob',
    institution: { cnpj: '02038232000164', name: 'Banco Cooperativo Sicoob S.A.' },
    source: readAtAcbr('Sicoob'),
    production: {
      baseUrl: 'https://api.sicoob.com.br/pix/api/v2',
      tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    },
    homologation: null,
    behavior: { tokenAuth: 'none', extraHeaders: { client_id: '{clientId}' } },
    fields: [CLIENT_ID_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.sicoob,
  },
  sicredi: {
    label: 'Sicredi',
    institution: { cnpj: '01181521000155', name: 'Banco Cooperativo Sicredi S.A.' },
    // pypix-api has /api/v3 for /cob.
    source: readAtAcbr('Sicredi', ', pypix-api'),
    ...buildBankAddresses('https://api-pix.sicredi.com.br', 'https://api-pix-h.sicredi.com.br', {
      base: '/api/v2',
      token: '/oauth/token',
    }),
    behavior: {},
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, ...CERTIFICATE_FIELDS, PIX_KEY_FIELD],
    credentials: credentials.sicredi,
  },
  bradesco: {
    label: 'Bradesco',
    institution: { cnpj: '60746948000112', name: 'Banco Bradesco S.A.' },
    // Its token is at /auth/server/oauth/token elsewhere.
    source: readAtAcbr('Bradesco'),
    ...buildBankAddresses('https://qrpix.bradesco.com.br', 'https://qrpix-h.bradesco.com.br', {
      base: '/v2',
      token: '/oauth/token',
    }),
    behavior: { scope: '' },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.bradesco,
  },
  c6: {
    label: 'C6 Bank',
    institution: { cnpj: '31872495000172', name: 'Banco C6 S.A.' },
    source: readAtAcbr('C6Bank'),
    ...buildBankAddresses('https://baas-api.c6bank.info', 'https://baas-api-sandbox.c6bank.info', {
      base: '/v2/pix',
      token: '/v1/auth',
    }),
    behavior: { tokenAuth: 'body', scope: '' },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, ...CERTIFICATE_FIELDS, PIX_KEY_FIELD],
    credentials: credentials.c6,
  },
  banrisul: {
    label: 'Banrisul',
    institution: { cnpj: '92702067000196', name: 'Banco do Estado do Rio Grande do Sul S.A.' },
    source: readAtAcbr('Banrisul'),
    ...buildBankAddresses(
      'https://mtls-api.banrisul.com.br',
      'https://mtls-api-h.banrisul.com.br',
      { base: '/pix/api-mtls', token: '/auth/oauth/v2/token' },
    ),
    behavior: { tokenAuth: 'body' },
    fields: [CLIENT_ID_FIELD, CLIENT_SECRET_FIELD, PFX_FIELD, PASSPHRASE_FIELD, PIX_KEY_FIELD],
    credentials: credentials.banrisul,
  },
  custom: {
    label: 'Outro banco',
    institution: null,
    source: null,
    production: null,
    homologation: null,
    behavior: {},
    fields: [
      BASE_URL_FIELD,
      TOKEN_URL_FIELD,
      CLIENT_ID_FIELD,
      CLIENT_SECRET_FIELD,
      { ...PFX_FIELD, optional: true },
      PASSPHRASE_FIELD,
      ...CERTIFICATE_FIELDS.map((one) => ({ ...one, optional: true })),
      CA_FIELD,
      PIX_KEY_FIELD,
    ],
    credentials: credentials.custom,
  },
}

function readAtAcbr(unit: string, also = '') {
  return { from: `ACBr (ACBrPIXPSP${unit}.pas)${also}`, date: '2026-11-22' }
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
