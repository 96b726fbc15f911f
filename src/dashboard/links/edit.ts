// `/painel/links/novo` and `/painel/links/:id/editar`: the form of a link, beside a preview of the checkout. Only
// changed fields are saved, unless another person changed the link meanwhile.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Company, listOfferedMethods } from '../../companies/company.ts'
import { findCustomer, findCustomerByTaxId } from '../../customers/customer.ts'
import { customerTexts } from '../../customers/texts.ts'
import type { Database } from '../../database/connect.ts'
import { PAYMENT_METHODS } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { formatBrl, formatDay, formatInstant, formatPercent, maskTaxId } from '../../format.ts'
import { type AppError, notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { sendPage } from '../../http/html.ts'
import { readTaxId } from '../../payer-rules.js'
import { updatePaymentLink } from '../../payment-links/change/change.ts'
import { findExpiryErrors } from '../../payment-links/field-errors.ts'
import {
  createPaymentLink,
  findPaymentLink,
  type LinkRow,
} from '../../payment-links/payment-link.ts'
import { PLAIN_TEXT_NAMES, PLAIN_TEXTS } from '../../payment-links/plain-texts.ts'
import { MAX_INSTALLMENTS } from '../../payment-links/schema.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { buildRecord } from '../../record.ts'
import { texts } from '../../texts.ts'
import {
  catchRefusal,
  describeTaxIdError,
  type FormRequest,
  type FormResult,
  registerForm,
  type ShownForm,
} from '../layout/form.ts'
import { DAY_END, parseLocalTime } from '../layout/local-time.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { versionTexts } from '../layout/texts.ts'
import { listChangedFields, pickFields, saveVersionedForm } from '../layout/versioned.ts'
import { getQuotingProvider } from '../receivables/terms.ts'
import { CUSTOM_FIELD_OPTIONS, listCustomFieldRows } from './custom-fields.ts'
import {
  createBlankLinkForm,
  type LinkForm,
  type LinkValues,
  parseMaxPayments,
  parsePixDiscount,
  readLinkChanges,
  readLinkForm,
  readNewLink,
  toLinkForm,
  toLinkFormErrors,
  toLinkInput,
  toLinkValues,
} from './form.ts'
import { buildLinkPreview } from './preview.ts'
import { linkPageTexts, PLAIN_FIELDS } from './texts.ts'
import { describeMethods, findRequestedLink, recordLinkAudit } from './view.ts'

export async function linkEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const { show: showPage } = needs

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
  { db, mail }: DashboardNeeds,
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
    /** The provider that charges its own interest in place of the link's; null where there is none. */
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
function toPlainFields(form: LinkForm) {
  const fields = PLAIN_TEXT_NAMES.map((id) => {
    const { part, ...asked } = PLAIN_FIELDS[id]
    const { label } = PLAIN_TEXTS[id]
    return {
      isMain: part === 'main',
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
  const known = await findPaymentLink(needs.db, company.id, form.id)
  const typed = readNewLink(form, customer.id)
  if (known && typed.kind === 'valid' && isOfForm(known, form, customer.id))
    return { kind: 'saved' as const, saved: known }
  const now = needs.now()
  const expiryErrors = findExpiryErrors(parseLocalTime(form.expiresAt, DAY_END), now)
  const beside = [...customer.errors, ...expiryErrors]
  const read = joinFormErrors(typed, beside)
  if (read.kind === 'invalid') return read
  // A form that was kept and sent with other values is another link.
  const made = { id: known ? newId() : form.id, now }
  const creating = createPaymentLink(needs.db, company, read.values, made)
  const result = await catchRefusal(creating, toRefusedFields)
  if (result.kind === 'invalid') return result
  const { link, isNew } = result.saved
  if (isNew) await recordLinkAudit(needs, request, 'link_created', link)
  return { kind: 'saved' as const, saved: link }
}

/** Whether the form has created this link already. */
function isOfForm(link: LinkRow, form: LinkForm, customerId: string | null) {
  const changed = listChangedFields(toLinkValues(link), toLinkInput(form, customerId, link.tags))
  return changed.length === 0 && form.paused === (link.status === 'inactive')
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

const words = linkPageTexts

async function saveLinkChanges(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  { form, link }: { form: LinkForm; link: LinkRow },
) {
  const { db } = needs
  const { company } = request.visitor
  const customer = await resolveFormCustomer(db, company.id, form)
  const typed = toLinkInput(form, customer.id, link.tags)
  const wanted = { form, values: pickFields(typed, listChangedFields(toLinkValues(link), typed)) }
  const { expiresAt } = wanted.values
  const beside = [...customer.errors, ...findExpiryErrors(expiresAt, needs.now())]
  const read = joinFormErrors(readLinkChanges(link, wanted), beside)
  if (read.kind === 'invalid') return read
  return saveVersionedForm(needs, request, {
    find: () => findRequestedLink(db, request),
    ...{ toValues: toLinkValues, typed, labels: words.fields, describe: describeLink },
    audited: { action: 'link_changed', subjectId: link.id },
    async save(before, { changed: fields, details }) {
      const changes = readLinkChanges(before, { form, values: pickFields(typed, fields) })
      if (changes.kind === 'invalid') return changes
      const { values } = changes
      const changing = updatePaymentLink(db, company, before, values, needs.now(), { before })
      const result = await catchRefusal(changing, (refusal) =>
        refusal.code === 'changed_meanwhile' ? [] : toRefusedFields(refusal),
      )
      if (result.kind === 'invalid') return result.errors.length > 0 ? result : undefined
      await recordLinkAudit(needs, request, 'link_changed', result.saved, details)
      return result
    },
  })
}

/** Turns refusals of the domain into errors of the form's fields. */
function toRefusedFields({ code, errors }: AppError): FormError[] | undefined {
  if (code === 'link_archived') return [{ field: 'content', message: words.archivedMeanwhile }]
  return errors && toLinkFormErrors(errors)
}

/** Joins the errors of the form with others, so that all are shown together. */
function joinFormErrors<Values>(read: FormResult<Values>, beside: FormError[]): FormResult<Values> {
  if (beside.length === 0) return read
  const known = read.kind === 'invalid' ? read.errors : []
  return { kind: 'invalid', errors: toLinkFormErrors([...known, ...beside]) }
}

function describeLink(values: LinkValues): Record<keyof LinkValues, string> {
  const { amountCents, maxInstallments, interestMode, expiresAt, metadata } = values
  const { interestFreeInstallments: free, pixDiscountBps: discount } = values
  const modes: Record<string, string> = linkTexts.interest
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)
  return {
    ...buildRecord(PLAIN_TEXT_NAMES, (name) => orNone(values[name])),
    title: values.title,
    amountCents: orNone(amountCents && formatBrl(amountCents)),
    methods: orNone(values.methods.map((method) => texts.methods[method]).join(', ')),
    maxInstallments: linkTexts.upTo(maxInstallments ?? 1),
    interestMode: modes[interestMode] ?? interestMode,
    interestFreeInstallments: free === null ? words.companyDefault : linkTexts.upTo(free),
    pixDiscountBps: discount === null ? words.companyDefault : formatPercent(discount),
    tags: orNone(values.tags.join(', ')),
    expiresAt: orNone(expiresAt && formatInstant(expiresAt)),
    maxPayments: words.uses(values.maxPayments),
    remindEveryDays: orNone(values.remindEveryDays && words.sending.every(values.remindEveryDays)),
    // Without the name, which would stay in the audit log when the person is anonymized.
    linkedCustomerId: values.linkedCustomerId === null ? versionTexts.none : words.oneCustomer,
    metadata: orNone(pairs.join(', ')),
    customFields: orNone(values.customFields.map(({ label }) => label).join(', ')),
  }
}

function orNone(text: string | number | null | undefined) {
  return text ? String(text) : versionTexts.none
}

/**
 * A typed document comes first, then the present customer, if kept. With errors the `id` stays as it was, so that the
 * rest of the form can be checked.
 */
async function resolveFormCustomer(db: Database, companyId: string, form: LinkForm) {
  const id = form.keepCustomer && form.customerId ? form.customerId : null
  const refuse = (message: string) => ({ id, errors: [{ field: 'customer', message }] })
  if (form.customer.trim() === '') return { id, errors: [] }
  const taxId = readTaxId(form.customer)
  if (!taxId) return refuse(describeTaxIdError(form.customer))
  const known = await findCustomerByTaxId(db, companyId, taxId)
  return known ? { id: known.id, errors: [] } : refuse(linkPageTexts.noCustomer)
}

/** Null without a customer; an anonymized customer has no name. */
async function findCustomerView(db: Database, companyId: string, { customerId }: LinkForm) {
  if (!customerId) return null
  const known = await findCustomer(db, companyId, customerId)
  if (!known) return { name: customerTexts.anonymous, taxId: null }
  return { name: known.name, taxId: known.taxId && maskTaxId(known.taxId) }
}
