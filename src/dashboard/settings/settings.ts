// `/painel/ajustes`: who the company is, and under `/emails` which e-mails are sent.

import type { FastifyInstance } from 'fastify'
import { readForm, readTypedFields } from '../layout/form.ts'
import { type DashboardNeeds, OWNERS_ONLY } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { SETTINGS_PATH } from '../layout/paths.ts'
import { CompanyForm, MailForm, toCompanyForm, toMailForm } from './form.ts'
import { saveSettings } from './save.ts'

export async function settingsPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(app, needs)
  const company = { title: 'Ajustes', section: 'ajustes' } as const
  const mail = { ...company, isConfigured: needs.mail !== null }

  app.get('/ajustes', OWNERS_ONLY, (request, reply) =>
    show(request, reply, 'dashboard/settings/company', {
      ...company,
      form: toCompanyForm(request.visitor.company),
    }),
  )

  app.post('/ajustes', OWNERS_ONLY, async (request, reply) => {
    const read = readForm(CompanyForm, request.body)
    if (read.kind === 'invalid') {
      const { errors } = read
      const form = readTypedFields(request.body)
      return show(request, reply, 'dashboard/settings/company', { ...company, form, errors })
    }
    await saveSettings(needs, request, read.values)
    return reply.redirect(`${SETTINGS_PATH}?feito=ajustes-salvos`, 303)
  })

  app.get('/ajustes/emails', OWNERS_ONLY, (request, reply) =>
    show(request, reply, 'dashboard/settings/mail', {
      ...mail,
      form: toMailForm(request.visitor.company),
    }),
  )

  app.post('/ajustes/emails', OWNERS_ONLY, async (request, reply) => {
    const read = readForm(MailForm, request.body)
    if (read.kind === 'invalid') {
      const { errors } = read
      const form = readTypedFields(request.body)
      return show(request, reply, 'dashboard/settings/mail', { ...mail, form, errors })
    }
    await saveSettings(needs, request, read.values)
    return reply.redirect(`${SETTINGS_PATH}/emails?feito=emails-salvos`, 303)
  })
}
