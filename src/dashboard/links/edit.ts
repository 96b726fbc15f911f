// `/painel/links/novo` and `/painel/links/:id/editar`: one form, with what the payer will see beside it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listOfferedMethods } from '../../companies/company.ts'
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
import { buildFormVersion } from '../layout/forms/versioned.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { joinFormErrors, listCustomerErrors, saveLinkChanges, toRefusedFields } from './changes.ts'
import { CUSTOM_FIELD_OPTIONS, listCustomFieldRows } from './custom-fields.ts'
import { findCustomerView, resolveFormCustomer } from './customer.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'
import {
  createBlankLinkForm,
  type LinkForm,
  readLinkForm,
  readNewLink,
  toLinkForm,
  toLinkValues,
} from './form.ts'
import { buildLinkPreview } from './preview.ts'
import { linkPageTexts } from './texts.ts'

const EDIT_LINKS = requireRight('editLinks')

/** The form as it stands; `link` is what it changes. */
type LinkFormState = {
  form: LinkForm
  link: LinkRow | null
  errors?: FormError[]
  conflicts?: FieldConflict[]
}

export async function linkEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const showForm = createLinkFormRenderer(needs)

  app.get('/links/novo', EDIT_LINKS, async (request, reply) => {
    const { company } = request.visitor
    const { cliente } = toRecord(request.query)
    const customerId = typeof cliente === 'string' ? cliente : null
    if (customerId && !(await findCustomer(db, company.id, customerId))) throw notFoundError()
    return showForm(request, reply, { form: createBlankLinkForm(company, customerId), link: null })
  })

  app.post('/links/novo', EDIT_LINKS, async (request, reply) => {
    const form = readLinkForm(request.body)
    if (isOnlyShown(request)) return showForm(request, reply, { form, link: null })
    const result = await saveNewLink(needs, request, form)
    return result.kind === 'invalid'
      ? showForm(request, reply, { form, link: null, errors: result.errors })
      : reply.redirect(`${linkPagePath(result.saved.id)}?feito=link-criado`, 303)
  })

  app.get<ById>('/links/:id/editar', EDIT_LINKS, async (request, reply) => {
    const link = await findRequestedLink(db, request)
    if (link.status === 'archived') return reply.redirect(linkPagePath(link.id), 303)
    return showForm(request, reply, { form: toLinkForm(link), link })
  })

  app.post<ById>('/links/:id/editar', EDIT_LINKS, async (request, reply) => {
    const link = await findRequestedLink(db, request)
    const form = readLinkForm(request.body)
    if (isOnlyShown(request)) return showForm(request, reply, { form, link })
    const result = await saveLinkChanges(needs, request, { form, link })
    return result.kind === 'invalid' || result.kind === 'conflict'
      ? showForm(request, reply, { form, link, ...result })
      : reply.redirect(`${linkPagePath(link.id)}?feito=link-alterado`, 303)
  })

  app.get('/links/previa', EDIT_LINKS, async (request, reply) => {
    const preview = buildLinkPreview(readLinkForm(request.query), request.visitor.company)
    return sendPage(reply, 'dashboard/links/preview', { preview })
  })
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

function createLinkFormRenderer(needs: DashboardNeeds) {
  const show = createPageRenderer(needs)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { form, link, errors = [], conflicts }: LinkFormState,
  ) => {
    const { company } = request.visitor
    const { titles } = linkPageTexts
    return show(request, reply, 'dashboard/links/edit', {
      title: link ? titles.change : titles.create,
      section: 'links',
      errors,
      ...(link && { version: buildFormVersion(request, toLinkValues(link), conflicts) }),
      form,
      link: link && { title: link.title, href: linkPagePath(link.id) },
      action: link ? `${linkPagePath(link.id)}/editar` : linkPagePath('novo'),
      installments: INSTALLMENT_OPTIONS,
      offered: listOfferedMethods(company, PAYMENT_METHODS),
      customer: await findCustomerView(needs.db, company.id, form),
      pairs: [...form.metadata, ...BLANK_PAIRS].slice(0, MAX_PAIRS),
      customFields: listCustomFieldRows(form.customFields),
      asks: form.customFields.length > 0 || errors.some(({ field }) => field === 'customFields'),
      types: CUSTOM_FIELD_OPTIONS,
      advanced: isAdvancedOpen(form, errors),
      preview: buildLinkPreview(form, company),
      scripts: ['preview.js'],
    })
  }
}

const MAX_PAIRS = 20
const BLANK_PAIRS = [1, 2].map(() => ({ key: '', value: '' }))
const INSTALLMENT_OPTIONS = Array.from({ length: MAX_INSTALLMENTS }, (_, one) => ({
  value: one + 1,
  text: linkTexts.upTo(one + 1),
}))
const ADVANCED_TEXTS = [
  'redirectUrl',
  'externalReference',
  'inactiveMessage',
  'successMessage',
  'statementDescriptor',
] as const
const ADVANCED_FIELDS: readonly string[] = [...ADVANCED_TEXTS, 'metadata']

function isAdvancedOpen(form: LinkForm, errors: FormError[]) {
  const used = form.metadata.length > 0 || ADVANCED_TEXTS.some((name) => form[name] !== '')
  return used || form.paused || errors.some(({ field }) => ADVANCED_FIELDS.includes(field))
}

function isOnlyShown({ body }: FastifyRequest) {
  return toRecord(body).preview !== undefined
}
