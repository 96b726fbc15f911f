// `/painel/clientes/novo` and `/painel/clientes/:id/editar`.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CustomerRow, createCustomer, updateCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import { AppError } from '../../http/errors.ts'
import { findPeople } from '../layout/customer-search.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { customerPath } from '../layout/paths.ts'
import { type ById, findOwnCustomer, recordOnCustomer } from './find.ts'
import {
  type CustomerForm,
  formOfCustomer,
  readCustomerChanges,
  readNewCustomer,
  typedCustomer,
} from './form.ts'
import { customerPageTexts } from './texts.ts'

/** The form as it stands; `customer` is whom it changes. */
type State = { form: CustomerForm; customer: CustomerRow | null; errors?: Problem[] }

export async function customerEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get('/clientes/novo', (request, reply) =>
    showForm(request, reply, { form: typedCustomer({}), customer: null }),
  )

  app.post('/clientes/novo', async (request, reply) => {
    const form = typedCustomer(request.body)
    const saved = await create(request, form)
    return Array.isArray(saved)
      ? showForm(request, reply, { form, customer: null, errors: saved })
      : reply.redirect(`${customerPath(saved.id)}?feito=cliente-criado`, 303)
  })

  app.get<ById>('/clientes/:id/editar', async (request, reply) => {
    const customer = await findOwnCustomer(db, request)
    return showForm(request, reply, { form: formOfCustomer(customer), customer })
  })

  app.post<ById>('/clientes/:id/editar', async (request, reply) => {
    const customer = await findOwnCustomer(db, request)
    const form = typedCustomer(request.body)
    const problems = await change(request, customer, form)
    return problems
      ? showForm(request, reply, { form, customer, errors: problems })
      : reply.redirect(`${customerPath(customer.id)}?feito=cliente-alterado`, 303)
  })

  async function create(request: FastifyRequest, form: CustomerForm) {
    const { values, errors } = readNewCustomer(form)
    if (!values) return errors
    const made = { id: newId(), now: needs.now() }
    const saved = await orTaken(createCustomer(db, request.visitor.company.id, values, made))
    if (!Array.isArray(saved)) await recordOnCustomer(needs, request, 'customer_created', saved.id)
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
    const saved = await orTaken(changed)
    if (Array.isArray(saved)) return saved
    await recordOnCustomer(needs, request, 'customer_changed', id)
    return null
  }

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, customer, errors = [] }: State,
  ) {
    const { titles, exists } = customerPageTexts
    const isTaken = errors.some(({ message }) => message === exists)
    const [known] = isTaken ? await findPeople(db, request.visitor.company.id, form.taxId) : []
    return show(request, reply, 'customers/form', {
      title: customer ? titles.change : titles.create,
      section: 'clientes',
      errors,
      form,
      customer: customer && { name: customer.name, href: customerPath(customer.id) },
      keepsTaxId: Boolean(customer?.taxId),
      known: known ? { name: known.name, href: customerPath(known.id) } : null,
      action: customer ? `${customerPath(customer.id)}/editar` : customerPath('novo'),
    })
  }
}

/** A company has one customer for each document. */
async function orTaken<Saved>(saving: Promise<Saved>): Promise<Saved | Problem[]> {
  return saving.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'customer_exists') throw error
    return [{ field: 'taxId', message: customerPageTexts.exists }]
  })
}
