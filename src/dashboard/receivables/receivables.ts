// `/painel/recebimentos`: who moves the money of each method, and on which terms payers may pay, with a
// table of what those terms come to.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../http/html.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { readForm, type Typed, typedOf } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { saveSettings } from '../settings/save.ts'
import { waysOf } from './methods.ts'
import { changesOf, TermsForm, termsAsTyped } from './terms-form.ts'
import { EXAMPLE_AMOUNT, termsPreview } from './terms-preview.ts'
import { receivablesTexts } from './texts.ts'

const OWNERS = { config: { owners: true } }
const COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => at + 1)

const SELECTS = {
  upTo: COUNTS.map((n) => ({ value: n, text: linkTexts.upTo(n) })),
  freeUpTo: COUNTS.map((n) => ({
    value: n,
    text: receivablesTexts.freeUpTo(n, n === MAX_INSTALLMENTS),
  })),
}

export async function receivablePages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = pagesOf(app, needs)

  app.get('/recebimentos', OWNERS, (request, reply) => {
    const form = { ...termsAsTyped(request.visitor.company), example: EXAMPLE_AMOUNT }
    return showTerms(request, reply, form)
  })

  app.post('/recebimentos', OWNERS, async (request, reply) => {
    const form = typedOf(request.body)
    if (form.preview !== undefined) return showTerms(request, reply, form)
    const { values, errors } = readForm(TermsForm, request.body)
    if (errors) return showTerms(request, reply, form, errors)
    await saveSettings(needs, request, changesOf(values))
    return reply.redirect('/painel/recebimentos?feito=recebimentos-salvos', 303)
  })

  app.get('/recebimentos/previa', OWNERS, async (request, reply) =>
    sendPage(app, reply, 'dashboard/receivables/preview', {
      preview: termsPreview(request.query, request.visitor.company),
    }),
  )

  async function showTerms(
    request: FastifyRequest,
    reply: FastifyReply,
    form: Typed,
    errors: Problem[] = [],
  ) {
    const { company } = request.visitor
    return show(request, reply, 'receivables/terms', {
      ...{ title: 'Recebimentos', section: 'recebimentos', errors, form },
      ways: await waysOf(needs, company),
      selects: SELECTS,
      preview: termsPreview(form, company),
      scripts: ['preview.js'],
    })
  }
}
