// `/painel/clientes/novo` and `/painel/clientes/:id/editar`.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CustomerRow, createCustomer, updateCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import { AppError } from '../../http/errors.ts'
import { searchCustomers } from '../layout/customer-search.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { customerPagePath } from '../layout/paths.ts'
import { type CustomerById, findRequestedCustomer, recordCustomerAudit } from './find.ts'
import {
  type CustomerForm,
  readCustomerChanges,
  readCustomerForm,
  readNewCustomer,
  toCustomerForm,
} from './form.ts'
import { customerPageTexts } from './texts.ts'

/** The form as it stands; `customer` is whom it changes. */
type CustomerFormState = { form: CustomerForm; customer: CustomerRow | null; errors?: FormError[] }

export async function customerEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get('/clientes/novo', (request, reply) =>
    showForm(request, reply, { form: readCustomerForm({}), customer: null }),
  )

  app.post('/clientes/novo', async (request, reply) => {
    const form = readCustomerForm(request.body)
    const saved = await create(request, form)
    return Array.isArray(saved)
      ? showForm(request, reply, { form, customer: null, errors: saved })
      : reply.redirect(`${customerPagePath(saved.id)}?feito=cliente-criado`, 303)
  })

  app.get<CustomerById>('/clientes/:id/editar', async (request, reply) => {
    const customer = await findRequestedCustomer(db, request)
    return showForm(request, reply, { form: toCustomerForm(customer), customer })
  })

  app.post<CustomerById>('/clientes/:id/editar', async (request, reply) => {
    const customer = await findRequestedCustomer(db, request)
    const form = readCustomerForm(request.body)
    const problems = await change(request, customer, form)
    return problems
      ? showForm(request, reply, { form, customer, errors: problems })
      : reply.redirect(`${customerPagePath(customer.id)}?feito=cliente-alterado`, 303)
  })

  async function create(request: FastifyRequest, form: CustomerForm) {
    const { values, errors } = readNewCustomer(form)
    if (!values) return errors
    const made = { id: newId(), now: needs.now() }
    const saved = await catchDuplicateCustomer(
      createCustomer(db, request.visitor.company.id, values, made),
    )
    if (!Array.isArray(saved))
      await recordCustomerAudit(needs, request, 'customer_created', saved.id)
    return saved
  }

  async function change(
    request: FastifyRequest,
    { id, ...customer }: CustomerRow,
    form: CustomerForm,
  ) {
    const { values, errors } = readCustomerChanges({ id, ...customer }, form)
    if (!values) return errors
    if (Object.keys(values).length === 0) return null
    const changed = updateCustomer(db, customer.companyId, id, values, needs.now())
    const saved = await catchDuplicateCustomer(changed)
    if (Array.isArray(saved)) return saved
    await recordCustomerAudit(needs, request, 'customer_changed', id)
    return null
  }

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, customer, errors = [] }: CustomerFormState,
  ) {
    const { titles, exists } = customerPageTexts
    const isTaken = errors.some(({ message }) => message === exists)
    const [known] = isTaken ? await searchCustomers(db, request.visitor.company.id, form.taxId) : []
    return show(request, reply, 'dashboard/customers/edit', {
      title: customer ? titles.change : titles.create,
      section: 'clientes',
      errors,
      form,
      customer: customer && { name: customer.name, href: customerPagePath(customer.id) },
      keepsTaxId: Boolean(customer?.taxId),
      known: known ? { name: known.name, href: customerPagePath(known.id) } : null,
      action: customer ? `${customerPagePath(customer.id)}/editar` : customerPagePath('novo'),
    })
  }
}

/** A company has one customer for each document. */
async function catchDuplicateCustomer<Saved>(saving: Promise<Saved>): Promise<Saved | FormError[]> {
  return saving.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'customer_exists') throw error
    return [{ field: 'taxId', message: customerPageTexts.exists }]
  })
}
