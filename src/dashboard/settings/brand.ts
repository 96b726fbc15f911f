// `/painel/ajustes/marca`: the colour and the logo of the checkout, with a preview of both.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { LOGO_MAX_BYTES, removeLogo, saveLogo } from '../../companies/logo.ts'
import { toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { describeImageRefusal } from '../../http/uploads/image.ts'
import { optionalField, parsedField, readForm } from '../layout/form.ts'
import { type DashboardNeeds, getAuditActor, requireRight, UPLOAD } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { SETTINGS_PATH } from '../layout/paths.ts'
import { buildBrandPreview, parseColor } from './brand-preview.ts'
import { saveSettings } from './save.ts'
import { settingsTexts } from './texts.ts'

const SETTINGS = requireRight('settings')
const SETTINGS_UPLOAD = requireRight('settings', UPLOAD)

const BRAND_PATH = `${SETTINGS_PATH}/marca`

const BrandForm = z.object({
  color: optionalField(parsedField(parseColor, settingsTexts.color)),
})

/** `absent`: the form brought no file. */
type UploadResult = { kind: 'absent' | 'saved' } | { kind: 'invalid'; errors: FormError[] }

type BrandBody = { color?: unknown; logo?: unknown; preview?: unknown }

export async function brandPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get('/ajustes/marca', SETTINGS, (request, reply) =>
    showBrand(request, reply, { color: request.visitor.company.color?.toUpperCase() }),
  )

  app.post('/ajustes/marca', SETTINGS_UPLOAD, async (request, reply) => {
    const body: BrandBody = toRecord(request.body)
    if (body.preview !== undefined) return showBrand(request, reply, body)
    const form = readForm(BrandForm, body)
    if (form.kind === 'invalid') return showBrand(request, reply, body, form.errors)
    const uploaded = await saveUploadedLogo(request, body.logo)
    if (uploaded.kind === 'invalid') return showBrand(request, reply, body, uploaded.errors)
    await saveSettings(needs, request, form.values)
    return reply.redirect(`${BRAND_PATH}?feito=ajustes-salvos`, 303)
  })

  app.get('/ajustes/marca/previa', SETTINGS, async (request, reply) =>
    sendPage(app, reply, 'dashboard/settings/brand-preview', {
      preview: readBrandPreview(request, toRecord(request.query)),
    }),
  )

  app.get('/ajustes/logo/remover', SETTINGS, async (request, reply) => {
    if (!request.visitor.company.logoUrl) return reply.redirect(BRAND_PATH, 303)
    return show(request, reply, 'dashboard/layout/confirm', {
      ...settingsTexts.removeLogo,
      ...{ section: 'ajustes', action: `${SETTINGS_PATH}/logo/remover`, back: BRAND_PATH },
    })
  })

  app.post('/ajustes/logo/remover', SETTINGS, async (request, reply) => {
    const { company, user } = request.visitor
    const now = needs.now()
    if (company.logoUrl) {
      await removeLogo(db, user.companyId, now)
      await recordAudit(db, { ...getAuditActor(request), action: 'logo_removed', now })
    }
    return reply.redirect(`${BRAND_PATH}?feito=logo-removido`, 303)
  })

  async function showBrand(
    request: FastifyRequest,
    reply: FastifyReply,
    { color }: BrandBody,
    errors: FormError[] = [],
  ) {
    return show(request, reply, 'dashboard/settings/brand', {
      ...{ title: 'Ajustes', section: 'ajustes', errors },
      color: typeof color === 'string' ? color : '',
      preview: readBrandPreview(request, { color }),
      logoUrl: request.visitor.company.logoUrl,
      scripts: ['color.js', 'preview.js'],
    })
  }

  async function saveUploadedLogo(request: FastifyRequest, file: unknown): Promise<UploadResult> {
    if (!Buffer.isBuffer(file) || file.length === 0) return { kind: 'absent' }
    const { company, user } = request.visitor
    const now = needs.now()
    const logo = { companyId: user.companyId, bytes: file }
    const saved = await saveLogo(db, logo, { baseUrl: needs.baseUrl, now })
    if (saved.kind === 'refused') {
      const message = describeImageRefusal(saved.reason, LOGO_MAX_BYTES)
      return { kind: 'invalid', errors: [{ field: 'logo', message }] }
    }
    if (saved.logoUrl !== company.logoUrl) {
      await recordAudit(db, { ...getAuditActor(request), action: 'logo_changed', now })
    }
    return { kind: 'saved' }
  }
}

/** In the colour that is typed, or in the saved one as long as that is none. */
function readBrandPreview({ visitor: { company } }: FastifyRequest, { color }: BrandBody) {
  const typed = typeof color === 'string' ? color.trim() : ''
  return buildBrandPreview(company, typed === '' ? null : (parseColor(typed) ?? company.color))
}
