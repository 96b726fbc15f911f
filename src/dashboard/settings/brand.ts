// `/painel/ajustes/marca`: the colour and the logo that payers see.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { type EncodedLogo, encodeLogo, LOGO_MAX_BYTES, saveLogo } from '../../companies/logo.ts'
import { toRecord } from '../../http/fields.ts'
import { describeImageRefusal } from '../../http/uploads/image.ts'
import { optionalField, parsedField, readForm } from '../layout/forms/form.ts'
import { type DashboardNeeds, getAuditActor, requireRight, UPLOAD } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { BRAND_PATH } from '../layout/paths.ts'
import { measureContrasts, parseColor } from './contrasts.ts'
import { buildSettingsVersion, saveSettings } from './save.ts'
import { settingsTexts } from './texts.ts'

const SETTINGS = requireRight('settings')
const SETTINGS_UPLOAD = requireRight('settings', UPLOAD)

const BrandForm = z.object({
  color: optionalField(parsedField(parseColor, settingsTexts.color)),
})

type BrandBody = { color?: unknown; logo?: unknown }

export async function brandPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/ajustes/marca', SETTINGS, (request, reply) =>
    showBrand(request, reply, { color: request.visitor.company.color?.toUpperCase() }),
  )

  app.post('/ajustes/marca', SETTINGS_UPLOAD, async (request, reply) => {
    const body: BrandBody = toRecord(request.body)
    const form = readForm(BrandForm, body)
    if (form.kind === 'invalid') return showBrand(request, reply, body, form)
    // Read whole before anything is saved, so that one that is refused saves nothing.
    const logo = await readLogo(body, request.visitor.company.id)
    if (logo.kind === 'invalid') return showBrand(request, reply, body, logo)
    const saved = await saveSettings(needs, request, form.values)
    if (saved.kind === 'conflict') return showBrand(request, reply, body, saved)
    if (logo.kind === 'encoded') await saveUploadedLogo(request, logo)
    return reply.redirect(`${BRAND_PATH}?feito=ajustes-salvos`, 303)
  })

  async function saveUploadedLogo(request: FastifyRequest, logo: EncodedLogo) {
    const { db, baseUrl } = needs
    const now = needs.now()
    const { company, user } = request.visitor
    const url = await saveLogo(db, { companyId: user.companyId, logo }, { baseUrl, now })
    if (url === company.logoUrl) return
    await recordAudit(db, { ...getAuditActor(request), action: 'logo_changed', now })
  }

  function showBrand(
    request: FastifyRequest,
    reply: FastifyReply,
    body: BrandBody,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: FieldConflict[] } = {},
  ) {
    const { company } = request.visitor
    return show(request, reply, 'dashboard/settings/brand', {
      ...{ title: 'Marca · Ajustes', section: 'ajustes', errors },
      version: buildSettingsVersion(request, ['color'], conflicts),
      color: typeof body.color === 'string' ? body.color : '',
      contrasts: measureContrasts(company.color),
      ...{ logoUrl: company.logoUrl, wasChosen: isChosenFile(body.logo) },
      scripts: ['color.js'],
    })
  }
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

/** A field that nobody filled in brings an empty file. */
function isChosenFile(file: unknown): file is Buffer {
  return Buffer.isBuffer(file) && file.length > 0
}
