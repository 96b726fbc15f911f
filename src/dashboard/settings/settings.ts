// `/painel/ajustes`: who the company is, and under `/emails` which e-mails are sent.

import type { FastifyInstance } from 'fastify'
import { readForm, readTypedFields } from '../layout/form.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { SETTINGS_PATH } from '../layout/paths.ts'
import { CompanyForm, MailForm, toCompanyForm, toMailForm } from './form.ts'
import { saveSettings } from './save.ts'

const SETTINGS = requireRight('settings')

export async function settingsPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(app, needs)
  const company = { title: 'Ajustes', section: 'ajustes' } as const
  const mail = { ...company, isConfigured: needs.mail !== null }

  app.get('/ajustes', SETTINGS, (request, reply) =>
    show(request, reply, 'dashboard/settings/company', {
      ...company,
      form: toCompanyForm(request.visitor.company),
    }),
  )

  app.post('/ajustes', SETTINGS, async (request, reply) => {
    const read = readForm(CompanyForm, request.body)
    if (read.kind === 'invalid') {
      const { errors } = read
      const form = readTypedFields(request.body)
      return show(request, reply, 'dashboard/settings/company', { ...company, form, errors })
    }
    await saveSettings(needs, request, read.values)
    return reply.redirect(`${SETTINGS_PATH}?feito=ajustes-salvos`, 303)
  })

  app.get('/ajustes/emails', SETTINGS, (request, reply) =>
    show(request, reply, 'dashboard/settings/mail', {
      ...mail,
      form: toMailForm(request.visitor.company),
    }),
  )

  app.post('/ajustes/emails', SETTINGS, async (request, reply) => {
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
