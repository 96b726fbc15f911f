// `/painel/ajustes`: the company's data; `/contato`: its contact addresses, which need a step-up; `/emails`: which
// e-mails are sent.
import type { FastifyInstance } from 'fastify'
import type { Company, CompanyChanges } from '../../companies/company.ts'
import { PAYER_EMAIL_MODES } from '../../database/enums.ts'
import { getKeys } from '../../record.ts'
import {
  type FormRequest,
  type FormResult,
  readForm,
  readTypedFields,
  registerForm,
  type TypedFields,
} from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { CONTACT_PATH, SETTINGS_PATH } from '../layout/paths.ts'
import {
  CompanyForm,
  ContactForm,
  MailForm,
  pickSettings,
  saveSettings,
  toCompanyForm,
  toContactForm,
  toMailForm,
} from './save.ts'
import { settingsTexts } from './texts.ts'

type SettingsForm = typeof CompanyForm | typeof ContactForm | typeof MailForm

export const PAYER_EMAIL_OPTIONS = PAYER_EMAIL_MODES.map((value) => ({
  value,
  text: settingsTexts.payerEmails[value],
}))

export async function settingsPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerForm(app, '/ajustes', {
    ...buildSettingsForm(needs, CompanyForm),
    toForm: toCompanyForm,
    view: (request, reply, shown) =>
      show(request, reply, 'dashboard/settings/company', {
        title: 'Empresa · Ajustes',
        ...shown,
      }),
    done: `${SETTINGS_PATH}?feito=ajustes-salvos`,
  })

  registerForm(app, '/ajustes/contato', {
    ...buildSettingsForm(needs, ContactForm),
    stepUp: true,
    toForm: toContactForm,
    view: (request, reply, shown) =>
      show(request, reply, 'dashboard/settings/contact', {
        title: 'Contato · Ajustes',
        ...shown,
      }),
    done: `${CONTACT_PATH}?feito=ajustes-salvos`,
  })

  registerForm(app, '/ajustes/emails', {
    ...buildSettingsForm(needs, MailForm),
    toForm: toMailForm,
    view: (request, reply, shown) =>
      show(request, reply, 'dashboard/settings/mail', {
        title: 'E-mails · Ajustes',
        ...shown,
        isConfigured: needs.mail !== null,
        payerEmails: PAYER_EMAIL_OPTIONS,
      }),
    done: `${SETTINGS_PATH}/emails?feito=emails-salvos`,
  })
}

/** Builds a form in which each field is a setting. */
function buildSettingsForm(needs: DashboardNeeds, schema: SettingsForm) {
  const names = getKeys(settingsTexts.names).filter((name) => Object.hasOwn(schema.shape, name))
  return {
    right: 'settings' as const,
    load: async ({ visitor }: FormRequest) => visitor.company,
    toValues: (company: Company) => pickSettings(company, names),
    readForm: ({ body }: FormRequest) => readTypedFields(body),
    parse: (form: TypedFields): FormResult<CompanyChanges> => readForm(schema, form),
    save: (request: FormRequest, _company: Company, changes: CompanyChanges) =>
      saveSettings(needs, request, changes),
  }
}
