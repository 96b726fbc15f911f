// `/painel/ajustes/marca`: the colour and the logo that payers see; the logo, which is removed after a
// question.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { buildShades, DEFAULT_COLOR } from '../../companies/brand-color.ts'
import type { Company } from '../../companies/company.ts'
import {
  type EncodedLogo,
  encodeLogo,
  LOGO_MAX_BYTES,
  removeLogo,
  saveLogo,
} from '../../companies/logo.ts'
import { toRecord } from '../../http/fields.ts'
import { describeImageRefusal } from '../../http/image.ts'
import {
  optionalField,
  parsedField,
  readForm,
  registerConfirmation,
  registerForm,
} from '../layout/form.ts'
import { type DashboardNeeds, recordAct } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { BRAND_PATH } from '../layout/paths.ts'
import { pickSettings, saveSettings } from './save.ts'
import { settingsTexts } from './texts.ts'

const BrandForm = z.object({
  color: optionalField(parsedField(parseColor, settingsTexts.color)),
})

type BrandBody = { color?: unknown; logo?: unknown }

export async function brandPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerForm(app, '/ajustes/marca', {
    right: 'settings',
    upload: LOGO_MAX_BYTES,
    load: async ({ visitor }) => visitor.company,
    toValues: (company) => pickSettings(company, ['color']),
    toForm: ({ color }): BrandBody => ({ color: color?.toUpperCase() }),
    readForm: ({ body }) => toRecord(body),
    async save(request, company, body) {
      const form = readForm(BrandForm, body)
      if (form.kind === 'invalid') return form
      // Read completely before saving, so that a refused logo saves nothing.
      const logo = await readLogo(body, company.id)
      if (logo.kind === 'invalid') return logo
      const saved = await saveSettings(needs, request, form.values)
      if (saved.kind !== 'conflict' && logo.kind === 'encoded')
        await saveUploadedLogo(needs, request, logo)
      return saved
    },
    view: (request, reply, { form, ...shown }, company) =>
      show(request, reply, 'dashboard/settings/brand', {
        ...toBrandPage(company, form),
        ...shown,
      }),
    done: `${BRAND_PATH}?feito=ajustes-salvos`,
  })

  registerConfirmation(app, '/ajustes/logo/remover', show, {
    right: 'settings',
    load: async ({ visitor: { company } }) => (company.logoUrl ? company : BRAND_PATH),
    ask: () => ({ ...settingsTexts.removeLogo, back: BRAND_PATH }),
    async confirm(request) {
      await removeLogo(needs.db, request.visitor.user.companyId, needs.now())
      await recordAct(needs, request, { action: 'logo_removed' })
      return `${BRAND_PATH}?feito=logo-removido`
    },
  })
}

export function toBrandPage({ color, logoUrl }: Company, form: BrandBody) {
  return {
    title: 'Marca · Ajustes',
    color: typeof form.color === 'string' ? form.color : '',
    /** The saved colour, or our own. */
    present: color ?? DEFAULT_COLOR,
    /** Links and details have another shade of it, where it is hard to read. */
    isShaded: color !== null && isShaded(color),
    logoUrl,
    /** A file was sent with a refused form; browsers cannot keep it in the form. */
    wasChosen: isChosenFile(form.logo),
    scripts: ['color.js'],
  }
}

async function saveUploadedLogo(needs: DashboardNeeds, request: FastifyRequest, logo: EncodedLogo) {
  const { db, baseUrl } = needs
  const { company, user } = request.visitor
  const url = await saveLogo(db, { companyId: user.companyId, logo }, { baseUrl, now: needs.now() })
  if (url !== company.logoUrl) await recordAct(needs, request, { action: 'logo_changed' })
}

type ReadLogoResult =
  | ({ kind: 'encoded' } & EncodedLogo)
  | { kind: 'none' }
  | { kind: 'invalid'; errors: FormError[] }

async function readLogo({ logo }: BrandBody, companyId: string): Promise<ReadLogoResult> {
  if (!isChosenFile(logo)) return { kind: 'none' }
  const encoded = await encodeLogo(logo, companyId)
  if (encoded.kind === 'encoded') return encoded
  const message = describeImageRefusal(encoded.reason, LOGO_MAX_BYTES)
  return { kind: 'invalid', errors: [{ field: 'logo', message }] }
}

/** Browsers send an empty file for an unused field. */
function isChosenFile(file: unknown): file is Buffer {
  return Buffer.isBuffer(file) && file.length > 0
}

const COLOR_INPUT = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i

/** Parses `#0F6B50`, `0f6b50` or `#0A7` to `#rrggbb`. */
function parseColor(typed: string) {
  const digits = typed.trim().match(COLOR_INPUT)?.[1]?.toLowerCase()
  if (!digits) return undefined
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

function isShaded(color: string) {
  const { light, dark } = buildShades(color)
  return light.accent !== color || dark.accent !== color
}
