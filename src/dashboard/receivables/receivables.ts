// `/painel/recebimentos`: who moves the money of each method, and on which terms payers may pay, with a
// table of what those terms come to.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../http/html.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { readForm, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { buildSettingsVersion, saveSettings } from '../settings/save.ts'
import { listMethodProviders } from './methods.ts'
import { TERMS_SETTINGS, TermsForm, toCompanyChanges, toTermsForm } from './terms-form.ts'
import { buildTermsPreview, EXAMPLE_AMOUNT } from './terms-preview.ts'
import { receivablesTexts } from './texts.ts'

const RECEIVABLES = requireRight('receivables')

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

  app.get('/recebimentos', RECEIVABLES, (request, reply) => {
    const form = { ...toTermsForm(request.visitor.company), example: EXAMPLE_AMOUNT }
    return showTerms(request, reply, form)
  })

  app.post('/recebimentos', RECEIVABLES, async (request, reply) => {
    const form = readTypedFields(request.body)
    if (form.preview !== undefined) return showTerms(request, reply, form)
    const terms = readForm(TermsForm, request.body)
    if (terms.kind === 'invalid') return showTerms(request, reply, form, terms)
    const saved = await saveSettings(needs, request, toCompanyChanges(terms.values))
    if (saved.kind === 'conflict') return showTerms(request, reply, form, saved)
    return reply.redirect(`${RECEIVABLES_PATH}?feito=recebimentos-salvos`, 303)
  })

  app.get('/recebimentos/previa', RECEIVABLES, async (request, reply) =>
    sendPage(reply, 'dashboard/receivables/terms-preview', {
      preview: buildTermsPreview(request.query, request.visitor.company),
    }),
  )

  async function showTerms(
    request: FastifyRequest,
    reply: FastifyReply,
    form: TypedFields,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: FieldConflict[] } = {},
  ) {
    const { company } = request.visitor
    return show(request, reply, 'dashboard/receivables/receivables', {
      ...{ title: 'Recebimentos', section: 'recebimentos', errors, form },
      version: buildSettingsVersion(request, TERMS_SETTINGS, conflicts),
      ways: await listMethodProviders(needs, company),
      selects: TERMS_OPTIONS,
      preview: buildTermsPreview(form, company),
      scripts: ['preview.js'],
    })
  }
}
