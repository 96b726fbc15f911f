// A person who asks to be forgotten is anonymized. The row stays, without anybody in it, since payments point
// at it; so do they, with their amounts and their state.

import { eraseCustomerChanges } from '../companies/audit.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from '../database/drizzle.ts'
import { isUuid } from '../database/id.ts'
import {
  customers,
  idempotencyKeys,
  incomingPayments,
  mails,
  paymentLinks,
  transactions,
  unmatchedPayments,
} from '../database/tables.ts'
import { listCustomerWords, toTsvector } from '../lists/words.ts'
import { customerTexts } from './texts.ts'

type AnonymizeResult =
  | { kind: 'anonymized' }
  /** There never was such a customer. */
  | { kind: 'notFound' }

/**
 * Anonymizes the person: what says who it was goes from the customer and from each of its payments, and
 * links meant for it are for anyone. Asked again it looks again, for a payment that was in progress the
 * first time.
 */
export async function anonymizeCustomer(
  db: Database,
  companyId: string,
  id: string,
  now: Date,
): Promise<AnonymizeResult> {
  if (!isUuid(id)) return { kind: 'notFound' }
  const known = await anonymizeWhatIsThere(db, companyId, id, now)
  // Whoever read the person before that was written could still point a payment or a link at it.
  return known.kind === 'notFound' ? known : anonymizeWhatIsThere(db, companyId, id, now)
}

async function anonymizeWhatIsThere(
  db: Database,
  companyId: string,
  id: string,
  now: Date,
): Promise<AnonymizeResult> {
  const updatedAt = now.toISOString()
  return db.transaction(async (tx) => {
    const ours = and(eq(customers.id, id), eq(customers.companyId, companyId))
    if ((await tx.select({ id: customers.id }).from(customers).where(ours)).length === 0)
      return { kind: 'notFound' }

    // Links before the customer, the customer before its payments: as whoever pays takes their locks.
    await tx
      .update(paymentLinks)
      .set({ linkedCustomerId: null, updatedAt })
      .where(eq(paymentLinks.linkedCustomerId, id))
    // Waits for whoever writes one that points at it, which an update alone would not.
    await tx.select({ id: customers.id }).from(customers).where(ours).for('update')
    await tx
      .update(customers)
      .set({ ...ANONYMOUS_CUSTOMER, words: toTsvector([]), anonymizedAt: updatedAt, updatedAt })
      .where(and(ours, isNull(customers.anonymizedAt)))
    const named = and(eq(transactions.customerId, id), isNotNull(transactions.payerTaxId))
    const words = await listPayerWords(tx, named)
    await tx
      .update(transactions)
      .set({
        ...ANONYMOUS_PAYER,
        words: sql`ts_delete(${transactions.words}, ${sql.param(words)}::text[])`,
        updatedAt,
      })
      .where(named)
    // After the payments: one approved meanwhile has its mails and its Pix by now, any later one names nobody.
    const payments = tx
      .select({ id: transactions.id })
      .from(transactions)
      .where(eq(transactions.customerId, id))
    for (const table of [incomingPayments, unmatchedPayments]) {
      await tx
        .update(table)
        .set({ payerName: null, payerTaxId: null })
        .where(inArray(table.transactionId, payments))
    }
    await tx.delete(mails).where(inArray(mails.subjectId, payments))
    await eraseStoredAnswers(tx, companyId, id)
    await eraseCustomerChanges(tx, companyId, id)
    return { kind: 'anonymized' }
  })
}

/** The words that payments are found by because of who paid them. */
async function listPayerWords(tx: Transaction, which: SQL | undefined): Promise<string[]> {
  const payers = await tx
    .selectDistinct({
      name: transactions.payerName,
      email: transactions.payerEmail,
      taxId: transactions.payerTaxId,
      phone: transactions.payerPhone,
    })
    .from(transactions)
    .where(which)
  return [...new Set(payers.flatMap(listCustomerWords))]
}

/** What calls on the customer or its payments were answered. The keys stay taken: nothing is done twice. */
async function eraseStoredAnswers(tx: Transaction, companyId: string, id: string) {
  const toldOf = sql`select ${id.toLowerCase()}
    union all select ${transactions.id}::text from ${transactions} where ${transactions.customerId} = ${id}`
  await tx
    .update(idempotencyKeys)
    .set({ body: null, location: null })
    .where(
      and(
        eq(idempotencyKeys.companyId, companyId),
        isNotNull(idempotencyKeys.body),
        // What the path names, or the address of what was made: `/api/transactions/{id}/simulate`.
        sql`(lower(split_part(${idempotencyKeys.route}, '/', 4)) in (${toldOf})
          or split_part(${idempotencyKeys.location}, '/', 4) in (${toldOf}))`,
      ),
    )
}

const ANONYMOUS_CUSTOMER = { name: customerTexts.anonymous, email: null, phone: null, taxId: null }
const ANONYMOUS_PAYER = {
  payerName: customerTexts.anonymous,
  payerEmail: null,
  payerPhone: null,
  payerTaxId: null,
  cardHolder: null,
  customFields: null,
}
