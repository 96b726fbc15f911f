// Handles a sent form: the form is checked, and becomes an attempt to pay, which transactions/ processes.

import { setTimeout as sleep } from 'node:timers/promises'
import { requireFound } from '../../database/found.ts'
import { deriveToken } from '../../database/id.ts'
import { toRecord } from '../../http/fields.ts'
import { findLinkWithCompany, type LinkWithCompany } from '../../payment-links/payment-link.ts'
import {
  type CreatePaymentResult,
  createPayment,
  type NewPayment,
} from '../../transactions/create.ts'
import { isGivenUpByOthers } from '../../transactions/give-up.ts'
import {
  buildAttemptRow,
  findTransactionByAttempt,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import { readFormAttempt } from '../form.ts'
import type { CheckoutNeeds } from '../needs.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import { createCardPrecheck } from './card-testing.ts'
import { toLimitNotice } from './limits.ts'
import {
  buildInvalidResult,
  buildRetryResult,
  type CheckedForm,
  checkRenewal,
  checkSubmission,
  type Sender,
  type Submission,
  type SubmissionRefusal,
} from './submission.ts'

/** A link that changes at each try is not paid in this request. */
const MAX_STALE_TRIES = 3
const CAPACITY_DELAYS_MS = [500, 1_500, 3_000]

type PayLinkResult = { kind: 'payment'; row: TransactionRow } | SubmissionRefusal
/** `found` is the link's state at the decision. */
type JudgedPayment = { paid: PayLinkResult; found: LinkWithCompany }

/** Pays a link with the form. A repeated form returns its first payment, unless the other method replaces that one. */
export async function payLink(
  needs: CheckoutNeeds,
  shown: LinkWithCompany,
  { body, ...sent }: Omit<Submission, 'attempt'>,
): Promise<JudgedPayment> {
  const { t } = sent
  const attempt = readFormAttempt(body)?.token
  if (!attempt) return { found: shown, paid: buildRetryResult({ message: t.problems.formExpired }) }
  const sender = { ...sent, attempt }
  return payAsItStands(needs, shown, t, async (found) => {
    const checked = await checkSubmission(needs, found, { ...sender, body })
    if (checked.kind === 'checked') return payChecked(needs, found, checked, sender)

    const before = await findTransactionByAttempt(needs.db, found.link.id, attempt)
    const isAnswered = before && !givesWayTo(before, toRecord(body).method)
    return isAnswered ? { kind: 'payment', row: before } : checked
  })
}

/** `shownPixCents`: the price that the page had on its button, if it says so. */
type Renewal = Pick<Sender, 'address' | 'supersedes' | 't'> & { shownPixCents: number | null }

/** Pays an expired Pix with one new code, however often it is requested. */
export async function renewPix(
  needs: CheckoutNeeds,
  shown: LinkWithCompany,
  row: TransactionRow,
  { shownPixCents, ...sent }: Renewal,
): Promise<JudgedPayment> {
  const attempt = deriveToken(row.attemptToken, row.id)
  const sender = { ...sent, attempt, isTaxIdSealed: row.isTaxIdSealed }
  return payAsItStands(needs, shown, sent.t, async (found) => {
    const checked = await checkRenewal(needs, found, row, { ...sender, shownPixCents })
    return checked.kind === 'checked' ? payChecked(needs, found, checked, sender) : checked
  })
}

type SubmitResult = PayLinkResult | { kind: 'stale' }

/** Repeats everything when the link or its company changed before the attempt was written. */
async function payAsItStands(
  needs: CheckoutNeeds,
  shown: LinkWithCompany,
  t: CheckoutTexts,
  pay: (found: LinkWithCompany) => Promise<SubmitResult>,
): Promise<JudgedPayment> {
  let found = shown
  for (let tries = 0; tries < MAX_STALE_TRIES; tries++) {
    const paid = await pay(found)
    if (paid.kind !== 'stale') return { paid, found }
    found = requireFound(await findLinkWithCompany(needs.db, found.link.id))
  }
  return { found, paid: buildRetryResult({ message: t.problems.amountChanged }) }
}

async function payChecked(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  checked: CheckedForm,
  sender: Sender,
): Promise<SubmitResult> {
  const { link, company } = found
  const { form, quotes } = checked
  const { attempt, address, supersedes, isTaxIdSealed, t } = sender
  const { customerId: known, ...payer } = checked.payer
  const now = needs.now()
  const { method, customFields, ref, utm } = form
  const card = form.card && toCardToken(form.card, address)
  const count = method === 'pix' ? 1 : form.installments
  const quote = quotes.find(({ installments }) => installments === count)
  if (!quote) return buildInvalidResult('installments', t.problems.installments)

  const customerId = known ?? null
  const attempted = { link, company, customerId, payer, method, quote, attemptToken: attempt }
  const typed = { customFields, ref, utm, isTaxIdSealed, locale: t.locale }
  const row = buildAttemptRow({ ...attempted, ...typed, card, now })
  const precheck = method === 'pix' ? null : createCardPrecheck(needs, { row, address })
  const paid = await createPaymentInTurn(needs, {
    ...{ row, link, merchant: company, card, precheck, supersedes },
  })
  switch (paid.kind) {
    case 'payment':
      return isAnswerTo(row, paid.row)
        ? { kind: 'payment', row: paid.row }
        : payChecked(needs, found, checked, {
            ...sender,
            attempt: deriveToken(attempt, paid.row.id),
            supersedes: [...supersedes, paid.row.id],
          })
    case 'stale':
      return { kind: 'stale' }
    case 'soldOut':
      return buildRetryResult({ message: t.problems.soldOut })
    case 'refused':
      return buildRetryResult(toLimitNotice(found, paid, t))
  }
}

/** Adds the address of the payer's browser for the bank; only the service knows it. */
function toCardToken(
  { authentication, ...card }: NonNullable<CheckedForm['form']['card']>,
  ip: string,
) {
  return { ...card, threeDs: authentication ? { ...authentication, ip } : null }
}

/**
 * Whether the existing payment answers the sent form. A second tab, or a page that the back button shows, has the same
 * attempt token; but the other method is another attempt, and so is another card after a decline.
 */
function isAnswerTo(sent: TransactionRow, made: TransactionRow) {
  if (made.id === sent.id) return true
  if (givesWayTo(made, sent.method)) return false
  const { status, cardBrand, cardLast4 } = made
  return status !== 'declined' || (cardBrand === sent.cardBrand && cardLast4 === sent.cardLast4)
}

/** Whether the other method replaces a payment: the payment is unpaid, or is open and ends when another begins. */
function givesWayTo(made: TransactionRow, method: unknown) {
  const isUnpaid = ['declined', 'expired', 'canceled'].includes(made.status)
  return made.method !== method && (isUnpaid || isGivenUpByOthers(made))
}

/** When too many cards are in progress, waits for some to end before giving up. */
async function createPaymentInTurn(
  needs: CheckoutNeeds,
  payment: NewPayment,
): Promise<CreatePaymentResult> {
  for (const delayMs of needs.capacityDelaysMs ?? CAPACITY_DELAYS_MS) {
    const paid = await createPayment(needs, payment)
    if (paid.kind !== 'refused' || paid.reason !== 'overCapacity') return paid
    await sleep(delayMs)
  }
  return createPayment(needs, payment)
}
