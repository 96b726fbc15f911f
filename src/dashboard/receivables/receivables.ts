// `/painel/recebimentos`: who moves the money of each method, and on which terms payers may pay, with a
// table of what those terms come to.

import type { FastifyInstance } from 'fastify'
import type { Company } from '../../companies/company.ts'
import { sendPage } from '../../http/html.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { readForm, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { registerForm } from '../layout/forms/register.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { pickSettings, saveSettings } from '../settings/save.ts'
import { listMethodProviders } from './methods.ts'
import { TERMS_SETTINGS, TermsForm, toCompanyChanges, toTermsForm } from './terms-form.ts'
import { buildTermsPreview, EXAMPLE_AMOUNT } from './terms-preview.ts'
import { receivablesTexts } from './texts.ts'

const INSTALLMENT_COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => at + 1)

const TERMS_OPTIONS = {
  upTo: INSTALLMENT_COUNTS.map((n) => ({ value: n, text: linkTexts.upTo(n) })),
  freeUpTo: INSTALLMENT_COUNTS.map((n) => ({
    value: n,
    text: receivablesTexts.freeUpTo(n, n === MAX_INSTALLMENTS),
  })),
}

export async function receivablesPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  registerForm(app, '/recebimentos', {
    right: 'receivables',
    load: async ({ visitor }) => visitor.company,
    toValues: (company) => pickSettings(company, TERMS_SETTINGS),
    toForm: (company): TypedFields => ({ ...toTermsForm(company), example: EXAMPLE_AMOUNT }),
    readForm: ({ body }) => readTypedFields(body),
    async save(request, _company, form) {
      if (form.preview !== undefined) return { kind: 'invalid', errors: [] }
      const terms = readForm(TermsForm, form)
      if (terms.kind === 'invalid') return terms
      return saveSettings(needs, request, toCompanyChanges(terms.values))
    },
    view: async (request, reply, shown, company) => {
      const page = await loadTerms(needs, company, shown.form)
      return show(request, reply, 'dashboard/receivables/receivables', { ...page, ...shown })
    },
    done: `${RECEIVABLES_PATH}?feito=recebimentos-salvos`,
  })

  app.get('/recebimentos/previa', requireRight('receivables'), async (request, reply) =>
    sendPage(reply, 'dashboard/receivables/terms-preview', {
      preview: buildTermsPreview(request.query, request.visitor.company),
    }),
  )
}

export async function loadTerms(needs: DashboardNeeds, company: Company, form: TypedFields) {
  return {
    title: 'Recebimentos',
    section: 'recebimentos' as const,
    form,
    ways: await listMethodProviders(needs, company),
    selects: TERMS_OPTIONS,
    preview: buildTermsPreview(form, company),
    scripts: ['preview.js'],
  }
}
