// `/painel/clientes/novo` and `/painel/clientes/:id/editar`.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { type CustomerRow, createCustomer, updateCustomer } from '../../customers/customer.ts'
import { CustomerChanges, NewCustomer } from '../../customers/schema.ts'
import { newId } from '../../database/id.ts'
import type { AppError } from '../../http/errors.ts'
import { catchRefusal } from '../layout/forms/form.ts'
import { type FormRequest, registerForm, type ShownForm } from '../layout/forms/register.ts'
import { pickFields, saveVersionedForm } from '../layout/forms/versioned.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { customerPagePath } from '../layout/paths.ts'
import { recordAct } from '../layout/security.ts'
import { findCustomerByTaxId, findRequestedCustomer } from './find.ts'
import {
  type CustomerForm,
  describeCustomer,
  readChangedForm,
  readCustomer,
  readCustomerForm,
  toCustomerForm,
  toCustomerValues,
} from './form.ts'
import { customerPageTexts } from './texts.ts'

export async function customerEditPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const showPage = createPageRenderer(needs)

  registerForm(app, '/clientes/novo', {
    right: 'editCustomers',
    load: async () => null,
    toForm: () => readCustomerForm({}),
    readForm: ({ body }) => readCustomerForm(body),
    async save(request, _none, form) {
      const read = readCustomer(NewCustomer, form)
      if (read.kind === 'invalid') return read
      const made = { id: newId(), now: needs.now() }
      const creating = createCustomer(db, request.visitor.company.id, read.values, made)
      const result = await catchRefusal(creating, toDuplicateErrors)
      if (result.kind === 'saved')
        await recordAct(needs, request, { action: 'customer_created', subjectId: result.saved.id })
      return result
    },
    view: show,
    done: ({ saved }) => `${customerPagePath(saved.id)}?feito=cliente-criado`,
  })

  registerForm(app, '/clientes/:id/editar', {
    right: 'editCustomers',
    load: (request) => findRequestedCustomer(db, request),
    toValues: toCustomerValues,
    toForm: toCustomerForm,
    readForm: ({ body }, customer) => readChangedForm(customer, body),
    save: (request, customer, form) => saveCustomerChanges(needs, request, customer, form),
    view: show,
    done: (_saved, { id }) => `${customerPagePath(id)}?feito=cliente-alterado`,
  })

  async function show(
    request: FormRequest,
    reply: FastifyReply,
    shown: ShownForm<CustomerForm>,
    customer: CustomerRow | null,
  ) {
    const { titles, exists } = customerPageTexts
    const isTaken = shown.errors.some(({ message }) => message === exists)
    const known = isTaken && (await findCustomerByTaxId(db, request, shown.form.taxId))
    return showPage(request, reply, 'dashboard/customers/edit', {
      title: customer ? titles.change : titles.create,
      section: 'clientes',
      ...shown,
      customer: customer && { name: customer.name, href: customerPagePath(customer.id) },
      known: known ? { name: known.name, href: customerPagePath(known.id) } : null,
      action: customer ? `${customerPagePath(customer.id)}/editar` : customerPagePath('novo'),
    })
  }
}

async function saveCustomerChanges(
  needs: DashboardNeeds,
  request: FormRequest,
  { id: subjectId, companyId }: CustomerRow,
  form: CustomerForm,
) {
  const { db } = needs
  const read = readCustomer(CustomerChanges, form)
  if (read.kind === 'invalid') return read
  const { values } = read
  const audited = { action: 'customer_changed', subjectId } as const
  return saveVersionedForm(needs, request, {
    find: () => findRequestedCustomer(db, request),
    toValues: toCustomerValues,
    describe: describeCustomer,
    typed: values,
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
      await recordAct(needs, request, { ...audited, details })
      return { kind: 'saved' } as const
    },
  })
}

/** Links that are created for a customer need the document. */
const KEPT_TAX_ID = { field: 'taxId', message: customerPageTexts.keptTaxId }

/** A company has one customer for each document. */
function toDuplicateErrors({ code }: AppError) {
  return code === 'customer_exists'
    ? [{ field: 'taxId', message: customerPageTexts.exists }]
    : undefined
}
