// The people who pay a company, one customer for each document. What a payer types does not overwrite a known customer,
// since anybody may type any document. The row of an anonymized customer (anonymize.ts) is found by no query; the id of
// one that was merged (merge.ts) finds the one that stayed.

import {
  type Database,
  type Db,
  getViolatedConstraint,
  type Transaction,
} from '../database/connect.ts'
import { and, eq, isNull, or, sql } from '../database/drizzle.ts'
import { type CreateContext, isUuid, newId } from '../database/id.ts'
import { customers } from '../database/tables.ts'
import { getForeignDocument, getTaxId } from '../format.ts'
import { AppError, notFoundError } from '../http/errors.ts'
import { listCustomerWords, toTsvector } from '../lists/words.ts'
import { getEntries } from '../record.ts'
import type { CustomerChanges, NewCustomer } from './schema.ts'
import { customerTexts } from './texts.ts'

export type CustomerRow = Omit<typeof customers.$inferSelect, 'words'>

export type Payer = {
  companyId: string
  name: string
  email: string | null
  /** As parseTaxId or readForeignDocument returns it. */
  taxId: string
  phone: string | null
}

/** Returns the id of the customer with this document, who is created at the first payment. */
export async function findOrCreateCustomer(db: Database, payer: Payer, now: Date): Promise<string> {
  const at = now.toISOString()
  const isTheirs = isCustomer(payer.companyId, payer.taxId)
  // Tried again only when another statement creates the customer meanwhile.
  for (let tries = 0; tries < 3; tries++) {
    const [known] = await db.select({ id: customers.id }).from(customers).where(isTheirs)
    if (known) return known.id
    const [made] = await db
      .insert(customers)
      .values(withWords({ ...payer, id: newId(), createdAt: at, updatedAt: at }))
      .onConflictDoNothing({ target: [customers.companyId, customers.taxId] })
      .returning({ id: customers.id })
    if (made) return made.id
  }
  throw new Error('The customer could neither be found nor made')
}

export const toCustomerKey = ({ companyId, taxId }: Pick<Payer, 'companyId' | 'taxId'>) =>
  `${companyId} ${taxId}`

/**
 * Returns the ids of the customers with these documents, by `toCustomerKey`. Creates missing ones, and locks all
 * against being anonymized until the transaction ends. A customer who was anonymized just before is missing.
 */
export async function findOrCreateCustomers(
  tx: Transaction,
  payers: (Payer & { id: string; createdAt: string })[],
): Promise<Map<string, string>> {
  if (payers.length === 0) return new Map()
  const wanted = new Map(payers.map((payer) => [toCustomerKey(payer), payer]))
  // All transactions use the same order, so that two cannot deadlock.
  const rows = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, payer]) => payer)
  const find = () =>
    tx
      .select({ id: customers.id, companyId: customers.companyId, taxId: customers.taxId })
      .from(customers)
      .where(or(...rows.map(({ companyId, taxId }) => isCustomer(companyId, taxId))))
      .orderBy(customers.companyId, customers.taxId)
      .for('key share')
  const known = await find()
  const isKnown = new Set(known.map(({ companyId, taxId }) => `${companyId} ${taxId}`))
  const missing = rows.filter((payer) => !isKnown.has(toCustomerKey(payer)))
  if (missing.length > 0) {
    await tx
      .insert(customers)
      .values(missing.map((payer) => withWords({ ...payer, updatedAt: payer.createdAt })))
      .onConflictDoNothing({ target: [customers.companyId, customers.taxId] })
  }
  const found = missing.length > 0 ? await find() : known
  return new Map(found.map(({ id, companyId, taxId }) => [`${companyId} ${taxId}`, id]))
}

function isCustomer(companyId: string, taxId: string) {
  return and(eq(customers.companyId, companyId), eq(customers.taxId, taxId))
}

/**
 * Locks a customer against being anonymized until the transaction ends. Returns false when the customer no longer has
 * this document, as after an anonymization.
 */
export async function lockCustomer(tx: Transaction, id: string, taxId: string): Promise<boolean> {
  const kept = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, id), eq(customers.taxId, taxId)))
    .for('key share')
  return kept.length > 0
}

/** `isNew` is false when a repeated request already created the customer with this id; it is unchanged. */
export async function createCustomer(
  db: Database,
  companyId: string,
  input: NewCustomer,
  { id, now }: CreateContext,
): Promise<{ customer: CustomerRow; isNew: boolean }> {
  const row = toNewCustomerRow(companyId, input, { id, now })
  try {
    await db.insert(customers).values(withWords(row))
    return { customer: row, isNew: true }
  } catch (error) {
    const constraint = getViolatedConstraint(error)
    if (constraint !== TAX_ID_CONSTRAINT && constraint !== 'customers_pkey') throw error
    const made = await findCustomer(db, companyId, id)
    if (made) return { customer: made, isNew: false }
    if (constraint === 'customers_pkey' || !row.taxId) throw notFoundError(customerTexts.notFound)
    throw await buildCustomerExistsError(db, companyId, row.taxId)
  }
}

