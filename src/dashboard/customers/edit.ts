// `/painel/clientes/novo` and `/painel/clientes/:id/editar`. The API's schema validates the form; an empty field means
// no value.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  type CustomerRow,
  createCustomer,
  findCustomer,
  findCustomerByTaxId,
  updateCustomer,
} from '../../customers/customer.ts'
import { CustomerChanges, isMasked, NewCustomer } from '../../customers/schema.ts'
import { newId } from '../../database/id.ts'
import { formatPhone, formatTaxId, getForeignDocument, getTaxId, maskTaxId } from '../../format.ts'
import type { AppError } from '../../http/errors.ts'
import { readTaxId } from '../../payer-rules.js'
import { buildRecord } from '../../record.ts'
import { getDocumentFormat, hasRight } from '../../users/roles.ts'
import {
  catchRefusal,
  describeTaxIdError,
  type FormRequest,
  type FormResult,
  readForm,
  readFormId,
  readTypedFields,
  registerForm,
  type ShownForm,
  toFormErrors,
} from '../layout/form.ts'
import { type DashboardNeeds, recordAct } from '../layout/needs.ts'
import { customerPagePath } from '../layout/paths.ts'
import { versionTexts } from '../layout/texts.ts'
import {
  describeChange,
  isShownValue,
  listChangedFields,
  pickFields,
  saveVersionedForm,
} from '../layout/versioned.ts'
import { findRequestedCustomer } from './customer.ts'
import { customerPageTexts } from './texts.ts'

export async function customerEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs

  registerForm(app, '/clientes/novo', {
    right: 'editCustomers',
    load: async () => null,
    toForm: () => readCustomerForm({}),
    readForm: ({ body }) => readCustomerForm(body),
    save: (request, _none, form) => saveNewCustomer(needs, request, form),
    view,
    done: ({ saved }) => `${customerPagePath(saved.id)}?feito=cliente-criado`,
  })

  registerForm(app, '/clientes/:id/editar', {
    right: 'editCustomers',
    load: (request) => findRequestedCustomer(db, request),
    toValues: toShownValues,
    toForm: (customer, request) => {
      return { id: customer.id, ...toCustomerTexts(toShownValues(customer, request)) }
    },
    readForm: ({ body }) => readCustomerForm(body),
    save: (request, customer, form) => saveCustomerChanges(needs, request, customer, form),
    view,
    done: (_saved, { id }) => `${customerPagePath(id)}?feito=cliente-alterado`,
  })

  async function view(
    request: FormRequest,
    reply: FastifyReply,
    shown: ShownForm<CustomerForm>,
    customer: CustomerRow | null,
  ) {
    const page = { ...(await loadCustomerForm(needs, request, shown, customer)), ...shown }
    return needs.show(request, reply, 'dashboard/customers/edit', page)
  }
}

export async function loadCustomerForm(
  { db }: DashboardNeeds,
  request: FormRequest,
  { form, errors }: ShownForm<CustomerForm>,
  customer: CustomerRow | null,
) {
  const { titles, exists } = customerPageTexts
  const isTaken = errors.some(({ message }) => message === exists)
  const taxId = isTaken && readTaxId(form.taxId)
  const known = taxId && (await findCustomerByTaxId(db, request.visitor.company.id, taxId))
  return {
    title: customer ? titles.change : titles.create,
    form,
    /** The customer that the form changes; null for a new one. */
    customer: customer && { name: customer.name, href: customerPagePath(customer.id) },
    taxIdHint: customer ? describeTaxId(customer, request) : '',
    /** The customer who already has the document. */
    known: known ? { name: known.name, href: customerPagePath(known.id) } : null,
    action: customer ? `${customerPagePath(customer.id)}/editar` : customerPagePath('novo'),
  }
}

function describeTaxId({ taxId }: CustomerRow, { visitor }: FormRequest) {
  if (!taxId || !getForeignDocument(taxId)) return customerPageTexts.taxIdHint
  return customerPageTexts.foreignHint(getDocumentFormat(visitor.user.role)(taxId))
}

async function saveNewCustomer(needs: DashboardNeeds, request: FormRequest, form: CustomerForm) {
  const { db } = needs
  const companyId = request.visitor.company.id
  const read = readCustomer(NewCustomer, form)
  if (read.kind === 'invalid') return read
  const known = await findCustomer(db, companyId, form.id)
  if (known && isOfForm(known, read.values)) return { kind: 'saved' as const, saved: known }
  // A form that was kept and sent with other values is another customer.
  const made = { id: known ? newId() : form.id, now: needs.now() }
  const creating = createCustomer(db, companyId, read.values, made)
  const result = await catchRefusal(creating, toDuplicateErrors)
  if (result.kind === 'invalid') return result
  const { customer, isNew } = result.saved
  if (isNew) await recordAct(needs, request, { action: 'customer_created', subjectId: customer.id })
  return { kind: 'saved' as const, saved: customer }
}

