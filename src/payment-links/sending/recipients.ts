// The e-mail addresses to which a link was sent, with the reminders, stops and refusals of each.
import type { Company } from '../../companies/company.ts'
import type { Db, Transaction } from '../../database/connect.ts'
import { and, desc, eq, isNull, type SQL, sql } from '../../database/drizzle.ts'
import { newId, newToken } from '../../database/id.ts'
import { linkRecipients } from '../../database/tables.ts'
import type { MailData } from '../../mail/data.ts'
import { quotePix } from '../installments.ts'
import type { LinkRow } from '../payment-link.ts'
import { linkUrl } from '../serialize.ts'

type MailingCompany = Pick<Company, 'testMode' | 'pixDiscountBps'>

export type RecipientRow = typeof linkRecipients.$inferSelect

/** The most recipients that an answer has. */
const MAX_SHOWN_RECIPIENTS = 50

/** Lists recipients, newest first. */
export async function listRecipients(db: Db, linkId: string): Promise<RecipientRow[]> {
  return db
    .select()
    .from(linkRecipients)
    .where(eq(linkRecipients.linkId, linkId))
    .orderBy(desc(linkRecipients.id))
    .limit(MAX_SHOWN_RECIPIENTS)
}

export function serializeRecipient(row: RecipientRow) {
  const { email, sentAt, remindedAt, remindersSent, stoppedAt, refusedAt } = row
  return { email, sentAt, remindedAt, remindersSent, stoppedAt, refusedAt }
}

/** Undefined if the reader of this address has stopped the e-mails about the link. */
export async function recordSent(
  tx: Transaction,
  link: LinkRow,
  email: string,
  now: Date,
): Promise<RecipientRow | undefined> {
  const sent = { sentAt: now.toISOString(), refusedAt: null }
  const [row] = await tx
    .insert(linkRecipients)
    .values({ ...toNewRecipient(link, email, now), ...sent })
    .onConflictDoUpdate({
      target: [linkRecipients.linkId, linkRecipients.email],
      set: sent,
      setWhere: isNull(linkRecipients.stoppedAt),
    })
    .returning()
  return row
}

/** Counts a reminder to each address of the link, its customer's included, except stopped and refused addresses. */
export async function recordReminded(
  tx: Transaction,
  link: LinkRow,
  customerEmail: string | null,
  now: Date,
): Promise<RecipientRow[]> {
  if (customerEmail !== null) {
    await tx
      .insert(linkRecipients)
      .values(toNewRecipient(link, customerEmail, now))
      .onConflictDoNothing()
  }
  return tx
    .update(linkRecipients)
    .set({ remindedAt: now.toISOString(), remindersSent: sql`reminders_sent + 1` })
    .where(
      and(
        eq(linkRecipients.linkId, link.id),
        isNull(linkRecipients.stoppedAt),
        isNull(linkRecipients.refusedAt),
        sql`(sent_at is not null or email = ${customerEmail})`,
      ),
    )
    .returning()
}

export async function findRecipient(db: Db, which: SQL): Promise<RecipientRow | undefined> {
  const [row] = await db.select().from(linkRecipients).where(which)
  return row
}

/** A second stop keeps the time of the first. */
export async function stopMails(db: Db, id: string, now: Date) {
  await db
    .update(linkRecipients)
    .set({ stoppedAt: now.toISOString() })
    .where(and(eq(linkRecipients.id, id), isNull(linkRecipients.stoppedAt)))
}

/** Loads the link's data for an e-mail to this address. */
export async function loadLinkMail(
  tx: Transaction,
  link: LinkRow,
  { email, token }: RecipientRow,
  { checkoutUrl, company }: { checkoutUrl: string; company: MailingCompany },
): Promise<MailData['payment-link']> {
  const { title, amountCents, methods, expiresAt, slug } = link
  const { totalCents, discountCents } = quotePix(link, company)
  const payUrl = linkUrl(checkoutUrl, slug)
  return {
    ...{ linkTitle: title, amountCents, methods, expiresAt, testMode: company.testMode },
    ...(methods.includes('pix') && discountCents > 0 && { pixCents: totalCents }),
    ...{ payUrl, stopUrl: `${payUrl}/emails/${token}` },
    locale: await findPayerLocale(tx, link, email),
  }
}

/** Returns the language of the latest payment by a customer with this address or by the link's customer; null without one. */
async function findPayerLocale(
  tx: Transaction,
  { companyId, linkedCustomerId }: LinkRow,
  email: string,
) {
  const { rows } = await tx.execute<{ locale: MailData['payment-link']['locale'] }>(sql`
    select payment.locale from customers
    join transactions payment on payment.customer_id = customers.id and payment.locale is not null
    where customers.company_id = ${companyId}
      and (customers.id = ${linkedCustomerId}::uuid or lower(customers.email) = ${email})
    order by payment.id desc limit 1`)
  return rows[0]?.locale ?? null
}

function toNewRecipient({ id: linkId, companyId }: LinkRow, email: string, now: Date) {
  const createdAt = now.toISOString()
  return { id: newId(), companyId, linkId, email, token: newToken(), createdAt }
}
