// Customers who seem to be one person, and how two become one. The one that stays gets the payments and links of the
// other; the other's row stays without personal data, like that of an anonymized customer, and leads to the one that
// stays.

import type { Database, Transaction } from '../database/connect.ts'
import { and, desc, eq, inArray, isNull, ne, or, type SQL, sql } from '../database/drizzle.ts'
import { customers, paymentLinks, transactions } from '../database/tables.ts'
import { conflictError } from '../http/errors.ts'
import { toTsvector } from '../lists/words.ts'
import { ANONYMOUS_CUSTOMER } from './anonymize.ts'
import { type CustomerRow, withWords } from './customer.ts'
import { customerTexts } from './texts.ts'

const MAX_SAME_PEOPLE = 5

/** Lists customers with the same e-mail or phone, newest first. Two customers with a document each are two people. */
export async function listSamePeople(
  db: Database,
  { id, companyId, taxId, email, phone }: CustomerRow,
  which?: SQL,
): Promise<CustomerRow[]> {
  const digits = phone?.replace('+', '')
  const isSame = or(
    email ? sql`lower(${customers.email}) = lower(${email})` : undefined,
    // An index has the words.
    phone
      ? and(eq(customers.phone, phone), sql`${customers.words} @@ ${`'${digits}'`}::tsquery`)
      : undefined,
  )
  if (!isSame) return []
  return db
    .select()
    .from(customers)
    .where(
      and(
        eq(customers.companyId, companyId),
        isNull(customers.anonymizedAt),
        ne(customers.id, id),
        isSame,
        taxId === null ? undefined : isNull(customers.taxId),
        which,
      ),
    )
    .orderBy(desc(customers.id))
    .limit(MAX_SAME_PEOPLE)
}

export type Merging = { kept: CustomerRow; merged: CustomerRow }

/** The customer with a document stays, since payments find their customer by it; otherwise the first one. */
export function chooseKept(first: CustomerRow, second: CustomerRow): Merging {
  return second.taxId === null ? { kept: first, merged: second } : { kept: second, merged: first }
}

/** @param record writes the audit log in the same transaction */
export async function mergeCustomers(
  db: Database,
  { kept, merged }: Merging,
  now: Date,
  record: (tx: Transaction) => Promise<void>,
) {
  const updatedAt = now.toISOString()
  const isLinked = eq(paymentLinks.linkedCustomerId, merged.id)
  await db.transaction(async (tx) => {
    // Payments take their locks in the same order: links, customers, payments. A payment that is being written holds
    // its link; one that waits for the link sees that it has changed.
    await tx
      .select({ id: paymentLinks.id })
      .from(paymentLinks)
      .where(isLinked)
      .orderBy(paymentLinks.id)
      .for('update')
    const into = await lockPair(tx, { kept, merged })
    await tx.update(paymentLinks).set({ linkedCustomerId: kept.id, updatedAt }).where(isLinked)
    await tx
      .update(customers)
      .set({ ...ANONYMOUS_CUSTOMER, words: toTsvector([]), anonymizedAt: updatedAt, updatedAt })
      .where(eq(customers.id, merged.id))
    await tx
      .update(customers)
      .set({ mergedInto: kept.id })
      .where(or(eq(customers.id, merged.id), eq(customers.mergedInto, merged.id)))
    await tx
      .update(customers)
      .set(withWords({ ...into, updatedAt }))
      .where(eq(customers.id, kept.id))
    await tx
      .update(transactions)
      .set({ customerId: kept.id, updatedAt })
      .where(eq(transactions.customerId, merged.id))
    await record(tx)
  })
}

/** Locks both, the one with a document first, as payments do. Returns the one that stays, with what only the other had. */
async function lockPair(tx: Transaction, { kept, merged }: Merging): Promise<CustomerRow> {
  const rows = await tx
    .select()
    .from(customers)
    .where(and(inArray(customers.id, [kept.id, merged.id]), isNull(customers.anonymizedAt)))
    .orderBy(customers.taxId, customers.id)
    .for('update')
  const into = rows.find(({ id }) => id === kept.id)
  const from = rows.find(({ id }) => id === merged.id)
  if (!into || !from || from.taxId !== null) {
    throw conflictError('changed_meanwhile', customerTexts.changedMeanwhile)
  }
  return { ...into, email: into.email ?? from.email, phone: into.phone ?? from.phone }
}
