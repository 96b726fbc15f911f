// `/painel/ajustes`: who the company is; `/contato`: the addresses of its people, which take a step-up;
// `/emails`: which e-mails are sent.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAYER_EMAIL_MODES } from '../../database/enums.ts'
import { getKeys } from '../../record.ts'
import { readForm, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { type DashboardNeeds, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { CONTACT_PATH, SETTINGS_PATH } from '../layout/paths.ts'
import {
  CompanyForm,
  ContactForm,
  MailForm,
  toCompanyForm,
  toContactForm,
  toMailChanges,
  toMailForm,
} from './form.ts'
import { buildSettingsVersion, saveSettings } from './save.ts'
import { settingsTexts } from './texts.ts'

const COMPANY_FIELDS = getKeys(CompanyForm.shape)
const CONTACT_FIELDS = getKeys(ContactForm.shape)
const MAIL_FIELDS = getKeys(MailForm.shape)

const PAYER_EMAIL_OPTIONS = PAYER_EMAIL_MODES.map((value) => ({
  ...{ value, text: settingsTexts.payerEmails[value] },
}))

/** The form as it comes back. */
type FormState = { form: TypedFields; errors?: FormError[]; conflicts?: FieldConflict[] }

const SETTINGS = requireRight('settings')
const SETTINGS_STEP_UP = requireRight('settings', STEP_UP)

export async function settingsPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/ajustes', SETTINGS, (request, reply) =>
    showCompany(request, reply, { form: toCompanyForm(request.visitor.company) }),
  )

  app.post('/ajustes', SETTINGS, async (request, reply) => {
    const form = readTypedFields(request.body)
    const read = readForm(CompanyForm, request.body)
    if (read.kind === 'invalid') return showCompany(request, reply, { form, errors: read.errors })
    const saved = await saveSettings(needs, request, read.values)
    if (saved.kind === 'conflict') return showCompany(request, reply, { form, ...saved })
    return reply.redirect(`${SETTINGS_PATH}?feito=ajustes-salvos`, 303)
  })

  app.get('/ajustes/contato', SETTINGS_STEP_UP, (request, reply) =>
    showContact(request, reply, { form: toContactForm(request.visitor.company) }),
  )

  app.post('/ajustes/contato', SETTINGS_STEP_UP, async (request, reply) => {
    const form = readTypedFields(request.body)
    const read = readForm(ContactForm, request.body)
    if (read.kind === 'invalid') return showContact(request, reply, { form, errors: read.errors })
    const saved = await saveSettings(needs, request, read.values)
    if (saved.kind === 'conflict') return showContact(request, reply, { form, ...saved })
    return reply.redirect(`${CONTACT_PATH}?feito=ajustes-salvos`, 303)
  })

  app.get('/ajustes/emails', SETTINGS, (request, reply) =>
    showMail(request, reply, { form: toMailForm(request.visitor.company) }),
  )

  app.post('/ajustes/emails', SETTINGS, async (request, reply) => {
    const form = readTypedFields(request.body)
    const read = readForm(MailForm, request.body)
    if (read.kind === 'invalid') return showMail(request, reply, { form, errors: read.errors })
    const saved = await saveSettings(needs, request, toMailChanges(read.values))
    if (saved.kind === 'conflict') return showMail(request, reply, { form, ...saved })
    return reply.redirect(`${SETTINGS_PATH}/emails?feito=emails-salvos`, 303)
  })

  function showCompany(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, errors = [], conflicts }: FormState,
  ) {
    const version = buildSettingsVersion(request, COMPANY_FIELDS, conflicts)
    const page = { title: 'Empresa · Ajustes', section: 'ajustes', form, errors, version } as const
    return show(request, reply, 'dashboard/settings/company', page)
  }

  function showContact(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, errors = [], conflicts }: FormState,
  ) {
    const version = buildSettingsVersion(request, CONTACT_FIELDS, conflicts)
    const page = { title: 'Contato · Ajustes', section: 'ajustes', form, errors, version } as const
    return show(request, reply, 'dashboard/settings/contact', page)
  }

  function showMail(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, errors = [], conflicts }: FormState,
  ) {
    const version = buildSettingsVersion(request, MAIL_FIELDS, conflicts)
    const isConfigured = needs.mail !== null
    const head = { title: 'E-mails · Ajustes', section: 'ajustes' } as const
    const page = { ...head, form, errors, version, isConfigured, payerEmails: PAYER_EMAIL_OPTIONS }
    return show(request, reply, 'dashboard/settings/mail', page)
  }
}
