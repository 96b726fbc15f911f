// The logos that the form brings: read whole before any is saved, so that one that is refused saves none.
import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import type { ColorScheme } from '../../companies/brand-color.ts'
import type { Company } from '../../companies/company.ts'
import {
  describeLogo,
  type EncodedLogo,
  encodeLogo,
  LOGO_MAX_BYTES,
  saveLogo,
} from '../../companies/logo.ts'
import { describeImageRefusal } from '../../http/uploads/image.ts'
import { buildRecord, getEntries, getKeys } from '../../record.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { settingsTexts } from './texts.ts'

/** The fields of the form. */
const LOGO_FIELDS = { light: 'logo', dark: 'logoDark' } as const

export type LogoFiles = { logo?: unknown; logoDark?: unknown }
type UploadedLogos = Partial<Record<ColorScheme, EncodedLogo>>
type ReadLogosResult =
  | { kind: 'read'; logos: UploadedLogos }
  | { kind: 'invalid'; errors: FormError[] }

/** @param company Whose logos they become. */
export async function readUploadedLogos(
  files: LogoFiles,
  company: Company,
): Promise<ReadLogosResult> {
  const logos: UploadedLogos = {}
  const errors: FormError[] = []
  for (const [scheme, field] of getEntries(LOGO_FIELDS)) {
    const file = files[field]
    if (!isChosenFile(file)) continue
    const encoded = await encodeLogo(file, company.id)
    if (encoded.kind === 'encoded') logos[scheme] = encoded
    else errors.push({ field, message: describeImageRefusal(encoded.reason, LOGO_MAX_BYTES) })
  }
  if (logos.dark && !logos.light && !company.logoUrl && errors.length === 0)
    errors.push({ field: LOGO_FIELDS.dark, message: settingsTexts.darkLogoAlone })
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'read', logos }
}

/** With those that are refused. */
export function findChosenLogos(files: LogoFiles) {
  return buildRecord(getKeys(LOGO_FIELDS), (scheme) => isChosenFile(files[LOGO_FIELDS[scheme]]))
}

export async function saveUploadedLogos(
  { db, baseUrl, now: clock }: Pick<DashboardNeeds, 'db' | 'baseUrl' | 'now'>,
  request: FastifyRequest,
  logos: UploadedLogos,
) {
  const { company, user } = request.visitor
  const before = { light: company.logoUrl, dark: company.logoDarkUrl }
  const now = clock()
  for (const [scheme, logo] of getEntries(logos)) {
    if (!logo) continue
    const saved = await saveLogo(db, { companyId: user.companyId, scheme, logo }, { baseUrl, now })
    if (saved.kind === 'saved' && saved.url !== before[scheme])
      await recordAudit(db, { ...getAuditActor(request), action: 'logo_changed', now })
  }
}

/** The company as it would be with them; they stand in the page itself. */
export function applyUploadedLogos(company: Company, logos: UploadedLogos): Company {
  const described = getEntries(logos).map(([scheme, logo]) => {
    if (!logo) return {}
    const url = `data:image/webp;base64,${logo.content.toString('base64')}`
    return describeLogo(scheme, url, logo)
  })
  return Object.assign({}, company, ...described)
}

/** A field that nobody filled in brings an empty file. */
function isChosenFile(file: unknown): file is Buffer {
  return Buffer.isBuffer(file) && file.length > 0
}
