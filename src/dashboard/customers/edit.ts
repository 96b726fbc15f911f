// `/painel/clientes/novo` and `/painel/clientes/:id/editar`.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CustomerRow, createCustomer, updateCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import type { AppError } from '../../http/errors.ts'
import { catchRefusal } from '../layout/forms/form.ts'
import { buildFormVersion, pickFields, saveVersionedForm } from '../layout/forms/versioned.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { customerPagePath } from '../layout/paths.ts'
import { findCustomerByTaxId, findRequestedCustomer, recordCustomerAudit } from './find.ts'
import {
  type CustomerForm,
  describeCustomer,
  readChangedForm,
  readCustomerChanges,
  readCustomerForm,
  readNewCustomer,
  toCustomerForm,
  toCustomerValues,
} from './form.ts'
import { customerPageTexts } from './texts.ts'

const EDIT_CUSTOMERS = requireRight('editCustomers')

/** The form as it stands; `customer` is whom it changes. */
type CustomerFormState = {
  form: CustomerForm
  customer: CustomerRow | null
  errors?: FormError[]
  conflicts?: FieldConflict[]
}

export async function customerEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/clientes/novo', EDIT_CUSTOMERS, (request, reply) =>
    showCustomerForm(request, reply, { form: readCustomerForm({}), customer: null }),
  )

  app.post('/clientes/novo', EDIT_CUSTOMERS, async (request, reply) => {
    const form = readCustomerForm(request.body)
    const result = await saveNew(request, form)
    return result.kind === 'invalid'
      ? showCustomerForm(request, reply, { form, customer: null, errors: result.errors })
      : reply.redirect(`${customerPagePath(result.saved.id)}?feito=cliente-criado`, 303)
  })

  app.get<ById>('/clientes/:id/editar', EDIT_CUSTOMERS, async (request, reply) => {
    const customer = await findRequestedCustomer(db, request)
    return showCustomerForm(request, reply, { form: toCustomerForm(customer), customer })
  })

  app.post<ById>('/clientes/:id/editar', EDIT_CUSTOMERS, async (request, reply) => {
    const customer = await findRequestedCustomer(db, request)
    const form = readChangedForm(customer, request.body)
    const result = await saveCustomerChanges(needs, request, customer, form)
    return result.kind === 'invalid' || result.kind === 'conflict'
      ? showCustomerForm(request, reply, { form, customer, ...result })
      : reply.redirect(`${customerPagePath(customer.id)}?feito=cliente-alterado`, 303)
  })

  async function saveNew(request: FastifyRequest, form: CustomerForm) {
    const read = readNewCustomer(form)
    if (read.kind === 'invalid') return read
    const made = { id: newId(), now: needs.now() }
    const creating = createCustomer(db, request.visitor.company.id, read.values, made)
    const result = await catchRefusal(creating, toDuplicateErrors)
    if (result.kind === 'saved')
      await recordCustomerAudit(needs, request, 'customer_created', {
        subjectId: result.saved.id,
      })
    return result
  }

  async function showCustomerForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, customer, errors = [], conflicts }: CustomerFormState,
  ) {
    const { titles, exists } = customerPageTexts
    const isTaken = errors.some(({ message }) => message === exists)
    const known = isTaken && (await findCustomerByTaxId(db, request, form.taxId))
    return show(request, reply, 'dashboard/customers/edit', {
      title: customer ? titles.change : titles.create,
      section: 'clientes',
      errors,
      ...(customer && {
        version: buildFormVersion(request, toCustomerValues(customer), conflicts),
      }),
      form,
      customer: customer && { name: customer.name, href: customerPagePath(customer.id) },
      known: known ? { name: known.name, href: customerPagePath(known.id) } : null,
      action: customer ? `${customerPagePath(customer.id)}/editar` : customerPagePath('novo'),
    })
  }
}

async function saveCustomerChanges(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  customer: CustomerRow,
  form: CustomerForm,
) {
  const { db } = needs
  const { id: subjectId, companyId } = customer
  const read = readCustomerChanges(form)
  if (read.kind === 'invalid') return read
  const { values } = read
  return saveVersionedForm(needs, request, {
    find: () => findRequestedCustomer(db, request),
    ...{ toValues: toCustomerValues, describe: describeCustomer, typed: values },
    ...{ labels: customerPageTexts.fields, audited: { action: 'customer_changed', subjectId } },
    async save(before, { changed, details }) {
      if (changed.includes('taxId') && values.taxId === null) {
        return { kind: 'invalid' as const, errors: [KEPT_TAX_ID] }
      }
      const changes = pickFields(values, changed)
      const changing = updateCustomer(db, companyId, subjectId, changes, needs.now(), before)
      const result = await catchRefusal(changing, toDuplicateErrors)
      if (result.kind === 'invalid') return result
      if (result.saved.kind === 'notFound') return undefined
      await recordCustomerAudit(needs, request, 'customer_changed', { subjectId, details })
      return { kind: 'saved' } as const
    },
  })
}

/** The links that are made for a customer ask for it. */
const KEPT_TAX_ID = { field: 'taxId', message: customerPageTexts.keptTaxId }

/** A company has one customer for each document. */
function toDuplicateErrors({ code }: AppError) {
  return code === 'customer_exists'
    ? [{ field: 'taxId', message: customerPageTexts.exists }]
    : undefined
}
