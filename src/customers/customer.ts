// Who pays a company. One customer per document; what a payer typed later does not overwrite what the
// company knows, since anybody can type anybody's document. One who was anonymized (anonymize.ts) is a
// row that no query finds.

import { batchCalls } from '../database/batch.ts'
import { buildRecordset, toSnakeCase } from '../database/bulk-insert.ts'
import { type Database, getViolatedConstraint } from '../database/connect.ts'
import { and, eq, isNull, sql } from '../database/drizzle.ts'
import { type CreateContext, isUuid, newId } from '../database/id.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { customers } from '../database/tables.ts'
import { AppError, notFoundError } from '../http/errors.ts'
import { getEntries } from '../record.ts'
import type { CustomerChanges, NewCustomer } from './schema.ts'
import { customerTexts } from './texts.ts'

export type CustomerRow = typeof customers.$inferSelect

export type Payer = {
  companyId: string
  name: string
  email: string | null
  /** From parseTaxId. */
  taxId: string
  phone: string | null
}

/** The id of the company's customer with this document, made on the first payment. */
export async function findOrCreateCustomer(db: Database, payer: Payer, now: Date): Promise<string> {
  const wanted = { ...payer, id: newId(), createdAt: now.toISOString() }
  // Undefined only when another statement made the customer while ours ran: then it is there now.
  for (let tries = 0; tries < 3; tries++) {
    const id = await customerLookupBatch(db)(wanted)
    if (id) return id
  }
  throw new Error('The customer could neither be found nor made')
}

/** Made with this id before, by a request that was repeated, the customer is answered as it is. */
export async function createCustomer(
  db: Database,
  companyId: string,
  input: NewCustomer,
  { id, now }: CreateContext,
): Promise<CustomerRow> {
  const row = toNewCustomerRow(companyId, input, { id, now })
  try {
    await db.insert(customers).values(row)
    return row
  } catch (error) {
    const constraint = getViolatedConstraint(error)
    if (constraint !== TAX_ID_CONSTRAINT && constraint !== 'customers_pkey') throw error
    const made = await findCustomer(db, companyId, id)
    if (made) return made
    if (constraint === 'customers_pkey' || !row.taxId) throw notFoundError(customerTexts.notFound)
    throw await buildCustomerExistsError(db, companyId, row.taxId)
  }
}

/** Undefined too when the customer was anonymized. */
export async function findCustomer(
  db: Database,
  companyId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await customerByIdQuery(db).execute({ companyId, id })
  return row
}

type UpdateCustomerResult = { kind: 'updated'; customer: CustomerRow } | { kind: 'notFound' }

export async function updateCustomer(
  db: Database,
  companyId: string,
  id: string,
  input: CustomerChanges,
  now: Date,
  /** Nothing is changed, nor found, unless what is to be changed is still as in this one. */
  before?: CustomerRow,
): Promise<UpdateCustomerResult> {
  const { name, email, phone, taxId } = input
  const given = getEntries({ name, email, phone, taxId }).filter(([, value]) => value !== undefined)
  if (given.length === 0 || !isUuid(id)) {
    return toUpdateResult(await findCustomer(db, companyId, id))
  }
  try {
    const [changed] = await db
      .update(customers)
      .set({ ...Object.fromEntries(given), updatedAt: now.toISOString() })
      .where(
        and(
          eq(customers.id, id),
          eq(customers.companyId, companyId),
          isNull(customers.anonymizedAt),
          ...given.map(([key]) =>
            before ? sql`${customers[key]} is not distinct from ${before[key]}` : undefined,
          ),
        ),
      )
      .returning()
    return toUpdateResult(changed)
  } catch (error) {
    if (getViolatedConstraint(error) !== TAX_ID_CONSTRAINT || !taxId) throw error
    throw await buildCustomerExistsError(db, companyId, taxId)
  }
}

const TAX_ID_CONSTRAINT = 'customers_companyId_taxId_unique'

function toUpdateResult(customer: CustomerRow | undefined): UpdateCustomerResult {
  return customer ? { kind: 'updated', customer } : { kind: 'notFound' }
}

function toNewCustomerRow(
  companyId: string,
  input: NewCustomer,
  { id, now }: CreateContext,
): CustomerRow {
  return {
    id,
    companyId,
    name: input.name,
    email: input.email ?? null,
    phone: input.phone ?? null,
    taxId: input.taxId ?? null,
    anonymizedAt: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

async function buildCustomerExistsError(db: Database, companyId: string, taxId: string) {
  const [known] = await db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.companyId, companyId), eq(customers.taxId, taxId)))
  const headers = known ? { location: customerPath(known.id) } : {}
  return new AppError(409, 'customer_exists', customerTexts.exists, { headers })
}

const customerByIdQuery = memoizeByDb((db: Database) =>
  db
    .select()
    .from(customers)
    .where(
      and(
        eq(customers.id, sql.placeholder('id')),
        eq(customers.companyId, sql.placeholder('companyId')),
        isNull(customers.anonymizedAt),
      ),
    )
    .prepare('customer_by_id'),
)

type CustomerLookup = Payer & { id: string; createdAt: string }

const LOOKUP_COLUMNS = ['id', 'companyId', 'name', 'email', 'taxId', 'phone', 'createdAt'] as const

/**
 * Queries for a `with`, of which `customer` says for each payer of a parameter by which id it was `wanted`
 * and by which it is `found`; null only where another statement has made it while this one ran.
 * @param locked For a statement that writes what points at them, and would lock them at its end: who is being
 * forgotten at that moment is waited for, and not found.
 */
export function buildCustomerLookup(parameter: string, locked = false) {
  // One probe of the index for each payer, whatever the planner thinks of the table's size.
  return `
  payer as materialized (
    select given.*, (
      select customers.id from customers
      where company_id = given."companyId" and tax_id = given."taxId" ${locked ? 'for key share' : ''}
    ) as known
    from ${buildRecordset(customers, LOOKUP_COLUMNS, {}, parameter)}
  ),
  made as (
    insert into customers (${LOOKUP_COLUMNS.map(toSnakeCase)}, updated_at)
    select distinct on ("companyId", "taxId") ${LOOKUP_COLUMNS.map((key) => `"${key}"`)}, "createdAt"
    from payer
    where known is null
    on conflict (company_id, tax_id) do nothing
    returning id, company_id, tax_id
  ),
  customer as (
    select payer.id as wanted, coalesce(known, made.id) as found
    from payer
    left join made on made.company_id = "companyId" and made.tax_id = "taxId"
  )`
}

const customerLookupBatch = memoizeByDb((db: Database) => {
  const text = `with ${buildCustomerLookup('$1')} select wanted, found from customer`
  return batchCalls(async (wanted: CustomerLookup[]) => {
    const values = [JSON.stringify(wanted)]
    const query = { name: 'find_or_create_customers', text, values }
    const { rows } = await db.$client.query<{ wanted: string; found: string | null }>(query)
    const found = new Map(rows.map((row) => [row.wanted, row.found]))
    return wanted.map(({ id }) => found.get(id) ?? undefined)
  })
})

export function customerPath(id: string) {
  return `/api/customers/${id}`
}
