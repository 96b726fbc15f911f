// `/painel/ajustes/marca`: the colour and the logos that payers see, and how they will see them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { buildBrandStyle, DEFAULT_COLOR } from '../../companies/brand-color.ts'
import { toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { optionalField, parsedField, readForm } from '../layout/forms/form.ts'
import { type DashboardNeeds, requireRight, UPLOAD } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { BRAND_PATH } from '../layout/paths.ts'
import { createBrandPreviewer, parseColor } from './brand-preview.ts'
import {
  applyUploadedLogos,
  findChosenLogos,
  type LogoFiles,
  readUploadedLogos,
  saveUploadedLogos,
} from './logo-uploads.ts'
import { buildSettingsVersion, saveSettings } from './save.ts'
import { settingsTexts } from './texts.ts'

const SETTINGS = requireRight('settings')
const SETTINGS_UPLOAD = requireRight('settings', UPLOAD)

const BrandForm = z.object({
  color: optionalField(parsedField(parseColor, settingsTexts.color)),
})

type BrandBody = LogoFiles & { color?: unknown; preview?: unknown }

export async function brandPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)
  const previewBrand = createBrandPreviewer(needs)

  app.get('/ajustes/marca', SETTINGS, (request, reply) =>
    showBrand(request, reply, { color: request.visitor.company.color?.toUpperCase() }),
  )

  app.post('/ajustes/marca', SETTINGS_UPLOAD, async (request, reply) => {
    const body: BrandBody = toRecord(request.body)
    if (request.isKept || body.preview !== undefined) return showBrand(request, reply, body)
    const form = readForm(BrandForm, body)
    if (form.kind === 'invalid') return showBrand(request, reply, body, form)
    const uploaded = await readUploadedLogos(body, request.visitor.company)
    if (uploaded.kind === 'invalid') return showBrand(request, reply, body, uploaded)
    const saved = await saveSettings(needs, request, form.values)
    if (saved.kind === 'conflict') return showBrand(request, reply, body, saved)
    await saveUploadedLogos(needs, request, uploaded.logos)
    return reply.redirect(`${BRAND_PATH}?feito=ajustes-salvos`, 303)
  })

  app.post('/ajustes/marca/previa', SETTINGS_UPLOAD, async (request, reply) =>
    sendPage(reply, 'dashboard/settings/brand-preview', {
      preview: await readBrandPreview(request, toRecord(request.body)),
    }),
  )

  app.get('/ajustes/marca/cores.css', SETTINGS, async (request, reply) => {
    const { cor, tema } = toRecord(request.query)
    const color = (typeof cor === 'string' && parseColor(cor)) || DEFAULT_COLOR
    return reply
      .type('text/css; charset=utf-8')
      .send(buildBrandStyle(color, tema === 'dark' ? 'dark' : 'light'))
  })

  async function showBrand(
    request: FastifyRequest,
    reply: FastifyReply,
    body: BrandBody,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: FieldConflict[] } = {},
  ) {
    const { logoUrl, logoDarkUrl } = request.visitor.company
    const { color } = body
    return show(request, reply, 'dashboard/settings/brand', {
      ...{ title: 'Marca · Ajustes', section: 'ajustes', errors },
      version: buildSettingsVersion(request, ['color'], conflicts),
      color: typeof color === 'string' ? color : '',
      preview: await readBrandPreview(request, body),
      ...{ logoUrl, logoDarkUrl, chosen: findChosenLogos(body) },
      scripts: ['color.js', 'preview.js'],
    })
  }

  /** With what is typed and chosen, or with what is saved as long as that is none. */
  async function readBrandPreview({ visitor: { company } }: FastifyRequest, body: BrandBody) {
    const typed = typeof body.color === 'string' ? body.color.trim() : ''
    const color = typed === '' ? null : (parseColor(typed) ?? company.color)
    const uploaded = await readUploadedLogos(body, company)
    const logos = uploaded.kind === 'read' ? uploaded.logos : {}
    return previewBrand(applyUploadedLogos(company, logos), color)
  }
}