/** Undefined also for an anonymized customer. */
export async function findCustomer(
  db: Db,
  companyId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db
    .select()
    .from(customers)
    .where(and(isAddressed(id), eq(customers.companyId, companyId), isNull(customers.anonymizedAt)))
  return row
}

/** The customer with this id, or the one into whom that one was merged. */
export function isAddressed(id: string) {
  return eq(customers.id, resolveMergedSql(id))
}

/** The id of the customer who stayed, for the id of one who was merged; any other id is its own. */
export function resolveMergedSql(id: string) {
  return sql`(select coalesce(merged_into, id) from customers where id = ${id})`
}

/** All ids by which a customer is known: the own one, and those of customers who were merged into it. */
export function listIdsSql(id: string) {
  return sql`(select id from customers where id = ${id} or merged_into = ${id})`
}

export async function findCustomerByTaxId(
  db: Database,
  companyId: string,
  taxId: string,
): Promise<CustomerRow | undefined> {
  const [row] = await db.select().from(customers).where(isCustomer(companyId, taxId))
  return row
}

type UpdateCustomerResult = { kind: 'updated'; customer: CustomerRow } | { kind: 'notFound' }

export async function updateCustomer(
  db: Database,
  companyId: string,
  id: string,
  input: CustomerChanges,
  now: Date,
  /** Changes nothing, and returns not found, unless the customer is still as in this row. */
  before?: CustomerRow,
): Promise<UpdateCustomerResult> {
  const { name, email, phone, taxId } = input
  const given = getEntries({ name, email, phone, taxId }).filter(([, value]) => value !== undefined)
  if (given.length === 0 || !isUuid(id)) {
    return toUpdateResult(await findCustomer(db, companyId, id))
  }
  try {
    return await db.transaction(async (tx) => {
      const isTheirs = and(isAddressed(id), eq(customers.companyId, companyId))
      const [current] = await tx
        .select()
        .from(customers)
        .where(and(isTheirs, isNull(customers.anonymizedAt)))
        .for('no key update')
      if (!current) return { kind: 'notFound' }
      if (before && given.some(([key]) => current[key] !== before[key])) return { kind: 'notFound' }
      if (given.every(([key, value]) => current[key] === value)) {
        return { kind: 'updated', customer: current }
      }
      const changed = { ...current, ...Object.fromEntries(given), updatedAt: now.toISOString() }
      await tx.update(customers).set(withWords(changed)).where(isTheirs)
      return { kind: 'updated', customer: changed }
    })
  } catch (error) {
    if (getViolatedConstraint(error) !== TAX_ID_CONSTRAINT || !taxId) throw error
    throw await buildCustomerExistsError(db, companyId, taxId)
  }
}

/** Adds the words by which searches find the row. */
export function withWords<Row extends Parameters<typeof listCustomerWords>[0]>(row: Row) {
  return { ...row, words: toTsvector(listCustomerWords(row)) }
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
    mergedInto: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

async function buildCustomerExistsError(db: Database, companyId: string, taxId: string) {
  const known = await findCustomerByTaxId(db, companyId, taxId)
  const headers = known ? { location: customerPath(known.id) } : {}
  return new AppError(409, 'customer_exists', customerTexts.exists, { headers })
}

export function customerPath(id: string) {
  return `/api/customers/${id}`
}

/** The customer of a payment link: only a payer with the customer's document may pay it. */
type Linked = { companyId: string; linkedCustomerId: string | null }

/**
 * Undefined when the link is for anyone, also after its customer was anonymized. A customer who is known by a document of
 * another country has no document here: a Pix could not be paid with it.
 */
export async function findLinkedCustomer(
  db: Db,
  { companyId, linkedCustomerId }: Linked,
): Promise<LinkedCustomer | undefined> {
  if (!linkedCustomerId) return undefined
  const customer = await findCustomer(db, companyId, linkedCustomerId)
  if (!customer) return undefined
  const { taxId } = customer
  return { ...customer, taxId: getTaxId(taxId), foreignDocument: getForeignDocument(taxId) }
}

type LinkedCustomer = CustomerRow & { foreignDocument: string | null }

/**
 * Returns the customer whom a payment with this document belongs to: the link's own. A customer who is known by a document
 * of another country pays with that one; undefined for any other, which is a customer of its own.
 */
export function getPayingCustomerId(linked: LinkedCustomer | undefined, taxId: string) {
  const { foreignDocument = null } = linked ?? {}
  const isTheirs = foreignDocument === null || foreignDocument === getForeignDocument(taxId)
  return isTheirs ? linked?.id : undefined
}

/** Accepts any document when the customer's own is unknown. */
export function isDocumentAccepted(linked: CustomerRow | undefined, taxId: string) {
  return !linked?.taxId || linked.taxId === taxId
}
