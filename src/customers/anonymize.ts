// Anonymizes a person on request. The row stays, without personal data, since payments refer to it; payments keep their
// amounts and status.

import { eraseCustomerChanges } from '../companies/audit.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from '../database/drizzle.ts'
import { isUuid } from '../database/id.ts'
import {
  customers,
  idempotencyKeys,
  incomingPayments,
  linkRecipients,
  mails,
  paymentLinks,
  transactions,
  unmatchedPayments,
} from '../database/tables.ts'
import { listCustomerWords, toTsvector } from '../lists/words.ts'
import { isAddressed, listIdsSql } from './customer.ts'
import { customerTexts } from './texts.ts'

type AnonymizeResult =
  | { kind: 'anonymized' }
  /** The company never had this customer. */
  | { kind: 'notFound' }

/**
 * Removes the personal data from the customer and from each of its payments; links for this customer become links for
 * anyone. A second call repeats this for payments that were in progress at the first.
 */
export async function anonymizeCustomer(
  db: Database,
  companyId: string,
  id: string,
  now: Date,
): Promise<AnonymizeResult> {
  if (!isUuid(id)) return { kind: 'notFound' }
  const known = await anonymizeWhatIsThere(db, companyId, id, now)
  // A second pass: a request that read the person before the first one may have added a payment or link since.
  return known.kind === 'notFound' ? known : anonymizeWhatIsThere(db, companyId, id, now)
}

async function anonymizeWhatIsThere(
  db: Database,
  companyId: string,
  address: string,
  now: Date,
): Promise<AnonymizeResult> {
  const updatedAt = now.toISOString()
  return db.transaction(async (tx) => {
    const [known] = await tx
      .select({ id: customers.id, email: customers.email })
      .from(customers)
      .where(and(isAddressed(address), eq(customers.companyId, companyId)))
    if (!known) return { kind: 'notFound' }
    const { id } = known
    const ours = eq(customers.id, id)
    const rows = await tx
      .select({ id: customers.id })
      .from(customers)
      .where(inArray(customers.id, listIdsSql(id)))
    const ids = rows.map((row) => row.id)

    // Payments take their locks in the same order: links, customer, payments.
    const sentLinks = await eraseRecipients(tx, companyId, { ids, email: known.email })
    await tx
      .update(paymentLinks)
      .set({ linkedCustomerId: null, updatedAt })
      .where(inArray(paymentLinks.linkedCustomerId, ids))
    // Waits for transactions that insert a link or payment of this customer; an update alone would not wait.
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
    // Comes after the payments: a payment approved meanwhile has its mails and Pix by now, and later ones have no name.
    const payments = tx
      .select({ id: transactions.id })
      .from(transactions)
      .where(eq(transactions.customerId, id))
    // A Pix that came in without a charge is booked too, by the company or later by its charge.
    const booked = tx
      .select({ id: incomingPayments.endToEndId })
      .from(incomingPayments)
      .where(inArray(incomingPayments.transactionId, payments))
    const unnamed = { payerName: null, payerTaxId: null }
    await tx
      .update(incomingPayments)
      .set(unnamed)
      .where(inArray(incomingPayments.transactionId, payments))
    await tx
      .update(unmatchedPayments)
      .set(unnamed)
      .where(
        and(
          eq(unmatchedPayments.companyId, companyId),
          inArray(unmatchedPayments.endToEndId, booked),
        ),
      )
    await tx.delete(mails).where(inArray(mails.subjectId, payments))
    await eraseStoredAnswers(tx, companyId, ids, sentLinks)
    await eraseCustomerChanges(tx, companyId, ids)
    return { kind: 'anonymized' }
  })
}

/**
 * Erases the e-mail addresses to which the customer's links were sent, and the customer's own address wherever a link was
 * sent to it. Returns the ids of these links.
 */
async function eraseRecipients(
  tx: Transaction,
  companyId: string,
  { ids, email }: { ids: string[]; email: string | null },
) {
  const links = tx
    .select({ id: paymentLinks.id })
    .from(paymentLinks)
    .where(inArray(paymentLinks.linkedCustomerId, ids))
    .for('no key update')
  const erased = await tx
    .delete(linkRecipients)
    .where(
      or(
        inArray(linkRecipients.linkId, links),
        and(
          eq(linkRecipients.companyId, companyId),
          eq(linkRecipients.email, email?.toLowerCase() ?? ''),
        ),
      ),
    )
    .returning({ id: linkRecipients.id, linkId: linkRecipients.linkId })
  await tx.delete(mails).where(
    inArray(
      mails.subjectId,
      erased.map((row) => row.id),
    ),
  )
  return erased.map(({ linkId }) => linkId)
}

/** Lists the words of payers by which their payments are found. */
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

/**
 * Erases stored API answers about the customer, its payments or the links that were sent to it. The idempotency keys
 * remain used, so that nothing is done twice.
 */
async function eraseStoredAnswers(
  tx: Transaction,
  companyId: string,
  ids: string[],
  linkIds: string[],
) {
  const namedIds = sql`select unnest(${sql.param(ids)}::text[])
    union all select ${transactions.id}::text from ${transactions}
      where ${transactions.customerId} = any(${sql.param(ids)}::uuid[])
    union all select unnest(array[${paymentLinks.id}::text, lower(${paymentLinks.slug})]) from ${paymentLinks}
      where ${paymentLinks.id} = any(${sql.param(linkIds)}::uuid[])`
  await tx
    .update(idempotencyKeys)
    .set({ body: null, location: null })
    .where(
      and(
        eq(idempotencyKeys.companyId, companyId),
        isNotNull(idempotencyKeys.body),
        // The id in the path, or in the location of the created resource: `/api/transactions/{id}/simulate`.
        sql`(lower(split_part(${idempotencyKeys.route}, '/', 4)) in (${namedIds})
          or split_part(${idempotencyKeys.location}, '/', 4) in (${namedIds}))`,
      ),
    )
}

export const ANONYMOUS_CUSTOMER = {
  name: customerTexts.anonymous,
  email: null,
  phone: null,
  taxId: null,
}
const ANONYMOUS_PAYER = {
  payerName: customerTexts.anonymous,
  payerEmail: null,
  payerPhone: null,
  payerTaxId: null,
  cardHolder: null,
  customFields: null,
}
