// `/painel/links/novo` and `/painel/links/:id/editar`: the form of a link, beside a preview of the checkout.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Company, listOfferedMethods } from '../../companies/company.ts'
import { findCustomer } from '../../customers/customer.ts'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { formatDay, formatPercent } from '../../format.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { findExpiryErrors } from '../../payment-links/field-errors.ts'
import { createPaymentLink, type LinkRow } from '../../payment-links/payment-link.ts'
import { PLAIN_TEXT_NAMES, PLAIN_TEXTS } from '../../payment-links/plain-texts.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { catchRefusal } from '../layout/forms/form.ts'
import { DAY_END, parseLocalTime } from '../layout/forms/local-time.ts'
import { type FormRequest, registerForm, type ShownForm } from '../layout/forms/register.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { getQuotingProvider } from '../receivables/terms.ts'
import { joinFormErrors, listCustomerErrors, saveLinkChanges, toRefusedFields } from './changes.ts'
import { CUSTOM_FIELD_OPTIONS, listCustomFieldRows } from './custom-fields.ts'
import { findCustomerView, resolveFormCustomer } from './customer.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'
import {
  createBlankLinkForm,
  type LinkForm,
  parseMaxPayments,
  parsePixDiscount,
  readLinkForm,
  readNewLink,
  toLinkForm,
  toLinkValues,
} from './form.ts'
import { buildLinkPreview } from './preview.ts'
import { linkPageTexts, PLAIN_FIELDS } from './texts.ts'
import { describeMethods } from './view.ts'

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
  { db, mail }: Pick<DashboardNeeds, 'db' | 'mail'>,
  company: Company,
  shown: ShownForm<LinkForm>,
  link: LinkRow | null,
) {
  const { form } = shown
  const { titles, sending } = linkPageTexts
  const offered = listOfferedMethods(company, PAYMENT_METHODS)
  const customer = await findCustomerView(db, company.id, form)
  return {
    title: link ? titles.change : titles.create,
    section: 'links' as const,
    ...shown,
    /** The link that the form changes; null for a new one. */
    link: link && { title: link.title, href: linkPagePath(link.id) },
    action: link ? `${linkPagePath(link.id)}/editar` : linkPagePath('novo'),
    installments: INSTALLMENT_OPTIONS,
    interestFree: [
      { value: '', text: linkPageTexts.interestFreeOfCompany(company.interestFreeUpTo) },
      ...INSTALLMENT_OPTIONS,
    ],
    pixDiscountHint: linkPageTexts.pixDiscountHint(formatPercent(company.pixDiscountBps)),
    /** The provider whose own interest stands in place of the link's; null where there is none. */
    quotedBy: getQuotingProvider(company),
    /** The methods that the company offers. */
    offered,
    customer,
    plainFields: toPlainFields(form),
    pairs: [...form.metadata, ...BLANK_PAIRS].slice(0, MAX_PAIRS),
    customFields: listCustomFieldRows(form.customFields),
    types: CUSTOM_FIELD_OPTIONS,
    reminderHint: mail ? sending.reminderHint : sending.reminderHintWithoutMail,
    /** All fields but title and amount are folded, with a summary line. */
    more: {
      isOpen: offered.length === 0 || isMoreOpen(shown),
      set: describeMore(form, customer?.name),
    },
    preview: buildLinkPreview(form, company),
    scripts: ['preview.js'],
  }
}

/** The optional texts of a link, as the form asks for them. */
export function toPlainFields(form: LinkForm) {
  const fields = PLAIN_TEXT_NAMES.map((id) => {
    const { place, ...asked } = PLAIN_FIELDS[id]
    const { label } = PLAIN_TEXTS[id]
    return {
      isMain: place === 'main',
      field: { id, label, value: form[id], optional: true, ...asked },
    }
  })
  return {
    main: fields.filter(({ isMain }) => isMain),
    advanced: fields.filter(({ isMain }) => !isMain),
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

/** Open when a folded field has an error or a conflict. */
function isMoreOpen({ errors, version }: ShownForm<LinkForm>) {
  const isFolded = ({ field }: FormError) => field !== 'title' && field !== 'amount'
  return errors.some(isFolded) || (version?.conflicts ?? []).length > 0
}

/** Formats `Pix ou cartão em até 6x, sem prazo`. */
function describeMore(form: LinkForm, customer: string | undefined) {
  const { until, noEnd, forCustomer, interestFree, pixDiscount, uses } = linkPageTexts
  const { methods, expiresAt, uses: typed, keepCustomer } = form
  const free = methods.includes('credit_card') && Number(form.interestFreeInstallments)
  const discount = methods.includes('pix') && parsePixDiscount(form)
  const end = parseLocalTime(expiresAt, DAY_END)
  const facts = [
    methods.length > 0 && describeMethods(methods, Number(form.maxInstallments)),
    free ? interestFree(free) : false,
    discount ? pixDiscount(formatPercent(discount)) : false,
    end ? until(formatDay(end)) : noEnd,
    typed === 'limited' || typed === 'once' ? uses(parseMaxPayments(form)).toLowerCase() : false,
    keepCustomer && customer ? forCustomer(customer) : false,
  ]
  return facts.filter((fact) => fact !== false).join(', ')
}

function isOnlyShown({ body }: FastifyRequest) {
  return toRecord(body).preview !== undefined
}
