// The fields that an account at a bank may have, and those that banks ask their customers to fill in.
import { type AccountField, listOptions } from '../profile.ts'
import { pixApiTexts } from './texts.ts'

const { fields: words } = pixApiTexts

export const CLIENT_ID_FIELD: AccountField = {
  name: 'clientId',
  label: words.clientId,
  kind: 'text',
}
export const CLIENT_SECRET_FIELD: AccountField = {
  name: 'clientSecret',
  label: words.clientSecret,
  kind: 'secret',
}
export const PIX_KEY_FIELD: AccountField = { name: 'pixKey', label: words.pixKey, kind: 'text' }
export const PASSPHRASE_FIELD: AccountField = {
  name: 'passphrase',
  label: words.passphrase,
  kind: 'passphrase',
  optional: true,
}
export const PFX_FIELD: AccountField = {
  name: 'pfx',
  label: words.pfx,
  kind: 'pfx',
  hint: words.pfxHint,
}
export const CERTIFICATE_FIELDS: AccountField[] = [
  { name: 'cert', label: words.cert, kind: 'pem', hint: words.pemHint },
  { name: 'key', label: words.key, kind: 'pem', hint: words.pemHint },
]
export const CA_FIELD: AccountField = {
  name: 'ca',
  label: words.ca,
  kind: 'pem',
  optional: true,
  hint: words.pemHint,
}
export const DEVELOPER_KEY_FIELD: AccountField = {
  name: 'extraQuery.gw-dev-app-key',
  label: words.developerKey,
  kind: 'secret',
}
export const BASE_URL_FIELD: AccountField = {
  name: 'baseUrl',
  label: words.baseUrl,
  kind: 'text',
}
export const TOKEN_URL_FIELD: AccountField = {
  name: 'tokenUrl',
  label: words.tokenUrl,
  kind: 'text',
}

const BANK_DEFAULT_OPTION = { value: '', text: words.ofBank, is: undefined }
const YES_OR_NO = [
  BANK_DEFAULT_OPTION,
  { value: 'sim', text: words.yes, is: true },
  { value: 'nao', text: words.no, is: false },
]

/** Every field that may be left blank when the bank's preset does not ask for it. */
export const BANK_FIELDS: AccountField[] = [
  { ...BASE_URL_FIELD, hint: words.ownAddress },
  { ...TOKEN_URL_FIELD, hint: words.ownAddress },
  CLIENT_SECRET_FIELD,
  PFX_FIELD,
  ...CERTIFICATE_FIELDS,
  PASSPHRASE_FIELD,
  CA_FIELD,
  {
    name: 'tokenAuth',
    label: words.tokenAuth,
    kind: 'choice' as const,
    options: [BANK_DEFAULT_OPTION, ...listOptions(words.tokenAuths)],
  },
  {
    name: 'grantInQuery',
    label: words.grantInQuery,
    kind: 'choice' as const,
    options: YES_OR_NO,
  },
  { name: 'scope', label: words.scope, kind: 'text' as const, hint: words.scopeHint },
  DEVELOPER_KEY_FIELD,
  {
    name: 'extraHeaders',
    label: words.extraHeaders,
    kind: 'pairs' as const,
    hint: words.pairsHint,
  },
  { name: 'extraQuery', label: words.extraQuery, kind: 'pairs' as const, hint: words.pairsHint },
  {
    name: 'merchantName',
    label: words.merchantName,
    kind: 'text' as const,
    hint: words.merchantHint,
  },
  {
    name: 'merchantCity',
    label: words.merchantCity,
    kind: 'text' as const,
    hint: words.merchantHint,
  },
  {
    name: 'institutionCnpj',
    label: words.institutionCnpj,
    kind: 'text' as const,
    hint: words.institutionHint,
  },
  {
    name: 'institutionName',
    label: words.institutionName,
    kind: 'text' as const,
  },
  {
    name: 'copyPasteFields',
    label: words.copyPasteFields,
    kind: 'list' as const,
    hint: words.copyPasteHint,
  },
  {
    name: 'skipMtlsHeader',
    label: words.skipMtls,
    kind: 'choice' as const,
    options: YES_OR_NO,
  },
].map((field) => ({ ...field, optional: true }))
