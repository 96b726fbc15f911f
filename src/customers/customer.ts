// Who pays a company. One customer per document; what a payer typed later does not overwrite what the
// company knows, since anybody can type anybody's document. One who was anonymized (anonymize.ts) is a
// row that no query finds.

import { type Database, getViolatedConstraint, type Transaction } from '../database/connect.ts'
import { and, eq, isNull, or } from '../database/drizzle.ts'
import { type CreateContext, isUuid, newId } from '../database/id.ts'
import { customers } from '../database/tables.ts'
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
  /** From parseTaxId. */
  taxId: string
  phone: string | null
}

/** The id of the company's customer with this document, made on the first payment. */
export async function findOrCreateCustomer(db: Database, payer: Payer, now: Date): Promise<string> {
  const at = now.toISOString()
  const isTheirs = isCustomer(payer.companyId, payer.taxId)
  // Again only when another statement makes the customer after ours looked for it.
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
 * The ids of the customers with these documents, by `toCustomerKey`, made where they are new and kept from being
 * forgotten until the transaction ends. One who was forgotten a moment before is missing.
 */
export async function findOrCreateCustomers(
  tx: Transaction,
  payers: (Payer & { id: string; createdAt: string })[],
): Promise<Map<string, string>> {
  if (payers.length === 0) return new Map()
  const wanted = new Map(payers.map((payer) => [toCustomerKey(payer), payer]))
  // The same order in every transaction, so that two never deadlock.
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
 * Whether the customer with this document may be pointed at until the transaction ends: one who is being forgotten at
 * that moment is waited for, and has no document then.
 */
export async function lockCustomer(tx: Transaction, id: string, taxId: string): Promise<boolean> {
  const kept = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, id), eq(customers.taxId, taxId)))
    .for('key share')
  return kept.length > 0
}

/** Returns the customer unchanged when a repeated request already created it with this id. */
export async function createCustomer(
  db: Database,
  companyId: string,
  input: NewCustomer,
  { id, now }: CreateContext,
): Promise<CustomerRow> {
  const row = toNewCustomerRow(companyId, input, { id, now })
  try {
    await db.insert(customers).values(withWords(row))
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
  const [row] = await db
    .select()
    .from(customers)
    .where(
      and(eq(customers.id, id), eq(customers.companyId, companyId), isNull(customers.anonymizedAt)),
    )
  return row
}

type UpdateCustomerResult = { kind: 'updated'; customer: CustomerRow } | { kind: 'notFound' }

export async function updateCustomer(
  db: Database,
  companyId: string,
  id: string,
  input: CustomerChanges,
  now: Date,
  /** Changes nothing, and reports not found, unless the customer is still as in this row. */
  before?: CustomerRow,
): Promise<UpdateCustomerResult> {
  const { name, email, phone, taxId } = input
  const given = getEntries({ name, email, phone, taxId }).filter(([, value]) => value !== undefined)
  if (given.length === 0 || !isUuid(id)) {
    return toUpdateResult(await findCustomer(db, companyId, id))
  }
  try {
    return await db.transaction(async (tx) => {
      const isTheirs = and(eq(customers.id, id), eq(customers.companyId, companyId))
      const [current] = await tx
        .select()
        .from(customers)
        .where(and(isTheirs, isNull(customers.anonymizedAt)))
        .for('no key update')
      if (!current) return { kind: 'notFound' }
      if (before && given.some(([key]) => current[key] !== before[key])) return { kind: 'notFound' }
      const changed = { ...current, ...Object.fromEntries(given), updatedAt: now.toISOString() }
      await tx.update(customers).set(withWords(changed)).where(isTheirs)
      return { kind: 'updated', customer: changed }
    })
  } catch (error) {
    if (getViolatedConstraint(error) !== TAX_ID_CONSTRAINT || !taxId) throw error
    throw await buildCustomerExistsError(db, companyId, taxId)
  }
}

/** The row to write, with the words that searches find it by. */
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

export function customerPath(id: string) {
  return `/api/customers/${id}`
}

/** The customer that a payment link is meant for: only a payer with the customer's document may pay it. */
type Linked = { companyId: string; linkedCustomerId: string | null }

/** Undefined when the link is for anyone, as it is again after its customer was anonymized. */
export async function findLinkedCustomer(
  db: Database,
  { companyId, linkedCustomerId }: Linked,
): Promise<CustomerRow | undefined> {
  return linkedCustomerId ? findCustomer(db, companyId, linkedCustomerId) : undefined
}

/** Anybody's document will do where that of the link's customer is not known. */
export function isDocumentAccepted(linked: CustomerRow | undefined, taxId: string) {
  return !linked?.taxId || linked.taxId === taxId
}
