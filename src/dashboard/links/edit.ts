// `/painel/links/novo` and `/painel/links/:id/editar`: one form, with what the payer will see beside it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { sendPage } from '../../http/html.ts'
import { changePaymentLink } from '../../payment-links/changes.ts'
import { createPaymentLink, type LinkRow } from '../../payment-links/payment-link.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { linkPath } from '../layout/paths.ts'
import { customerOfForm, shownCustomer } from './customer.ts'
import { type ById, findOwnLink, recordOnLink } from './find.ts'
import {
  blankLink,
  formOfLink,
  type LinkForm,
  problemsAt,
  readLinkChanges,
  readNewLink,
  typedLink,
} from './form.ts'
import { previewOf } from './preview.ts'
import { linkPageTexts } from './texts.ts'

/** The form as it stands; `link` is what it changes. */
type State = { form: LinkForm; link: LinkRow | null; errors?: Problem[] }

export async function linkEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const showForm = formPage(app, needs)

  app.get('/links/novo', async (request, reply) => {
    const { company } = request.visitor
    const { cliente } = request.query as { cliente?: unknown }
    const customerId = typeof cliente === 'string' ? cliente : null
    if (customerId && !(await findCustomer(db, company.id, customerId))) throw notFound()
    return showForm(request, reply, { form: blankLink(company, customerId), link: null })
  })

  app.post('/links/novo', async (request, reply) => {
    const form = typedLink(request.body)
    if (wantsPreview(request)) return showForm(request, reply, { form, link: null })
    const saved = await orProblems(create(needs, request, form))
    return Array.isArray(saved)
      ? showForm(request, reply, { form, link: null, errors: saved })
      : reply.redirect(`${linkPath(saved.id)}?feito=link-criado`, 303)
  })

  app.get<ById>('/links/:id/editar', async (request, reply) => {
    const link = await findOwnLink(db, request)
    if (link.status === 'archived') return reply.redirect(linkPath(link.id), 303)
    return showForm(request, reply, { form: formOfLink(link), link })
  })

  app.post<ById>('/links/:id/editar', async (request, reply) => {
    const link = await findOwnLink(db, request)
    const form = typedLink(request.body)
    if (wantsPreview(request)) return showForm(request, reply, { form, link })
    const saved = await orProblems(change(needs, request, { form, link }))
    return Array.isArray(saved)
      ? showForm(request, reply, { form, link, errors: saved })
      : reply.redirect(`${linkPath(link.id)}?feito=link-alterado`, 303)
  })

  app.get('/links/previa', async (request, reply) => {
    const preview = previewOf(typedLink(request.query), request.visitor.company)
    return sendPage(app, reply, 'dashboard/links/preview', { preview })
  })
}

async function create(needs: DashboardNeeds, request: FastifyRequest, form: LinkForm) {
  const { company } = request.visitor
  const customer = await customerOfForm(needs.db, company.id, form)
  const { values, errors } = readNewLink(form, customer.id)
  if (!values || customer.problem)
    return problemsAt([...(errors ?? []), ...atCustomer(customer.problem)])
  const now = needs.now()
  const link = await createPaymentLink(needs.db, company, values, { id: newId(), now })
  await recordOnLink(needs, request, 'link_created', link)
  return link
}

async function change(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { form, link }: { form: LinkForm; link: LinkRow },
) {
  const { company } = request.visitor
  const customer = await customerOfForm(needs.db, company.id, form)
  const { values, errors } = readLinkChanges(link, form, customer.id)
  if (!values || customer.problem)
    return problemsAt([...(errors ?? []), ...atCustomer(customer.problem)])
  if (Object.keys(values).length === 0) return link
  const changed = await changePaymentLink(needs.db, company, link, values, needs.now())
  await recordOnLink(needs, request, 'link_changed', changed)
  return changed
}

/** What the domain finds wrong with a field is shown there, as what the form finds. */
async function orProblems(saving: Promise<LinkRow | Problem[]>) {
  return saving.catch((error: unknown) => {
    if (error instanceof AppError && error.errors) return problemsAt(error.errors)
    throw error
  })
}

function formPage(app: FastifyInstance, needs: DashboardNeeds) {
  const show = pagesOf(app, needs)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { form, link, errors = [] }: State,
  ) => {
    const { company } = request.visitor
    const { titles } = linkPageTexts
    return show(request, reply, 'links/form', {
      title: link ? titles.change : titles.create,
      section: 'links',
      errors,
      form,
      link: link && { title: link.title, href: linkPath(link.id) },
      action: link ? `${linkPath(link.id)}/editar` : linkPath('novo'),
      installments: INSTALLMENTS,
      customer: await shownCustomer(needs.db, company.id, form),
      pairs: [...form.metadata, ...BLANK_PAIRS].slice(0, MAX_PAIRS),
      advanced: isAdvanced(form, errors),
      preview: previewOf(form, company),
      scripts: ['preview.js'],
    })
  }
}

const MAX_PAIRS = 20
const BLANK_PAIRS = [1, 2].map(() => ({ key: '', value: '' }))
const INSTALLMENTS = Array.from({ length: MAX_INSTALLMENTS }, (_, one) => ({
  value: one + 1,
  text: linkTexts.upTo(one + 1),
}))
const ADVANCED = ['redirectUrl', 'externalReference', 'inactiveMessage', 'metadata']

function isAdvanced(form: LinkForm, errors: Problem[]) {
  const { redirectUrl, externalReference, inactiveMessage, metadata, paused } = form
  const used = [redirectUrl, externalReference, inactiveMessage, ...metadata].some(Boolean)
  return used || paused || errors.some(({ field }) => ADVANCED.includes(field))
}

function wantsPreview({ body }: FastifyRequest) {
  return (body as { preview?: unknown }).preview !== undefined
}

function atCustomer(problem: string | undefined): Problem[] {
  return problem ? [{ field: 'customer', message: problem }] : []
}
