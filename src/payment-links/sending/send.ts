// Sends a link to its customer, or to an address, by e-mail. The event `payment_link.sent` reports it.

import { type Company, listOfferedMethods } from '../../companies/company.ts'
import { findLinkedCustomer } from '../../customers/customer.ts'
import type { Database, Transaction } from '../../database/connect.ts'
import { eq, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import type { CreateContext } from '../../database/id.ts'
import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import { linkRecipients, paymentLinks } from '../../database/tables.ts'
import { conflictError, invalidFieldsError } from '../../http/errors.ts'
import { enforceLimits, type Limiter, undoHitsOnError } from '../../http/limiter.ts'
import { type Outbox, queueMail } from '../../mail/outbox.ts'
import { findEvent } from '../../webhooks/events/log.ts'
import { emitLinkEvent } from '../events.ts'
import { getLinkStatus, type LinkRow, lockLinkForUpdate } from '../payment-link.ts'
import { linkTexts } from '../texts.ts'
import {
  findRecipient,
  loadLinkMail,
  type RecipientRow,
  recordSent,
  serializeRecipient,
} from './recipients.ts'
import { getReminderDueAt } from './schedule.ts'
import { type LinkSending, SendingTarget } from './schema.ts'

export type SendNeeds = {
  db: Database
  limiter: Limiter
  /** When null or absent, no e-mail is sent. */
  mail?: Outbox | null
  checkoutUrl: string
}

/** For one link and one address. */
const ADDRESS_LIMIT = { max: 1, windowMs: 10 * MINUTE_MS }
/** For all links of a company. */
const COMPANY_LIMIT = { max: 1_000, windowMs: DAY_MS }

const words = linkTexts.sending

/** `id` names the request and its event, so that a repeated request sends no second e-mail. */
export async function sendLink(
  needs: SendNeeds,
  company: Company,
  link: LinkRow,
  { email: asked, id, now }: CreateContext & { email: string | null | undefined },
): Promise<LinkSending> {
  const { db, limiter } = needs
  requireSendable(needs, company, link, now)
  const customer = await findLinkedCustomer(db, link)
  const email = asked ?? customer?.email?.toLowerCase()
  if (!email) throw invalidFieldsError([{ field: 'email', code: 'required', message: words.whom }])
  const sent = await findSending(db, link, email, id)
  if (sent) return sent

  const limits = [
    { key: `link-mail:${link.id}:${email}`, limit: ADDRESS_LIMIT },
    { key: `link-mails:${company.id}`, limit: COMPANY_LIMIT },
  ] as const
  const [ofAddress, ofCompany] = limits
  await enforceLimits(limiter, [ofAddress], words.justSent, id)
  await enforceLimits(limiter, [ofCompany], words.tooMany, id)
  const isCustomer = customer !== undefined && customer.email?.toLowerCase() === email
  return undoHitsOnError(limiter, [...limits], () =>
    db.transaction((tx) => {
      const target = { email, customerId: isCustomer ? customer.id : null }
      return writeSending(tx, needs, { company, linkId: link.id, target, id, now })
    }),
  )
}

/** Throws if the link cannot be sent. */
function requireSendable({ mail }: SendNeeds, company: Company, link: LinkRow, now: Date) {
  if (link.status === 'archived') throw conflictError('link_archived', linkTexts.archived)
  if (!canBePaid(company, link, now)) throw conflictError('link_not_payable', words.notPayable)
  if (!mail) throw conflictError('email_unavailable', words.noMail)
}

export function canBePaid(company: Company, link: LinkRow, now: Date) {
  return (
    getLinkStatus(link, now) === 'active' && listOfferedMethods(company, link.methods).length > 0
  )
}

type Sending = CreateContext & {
  company: Company
  linkId: string
  target: { email: string; customerId: string | null }
}

async function writeSending(
  tx: Transaction,
  needs: SendNeeds,
  { company, linkId, target, id, now }: Sending,
): Promise<LinkSending> {
  const link = await lockLinkForUpdate(tx, linkId)
  requireSendable(needs, company, link, now)
  // The customer may have been anonymized meanwhile, together with the address.
  if (target.customerId !== null && target.customerId !== link.linkedCustomerId)
    throw conflictError('changed_meanwhile', linkTexts.changedMeanwhile)
  const recipient = await recordSent(tx, link, target.email, now)
  if (!recipient) throw conflictError('recipient_stopped', words.stopped)
  const mailed = await mailLink(tx, needs, {
    template: 'payment-link',
    company,
    link,
    recipient,
    now,
  })
  await emitLinkEvent(tx, {
    ...{ id, link, type: 'payment_link.sent', testMode: company.testMode, now },
    more: { recipient: { ...target, mailed } },
  })
  await tx
    .update(paymentLinks)
    .set({ reminderDueAt: getReminderDueAt(link, now) })
    .where(eq(paymentLinks.id, linkId))
  return { ...serializeRecipient(recipient), mailed }
}

type NewLinkMail = {
  template: 'payment-link' | 'payment-reminder'
  company: Pick<Company, 'testMode' | 'pixDiscountBps'>
  link: LinkRow
  recipient: RecipientRow
  now: Date
}

/** Queues the e-mail, and returns whether one is sent. */
export async function mailLink(
  tx: Transaction,
  { mail, checkoutUrl }: SendNeeds,
  { template, company, link, recipient, now }: NewLinkMail,
) {
  const data = await loadLinkMail(tx, link, recipient, { checkoutUrl, company })
  const newMail = { template, recipient: recipient.email, subjectId: recipient.id, data }
  return (await queueMail(mail, tx, { companyId: link.companyId, now }, newMail)) > 0
}

/** Finds what this request sent before its answer was lost. */
async function findSending(db: Database, link: LinkRow, email: string, id: string) {
  const event = await findEvent(db, link.companyId, id)
  if (!event) return undefined
  const { mailed } = SendingTarget.parse(JSON.parse(event.body).data.recipient)
  const ofAddress = sql`${linkRecipients.linkId} = ${link.id} and ${linkRecipients.email} = ${email}`
  return { ...serializeRecipient(requireFound(await findRecipient(db, ofAddress))), mailed }
}
