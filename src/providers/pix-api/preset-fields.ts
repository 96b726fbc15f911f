// The fields that banks ask their customers to fill in.
import { pixApiTexts } from './texts.ts'

/** A field of the configuration that a person fills in; `extraQuery.x` is the key x of extraQuery. */
export type PresetField = {
  name: string
  label: string
  required: boolean
  secret: boolean
  /** A file is uploaded; `base64` because it is no text. */
  file?: 'base64' | 'pem'
}

const { fields: labels } = pixApiTexts
export const CLIENT_ID_FIELD = buildPresetField('clientId', labels.clientId)
export const CLIENT_SECRET_FIELD = {
  ...buildPresetField('clientSecret', labels.clientSecret),
  secret: true,
}
export const PIX_KEY_FIELD = buildPresetField('pixKey', labels.pixKey)
export const PASSPHRASE_FIELD = {
  ...buildPresetField('passphrase', labels.passphrase, false),
  secret: true,
}
export const PFX_FIELD = {
  ...buildPresetField('pfx', labels.pfx),
  secret: true,
  file: 'base64',
} as const
export const CERTIFICATE_FIELDS = [
  { ...buildPresetField('cert', labels.cert), file: 'pem' },
  { ...buildPresetField('key', labels.key), secret: true, file: 'pem' },
] as const
export const CA_FIELD = { ...buildPresetField('ca', labels.ca, false), file: 'pem' } as const

export function buildPresetField(name: string, label: string, required = true): PresetField {
  return { name, label, required, secret: false }
}