async function saveCustomerChanges(
  needs: DashboardNeeds,
  request: FormRequest,
  customer: CustomerRow,
  form: CustomerForm,
) {
  const { db } = needs
  const { id: subjectId, companyId } = customer
  // A mask stands for the saved document, unless another person changed it meanwhile.
  const keepsTaxId = isMasked(form.taxId) && isShownValue(request.body, 'taxId', form.taxId)
  const read = readCustomer(CustomerChanges, form, keepsTaxId)
  if (read.kind === 'invalid') return read
  const { values } = read
  const audited = { action: 'customer_changed', subjectId } as const
  const outcome = await saveVersionedForm(needs, request, {
    find: () => findRequestedCustomer(db, request),
    toValues: (row) => toShownValues(row, request),
    toAuditedValues: toCustomerValues,
    describe: describeCustomer,
    typed: keepsTaxId ? { ...values, taxId: form.taxId } : values,
    labels: customerPageTexts.fields,
    audited,
    async save(before, { changed, details }) {
      if (changed.includes('taxId') && values.taxId === null) {
        return { kind: 'invalid' as const, errors: [KEPT_TAX_ID] }
      }
      const changes = pickFields(values, changed)
      const changing = updateCustomer(db, companyId, subjectId, changes, needs.now(), before)
      const result = await catchRefusal(changing, toDuplicateErrors)
      if (result.kind === 'invalid') return result
      if (result.saved.kind === 'notFound') return undefined
      const inFull = changed.includes('taxId') && describeTaxIdChange(before, values)
      await recordAct(needs, request, { ...audited, details: { ...details, ...inFull } })
      return { kind: 'saved' } as const
    },
  })
  if (outcome.kind !== 'conflict' || !keepsTaxId) return outcome
  const { taxId } = toCustomerTexts(toShownValues(customer, request))
  return { ...outcome, form: { ...form, taxId } }
}

/** The audit log has documents in full; the form of a person who may not read them has a mask. */
function describeTaxIdChange(before: CustomerRow, { taxId }: CustomerChanges) {
  const known = toCustomerValues(before)
  const from = describeCustomer(known).taxId
  const to = describeCustomer({ ...known, taxId: taxId ?? null }).taxId
  return { taxId: describeChange(customerPageTexts.fields.taxId, from, to) }
}

/** Links that are created for a customer need the document. */
const KEPT_TAX_ID = { field: 'taxId', message: customerPageTexts.keptTaxId }

/** A company has one customer for each document. */
function toDuplicateErrors({ code }: AppError) {
  return code === 'customer_exists'
    ? [{ field: 'taxId', message: customerPageTexts.exists }]
    : undefined
}

const CUSTOMER_FIELDS = ['name', 'taxId', 'email', 'phone'] as const

type CustomerTexts = Record<(typeof CUSTOMER_FIELDS)[number], string>
type CustomerForm = CustomerTexts & { id: string }
type CustomerValues = Pick<CustomerRow, keyof CustomerTexts>

function readCustomerForm(body: unknown): CustomerForm {
  const typed = readTypedFields(body)
  return { id: readFormId(body), ...buildRecord(CUSTOMER_FIELDS, (name) => typed[name] ?? '') }
}

function toCustomerTexts({ name, email, phone, taxId }: CustomerValues): CustomerTexts {
  return {
    name,
    taxId: formatShownTaxId(taxId),
    email: email ?? '',
    phone: phone ? formatPhone(phone) : '',
  }
}

function formatShownTaxId(taxId: string | null) {
  if (!taxId) return ''
  return isMasked(taxId) ? taxId : formatTaxId(taxId)
}

/** The values as the visitor may read them: the form carries hashes of them, from which a document could be guessed. */
function toShownValues(customer: CustomerRow, { visitor }: FastifyRequest): CustomerValues {
  const values = toCustomerValues(customer)
  if (hasRight(visitor.user.role, 'fullDocuments')) return values
  return { ...values, taxId: values.taxId && maskTaxId(values.taxId) }
}

/** The form has a CPF or CNPJ alone: one that is typed takes the place of a foreign document. */
function toCustomerValues({ name, taxId, email, phone }: CustomerRow): CustomerValues {
  return { name, taxId: getTaxId(taxId), email, phone }
}

/** The values as people read them. */
function describeCustomer(values: CustomerValues): CustomerTexts {
  const shown = toCustomerTexts(values)
  return buildRecord(CUSTOMER_FIELDS, (name) => shown[name] || versionTexts.none)
}

/** Whether the form has created this customer already. */
function isOfForm(customer: CustomerRow, values: NewCustomer) {
  return listChangedFields(toCustomerValues(customer), values).length === 0
}

/** @param schema the API's schema, for a new customer or for changes */
function readCustomer<Values>(
  schema: z.ZodType<Values>,
  { name, ...others }: CustomerTexts,
  keepsTaxId = false,
): FormResult<Values> {
  const given = buildRecord(['taxId', 'email', 'phone'], (field) => others[field].trim() || null)
  const taxId = keepsTaxId ? undefined : (readTaxId(others.taxId) ?? given.taxId)
  const read = readForm(schema, { name, ...given, taxId })
  if (read.kind === 'valid') return read
  const own = [
    ...(name.trim() === '' ? [{ field: 'name', message: customerPageTexts.name }] : []),
    ...read.errors.map(({ field, message }) => {
      return { field, message: field === 'taxId' ? describeTaxIdError(others.taxId) : message }
    }),
  ]
  return { kind: 'invalid', errors: toFormErrors(own) }
}
