// Reminds payers of links that are not paid. A reminder is written in the transaction that claims its link and finds it
// unpaid, so that it is sent once however many processes run, and is checked once more before it is sent. The event
// `payment_link.reminded` reports each, also for a customer without a working e-mail address.
import { type Company, findCompany } from '../../companies/company.ts'
import { findLinkedCustomer } from '../../customers/customer.ts'
import type { Database, Db, Transaction } from '../../database/connect.ts'
import { eq, inArray, sql } from '../../database/drizzle.ts'
import { OPEN_STATUSES } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { HOUR_MS, isPast } from '../../database/instant.ts'
import { IS_REMINDER_PENDING, linkRecipients, paymentLinks } from '../../database/tables.ts'
import { MailOverError } from '../../mail/claim.ts'
import type { MailRow } from '../../mail/outbox.ts'
import { runInterval, type WorkNeeds } from '../../queue/interval.ts'
import { selectDueIds } from '../../queue/lease.ts'
import { emitLinkEvent } from '../events.ts'
import { getLinkStatus, type LinkRow } from '../payment-link.ts'
import { findRecipient, recordReminded } from './recipients.ts'
import { getReminderDueAt, isReminderTime } from './schedule.ts'
import type { SendingTarget } from './schema.ts'
import { canBePaid, mailLink, type SendNeeds } from './send.ts'

const REMINDER_INTERVAL_MS = 30_000
const BATCH_SIZE = 10
/** The wait before a link is checked again that cannot be paid now, or has a payment in progress. */
const RECHECK_MS = HOUR_MS

/** Sends reminders until stopped; stopping waits for the running batch. */
export function startReminders(needs: SendNeeds & WorkNeeds) {
  const failure = 'payers cannot be reminded for now'
  return runInterval({ intervalMs: REMINDER_INTERVAL_MS, log: needs.log, failure }, () =>
    remindDueLinks(needs, needs.now()),
  )
}

/** Reminds the payers of one batch of links that are due at `now`; returns whether there were any. */
export async function remindDueLinks(needs: SendNeeds, now: Date): Promise<boolean> {
  if (!isReminderTime(now)) return false
  const pending = sql`and ${IS_REMINDER_PENDING} order by reminder_due_at limit ${BATCH_SIZE}`
  const due = selectDueIds(paymentLinks, paymentLinks.reminderDueAt, now, pending)
  const reminderDueAt = new Date(now.getTime() + RECHECK_MS).toISOString()
  return needs.db.transaction(async (tx) => {
    const links = await tx
      .update(paymentLinks)
      .set({ reminderDueAt })
      .where(inArray(paymentLinks.id, due))
      .returning()
    for (const link of links) {
      const changes = await remindPayers(tx, needs, link, now)
      await tx.update(paymentLinks).set(changes).where(eq(paymentLinks.id, link.id))
    }
    return links.length > 0
  })
}

type ReminderState = Pick<LinkRow, 'remindersSent' | 'reminderDueAt'>

/** Reminds the payers of a locked link, and returns the next state of its reminders. */
async function remindPayers(
  tx: Transaction,
  needs: SendNeeds,
  link: LinkRow,
  now: Date,
): Promise<ReminderState> {
  const { remindersSent, reminderDueAt } = link
  const ended = { remindersSent, reminderDueAt: null }
  const payment = await findPayment(tx, link.id)
  if (payment.isMade || isPast(link.expiresAt, now)) return ended
  const company = requireFound(await findCompany(tx, link.companyId))
  if (payment.isOpen || !canBePaid(company, link, now)) return { remindersSent, reminderDueAt }

  const targets = await mailReminders(tx, needs, { company, link, now })
  for (const recipient of targets) {
    const { testMode } = company
    const more = { recipient }
    await emitLinkEvent(tx, { link, type: 'payment_link.reminded', testMode, now, more })
  }
  // Without an address the reminders end; sending the link starts them again.
  if (targets.length === 0) return ended
  const sent = { ...link, remindersSent: remindersSent + 1 }
  return { remindersSent: sent.remindersSent, reminderDueAt: getReminderDueAt(sent, now) }
}

/** Returns all who are reminded; a customer without a working address is reminded by the event alone. */
async function mailReminders(
  tx: Transaction,
  needs: SendNeeds,
  reminder: { company: Company; link: LinkRow; now: Date },
): Promise<SendingTarget[]> {
  const { link, now } = reminder
  const customer = await findLinkedCustomer(tx, link)
  const ofCustomer = customer?.email?.toLowerCase() ?? null
  const targets: SendingTarget[] = []
  const recipients = needs.mail ? await recordReminded(tx, link, ofCustomer, now) : []
  for (const recipient of recipients) {
    const { email } = recipient
    const customerId = customer && email === ofCustomer ? customer.id : null
    const template = 'payment-reminder'
    const mailed = await mailLink(tx, needs, { ...reminder, template, recipient })
    targets.push({ customerId, email, mailed })
  }
  if (!customer || !(await isRemindedByEventOnly(tx, needs, link, ofCustomer))) return targets
  return [...targets, { customerId: customer.id, email: null, mailed: false }]
}

/** Whether only the event reminds the customer: no e-mail reaches the customer, who has not stopped the e-mails. */
async function isRemindedByEventOnly(
  tx: Transaction,
  { mail }: SendNeeds,
  { id }: LinkRow,
  email: string | null,
) {
  if (email === null) return true
  const ofAddress = sql`${linkRecipients.linkId} = ${id} and ${linkRecipients.email} = ${email}`
  const known = await findRecipient(tx, ofAddress)
  return !known?.stoppedAt && (!mail || Boolean(known?.refusedAt))
}

/** For the mail worker: throws a MailOverError if an e-mail about a link must not be sent any more, another error if not yet. */
export async function requireDueLinkMail(
  db: Database,
  { template, subjectId }: Pick<MailRow, 'template' | 'subjectId'>,
  now: Date,
) {
  const isReminder = template === 'payment-reminder'
  if (!isReminder && template !== 'payment-link') return
  const [found] = await db
    .select({ link: paymentLinks, stoppedAt: linkRecipients.stoppedAt })
    .from(linkRecipients)
    .innerJoin(paymentLinks, eq(paymentLinks.id, linkRecipients.linkId))
    .where(sql`${linkRecipients.id} = ${subjectId}`)
  if (!found || found.stoppedAt !== null || getLinkStatus(found.link, now) !== 'active')
    throw new MailOverError('its link cannot be paid, or its reader has stopped it')
  if (!isReminder) return
  const payment = await findPayment(db, found.link.id)
  if (payment.isMade) throw new MailOverError('its link is paid')
  if (payment.isOpen || !isReminderTime(now)) throw new Error('a reminder waits')
}

/** Whether a payment of the link was ever approved, and whether one is in progress: with a bank, held, or an open Pix code. */
async function findPayment(db: Db, linkId: string) {
  const { rows } = await db.execute<{ isMade: boolean; isOpen: boolean }>(sql`
    select
      exists (select from transactions
        where payment_link_id = ${linkId} and approved_at is not null) as "isMade",
      exists (select from transactions
        where payment_link_id = ${linkId} and (status = any(${sql.param(OPEN_STATUSES)}::text[])
          or (hold_reason is not null and status <> 'canceled'))) as "isOpen"`)
  return requireFound(rows[0])
}
