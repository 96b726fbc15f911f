import { z } from 'zod'
import type { Company } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { serializeDocument } from '../format.ts'
import { invalidFieldsError, notFoundError, Problem } from '../http/errors.ts'
import { findReadOnlyErrors, IdParams, isEchoedAnswer } from '../http/fields.ts'
import { buildPageSchema, PageQuery, paginateRows } from '../http/pagination.ts'
import { type Routes, refuseBody } from '../http/zod.ts'
import { texts } from '../texts.ts'
import { anonymizeCustomer } from './anonymize.ts'
import {
  type CustomerRow,
  createCustomer,
  customerPath,
  findCustomer,
  updateCustomer,
} from './customer.ts'
import { listCustomers } from './list.ts'
import {
  Customer,
  type CustomerChanges,
  CustomerFilters,
  echoedCustomerFields,
  isMasked,
  SentCustomer,
  SentCustomerChanges,
} from './schema.ts'
import { customerTexts } from './texts.ts'

const config = { resource: 'customers' } as const
const tags = ['Customers']
const params = IdParams
const WRONG_TAX_ID = { field: 'taxId', code: 'invalid_tax_id', message: texts.fields.taxId }

export const customerRoutes: Routes = async (app, needs) => {
  await app.register(customerCollectionRoutes, needs)
  await app.register(customerItemRoutes, needs)
}

const customerCollectionRoutes: Routes = async (app, { db, now }) => {
  app.post(
    '/customers',
    {
      config,
      attachValidation: true,
      schema: {
        summary: 'Criar um cliente',
        description:
          'Há um cliente para cada documento na empresa: se já existe, 409 `customer_exists`, com o endereço dele em `Location`. Quem paga um link vira cliente por si. Repetir uma `Idempotency-Key` cujo cliente foi esquecido é 404.',
        operationId: 'createCustomer',
        tags,
        body: SentCustomer,
        response: { 201: Customer, 404: Problem },
      },
    },
    async (request, reply) => {
      const made = { id: request.resourceId, now: now() }
      const known = { testMode: request.company.testMode }
      await refuseBody(request, SentCustomer, async (right) => [
        ...findReadOnlyErrors(echoedCustomerFields, right, known),
        // A masked document is valid only in an answer that is sent back unchanged.
        ...(right.taxId && isMasked(right.taxId) && !isEchoedAnswer(right) ? [WRONG_TAX_ID] : []),
      ])
      const { taxId, ...others } = request.body
      const sent = taxId && isMasked(taxId) ? others : request.body
      const { customer } = await createCustomer(db, request.company.id, sent, made)
      reply.code(201).header('location', customerPath(customer.id))
      return serializeCustomer(customer, request.company.testMode)
    },
  )

  app.get(
    '/customers',
    {
      config,
      schema: {
        summary: 'Listar clientes',
        description: 'Os filtros se somam.',
        operationId: 'listCustomers',
        tags,
        querystring: PageQuery.extend(CustomerFilters.shape).strict(),
        response: { 200: buildPageSchema(Customer) },
      },
    },
    async (request) => {
      const rows = await listCustomers(db, request.company.id, request.query)
      const { data, ...rest } = paginateRows(rows, request.query.limit)
      return { data: data.map((row) => serializeCustomer(row, request.company.testMode)), ...rest }
    },
  )
}

const customerItemRoutes: Routes = async (app, { db, now }) => {
  app.get(
    '/customers/:id',
    {
      config,
      schema: {
        summary: 'Consultar um cliente',
        description: 'O documento vem mascarado.',
        operationId: 'getCustomer',
        tags,
        params,
        response: { 200: Customer },
      },
    },
    async (request) => {
      const customer = await findCustomer(db, request.company.id, request.params.id)
      if (!customer) throw notFoundError(customerTexts.notFound)
      return serializeCustomer(customer, request.company.testMode)
    },
  )

  app.patch(
    '/customers/:id',
    {
      config,
      attachValidation: true,
      schema: {
        summary: 'Alterar um cliente',
        description:
          'O que falta fica como está; null limpa. Os pagamentos guardam o que foi digitado. Um documento que outro cliente tem é 409 `customer_exists`, com o endereço dele em `Location`.',
        operationId: 'updateCustomer',
        tags,
        params,
        body: SentCustomerChanges,
        response: { 200: Customer },
      },
    },
    async (request) => {
      const { id } = request.params
      await refuseBody(request, SentCustomerChanges, (right) =>
        findReadOnlyChanges(db, request.company, id, right),
      )
      const changes = await readSentChanges(db, request.company.id, id, request.body)
      const updated = await updateCustomer(db, request.company.id, id, changes, now())
      if (updated.kind === 'notFound') throw notFoundError(customerTexts.notFound)
      return serializeCustomer(updated.customer, request.company.testMode)
    },
  )

  app.delete(
    '/customers/:id',
    {
      config,
      schema: {
        summary: 'Esquecer um cliente',
        description:
          'Tira o nome, os contatos e o documento do cliente e das transações dele, que ficam. Um link feito só para ele passa a valer para qualquer um. Os eventos já contados ficam como foram enviados, enquanto são guardados, e o `reason` de uma devolução fica como você o escreveu. Definitivo.',
        operationId: 'deleteCustomer',
        tags,
        params,
        response: {
          204: z.null().describe('Forgotten, now or before.'),
        },
      },
    },
    async (request, reply) => {
      const { kind } = await anonymizeCustomer(db, request.company.id, request.params.id, now())
      if (kind === 'notFound') throw notFoundError(customerTexts.notFound)
      return reply.code(204).send(null)
    },
  )
}

async function findReadOnlyChanges(
  db: Database,
  { id: companyId, testMode }: Company,
  id: string,
  changes: unknown,
) {
  const { length } = findReadOnlyErrors(echoedCustomerFields, changes, {})
  const known = length > 0 && (await findCustomer(db, companyId, id))
  if (!known) return []
  return findReadOnlyErrors(echoedCustomerFields, changes, serializeCustomer(known, testMode))
}

/**
 * Keeps the document when a body repeats it as in an answer, masked, or null beside a foreign one; throws 422 when it is
 * another customer's.
 */
async function readSentChanges(
  db: Database,
  companyId: string,
  id: string,
  { taxId, ...changes }: CustomerChanges,
): Promise<CustomerChanges> {
  if (taxId === undefined || (taxId && !isMasked(taxId))) return { ...changes, taxId }
  const known = await findCustomer(db, companyId, id)
  if (!known) throw notFoundError(customerTexts.notFound)
  if (serializeDocument(known.taxId).taxId === taxId) return changes
  if (taxId) throw invalidFieldsError([WRONG_TAX_ID])
  return { ...changes, taxId }
}

function serializeCustomer({ taxId, ...row }: CustomerRow, testMode: boolean): Customer {
  const { id, name, email, phone, createdAt, updatedAt } = row
  return {
    id,
    name,
    email,
    phone,
    ...serializeDocument(taxId),
    testMode,
    createdAt,
    updatedAt,
  }
}
