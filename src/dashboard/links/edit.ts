// `/painel/links/novo` and `/painel/links/:id/editar`: one form, with what the payer will see beside it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Company, listOfferedMethods } from '../../companies/company.ts'
import { findCustomer } from '../../customers/customer.ts'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { findExpiryErrors } from '../../payment-links/field-errors.ts'
import { createPaymentLink, type LinkRow } from '../../payment-links/payment-link.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { catchRefusal } from '../layout/forms/form.ts'
import { DAY_END, parseLocalTime } from '../layout/forms/local-time.ts'
import { type FormRequest, registerForm, type ShownForm } from '../layout/forms/register.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { joinFormErrors, listCustomerErrors, saveLinkChanges, toRefusedFields } from './changes.ts'
import { CUSTOM_FIELD_OPTIONS, listCustomFieldRows } from './custom-fields.ts'
import { findCustomerView, resolveFormCustomer } from './customer.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'
import {
  createBlankLinkForm,
  type LinkForm,
  PLAIN_TEXTS,
  readLinkForm,
  readNewLink,
  toLinkForm,
  toLinkValues,
} from './form.ts'
import { buildLinkPreview } from './preview.ts'
import { linkPageTexts } from './texts.ts'

export async function linkEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const showPage = createPageRenderer(needs)

  registerForm(app, '/links/novo', {
    right: 'editLinks',
    async load({ query, visitor }) {
      const { cliente } = toRecord(query)
      if (typeof cliente !== 'string') return null
      if (!(await findCustomer(db, visitor.company.id, cliente))) throw notFoundError()
      return null
    },
    toForm(_none, { query, visitor }) {
      const { cliente } = toRecord(query)
      return createBlankLinkForm(visitor.company, typeof cliente === 'string' ? cliente : null)
    },
    readForm: ({ body }) => readLinkForm(body),
    save: async (request, _none, form) =>
      isOnlyShown(request) ? ONLY_SHOWN : saveNewLink(needs, request, form),
    view: show,
    done: ({ saved }) => `${linkPagePath(saved.id)}?feito=link-criado`,
  })

  registerForm(app, '/links/:id/editar', {
    right: 'editLinks',
    async load(request) {
      const link = await findRequestedLink(db, request)
      const isGone = link.status === 'archived' && request.method === 'GET'
      return isGone ? linkPagePath(link.id) : link
    },
    toValues: toLinkValues,
    toForm: toLinkForm,
    readForm: ({ body }) => readLinkForm(body),
    save: async (request, link, form) =>
      isOnlyShown(request) ? ONLY_SHOWN : saveLinkChanges(needs, request, { form, link }),
    view: show,
    done: (_saved, { id }) => `${linkPagePath(id)}?feito=link-alterado`,
  })

  app.get('/links/previa', requireRight('editLinks'), async (request, reply) => {
    const preview = buildLinkPreview(readLinkForm(request.query), request.visitor.company)
    return sendPage(reply, 'dashboard/links/preview', { preview })
  })

  async function show(
    request: FormRequest,
    reply: FastifyReply,
    shown: ShownForm<LinkForm>,
    link: LinkRow | null,
  ) {
    const page = await loadLinkForm(needs, request.visitor.company, shown, link)
    return showPage(request, reply, 'dashboard/links/edit', page)
  }
}

export async function loadLinkForm(
  { db }: Pick<DashboardNeeds, 'db'>,
  company: Company,
  shown: ShownForm<LinkForm>,
  link: LinkRow | null,
) {
  const { form, errors } = shown
  const { titles } = linkPageTexts
  return {
    title: link ? titles.change : titles.create,
    section: 'links' as const,
    ...shown,
    /** What the form changes; null for a new link. */
    link: link && { title: link.title, href: linkPagePath(link.id) },
    action: link ? `${linkPagePath(link.id)}/editar` : linkPagePath('novo'),
    installments: INSTALLMENT_OPTIONS,
    /** Those that the company can be paid by. */
    offered: listOfferedMethods(company, PAYMENT_METHODS),
    customer: await findCustomerView(db, company.id, form),
    pairs: [...form.metadata, ...BLANK_PAIRS].slice(0, MAX_PAIRS),
    customFields: listCustomFieldRows(form.customFields),
    asks: form.customFields.length > 0 || errors.some(({ field }) => field === 'customFields'),
    types: CUSTOM_FIELD_OPTIONS,
    /** Whether what few need is in use. */
    advanced: isAdvancedOpen(form, errors),
    preview: buildLinkPreview(form, company),
    scripts: ['preview.js'],
  }
}

async function saveNewLink(needs: DashboardNeeds, request: FastifyRequest, form: LinkForm) {
  const { company } = request.visitor
  const customer = await resolveFormCustomer(needs.db, company.id, form)
  const now = needs.now()
  const expiryErrors = findExpiryErrors(parseLocalTime(form.expiresAt, DAY_END), now)
  const beside = [...listCustomerErrors(customer), ...expiryErrors]
  const read = joinFormErrors(readNewLink(form, customer.id), beside)
  if (read.kind === 'invalid') return read
  const made = { id: newId(), now }
  const creating = createPaymentLink(needs.db, company, read.values, made)
  const result = await catchRefusal(creating, toRefusedFields)
  if (result.kind === 'saved') {
    await recordLinkAudit(needs, request, 'link_created', result.saved)
  }
  return result
}

const ONLY_SHOWN = { kind: 'invalid' as const, errors: [] }
const MAX_PAIRS = 20
const BLANK_PAIRS = [1, 2].map(() => ({ key: '', value: '' }))
const INSTALLMENT_OPTIONS = Array.from({ length: MAX_INSTALLMENTS }, (_, one) => ({
  value: one + 1,
  text: linkTexts.upTo(one + 1),
}))
const ADVANCED_TEXTS = PLAIN_TEXTS.filter((name) => name !== 'description')
const ADVANCED_FIELDS: readonly string[] = [...ADVANCED_TEXTS, 'metadata']

function isAdvancedOpen(form: LinkForm, errors: FormError[]) {
  const used = form.metadata.length > 0 || ADVANCED_TEXTS.some((name) => form[name] !== '')
  return used || form.paused || errors.some(({ field }) => ADVANCED_FIELDS.includes(field))
}

function isOnlyShown({ body }: FastifyRequest) {
  return toRecord(body).preview !== undefined
}
