// Checks a sent form: whether the link is payable and still as the payer saw it, and who pays. The result is a checked
// form, or the reason for a refusal.

import { listOfferedMethods } from '../../companies/company.ts'
import {
  type CustomerRow,
  findLinkedCustomer,
  getPayingCustomerId,
  isDocumentAccepted,
} from '../../customers/customer.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { getTaxId } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { type Quote, quotePix } from '../../payment-links/installments.ts'
import {
  getLinkStatus,
  type LinkRow,
  type LinkWithCompany,
} from '../../payment-links/payment-link.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import { isCardRefused, type TransactionRow } from '../../transactions/transaction.ts'
import { isEnteredElsewhere } from '../card-entry.ts'
import { type PaymentForm, parsePaymentForm } from '../form.ts'
import { asksBillingAddress, resolveAskedFields, takesForeignDocuments } from '../form-fields.ts'
import type { FieldName, FormErrors } from '../form-values.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { findQuoteChange, quoteForm, revalidateQuotes } from '../quotes.ts'
import type { CheckoutTexts } from '../texts/pt.ts'
import {
  getCardPauseNotice,
  getCardTexts,
  limitDocuments,
  limitOpenPix,
  limitPayments,
} from './limits.ts'

/** A form as it was sent. */
export type Submission = {
  body: unknown
  /** The token of the form. */
  attempt: string
  address: string
  /** Whether the document in it came sealed in the address. */
  isTaxIdSealed: boolean
  /** The payments that this browser has begun and not confirmed (visit.ts). */
  supersedes: string[]
  t: CheckoutTexts
}

/** The sender of a form: all but what was typed. */
export type Sender = Omit<Submission, 'body'>

export type CheckedForm = {
  form: Pick<PaymentForm, 'method' | 'installments' | 'card' | 'customFields' | 'ref' | 'utm'>
  payer: PayerDetails
  quotes: Quote[]
}

type PayerDetails = {
  name: string
  email: string | null
  taxId: string
  phone: string | null
  /** The link's customer; otherwise the document identifies the payer. */
  customerId: string | undefined
}

/** The form is valid, but the payer must look again: `message` says why. */
type SubmissionRetry = {
  kind: 'retry'
  message: string
  method?: 'pix'
  retryAfterSeconds?: number
  /** Whether earlier payments block it; one of them may be this payer's own. */
  isBlockedByPayments?: boolean
}

export type SubmissionRefusal =
  | { kind: 'unpayable' }
  | { kind: 'invalid'; errors: FormErrors }
  | SubmissionRetry

type SubmissionResult = ({ kind: 'checked' } & CheckedForm) | SubmissionRefusal

export async function checkSubmission(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  sent: Submission,
): Promise<SubmissionResult> {
  const limited = await limitPayments(needs.limiter, found.link, sent)
  if (limited.kind === 'limited') return buildRetryResult(limited.notice)
  const checked = await checkPaymentForm(needs, found, sent)
  if (checked.kind !== 'checked') return checked
  const quoted = await revalidateSubmittedQuotes(needs, found, { form: checked.form, ...sent })
  if (quoted.kind !== 'quoted') return quoted
  const { form, payer } = checked
  const held = form.method === 'pix' ? await limitOpenPix(needs, found.link, sent) : undefined
  if (held?.kind === 'limited') return buildRetryResult(held.notice)
  return { kind: 'checked', form, payer, quotes: quoted.quotes }
}

/** Checks the renewal of an expired Pix: same payer and price, without typing again. */
export async function checkRenewal(
  needs: CheckoutNeeds,
  { link, company }: LinkWithCompany,
  row: TransactionRow,
  { attempt, address, t, shownPixCents }: Sender & { shownPixCents: number | null },
): Promise<SubmissionResult> {
  if (getLinkStatus(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  const limited = await limitPayments(needs.limiter, link, { attempt, address, t })
  if (limited.kind === 'limited') return buildRetryResult(limited.notice)
  if (!listOfferedMethods(company, link.methods).includes('pix')) {
    return buildRetryResult({ message: t.problems.pixUnavailable })
  }
  const quote = quotePix(link, company)
  if (!isPriceShown(row, { link, pixCents: quote.totalCents, shownPixCents })) {
    return buildRetryResult({ message: t.problems.amountChanged })
  }
  const { payerName: name, payerEmail: email, payerPhone: phone } = row
  const taxId = getTaxId(row.payerTaxId)
  const linked = await findLinkedCustomer(needs.db, link)
  if (!taxId || !isDocumentAccepted(linked, taxId)) {
    return buildRetryResult({ message: t.problems.formExpired })
  }
  const held = await limitOpenPix(needs, link, { address, t })
  if (held.kind === 'limited') return buildRetryResult(held.notice)
  const { ref, utm } = row
  const customFields = row.customFields ?? []
  const form = { method: 'pix', installments: 1, card: null, customFields, ref, utm } as const
  const payer = { name, email, taxId, phone, customerId: getPayingCustomerId(linked, taxId) }
  return { kind: 'checked', form, payer, quotes: [quote] }
}

type ShownPrice = { link: LinkRow; pixCents: number; shownPixCents: number | null }

/** Whether the page showed this price of a Pix. A page that sends no price showed the price of its own payment. */
function isPriceShown(row: TransactionRow, { link, pixCents, shownPixCents }: ShownPrice) {
  if (shownPixCents !== null) return shownPixCents === pixCents
  return (
    row.amountCents === link.amountCents && (row.method !== 'pix' || row.totalCents === pixCents)
  )
}

export function buildRetryResult(why: Omit<SubmissionRetry, 'kind'>): SubmissionRetry {
  return { kind: 'retry', ...why }
}

export function buildInvalidResult(field: FieldName, message: string): SubmissionRefusal {
  return { kind: 'invalid', errors: [{ field, message }] }
}

async function checkPaymentForm(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  { body, attempt, address, t }: Submission,
): Promise<{ kind: 'checked'; form: PaymentForm; payer: PayerDetails } | SubmissionRefusal> {
  const { link, company } = found
  const methods = listOfferedMethods(company, link.methods)
  if (getLinkStatus(link, needs.now()) !== 'active' || methods.length === 0) {
    return { kind: 'unpayable' }
  }
  const changed = findOfferChange(found, { body, methods, t })
  if (changed) return buildRetryResult({ message: changed })
  const linked = await findLinkedCustomer(needs.db, link)
  const payerFields = linked?.taxId
    ? 'known'
    : resolveAskedFields(company, methods, Boolean(needs.mail))
  const { customFields } = link
  const parsed = parsePaymentForm(body, {
    ...{ methods, payer: payerFields, customFields, t },
    isCardElsewhere: isEnteredElsewhere(company.cardProvider),
    asksAddress: asksBillingAddress(company),
    takesForeignDocuments: takesForeignDocuments(company),
  })
  if (parsed.kind === 'invalid') return parsed

  const { values: form } = parsed
  const typed = { typed: form.taxId, attempt, address, t }
  const refused =
    (await findDocumentRefusal(needs, { link, linked }, typed)) ??
    (await findCardRefusal(needs, found, { ...form, t }))
  if (refused) return refused
  const { name, email, phone } = requireFound(form.payer ?? linked)
  const customerId = getPayingCustomerId(linked, form.taxId)
  const payer = { name, email, phone, taxId: form.taxId, customerId }
  return { kind: 'checked', form, payer }
}

type LinkOfCustomer = { link: LinkRow; linked: CustomerRow | undefined }

/** Refuses a document that is not that of the link's customer. */
async function findDocumentRefusal(
  needs: CheckoutNeeds,
  { link, linked }: LinkOfCustomer,
  sent: Parameters<typeof limitDocuments>[2],
): Promise<SubmissionRefusal | undefined> {
  if (!linked?.taxId) return undefined
  const guess = await limitDocuments(needs.limiter, link, sent)
  if (guess.kind === 'limited') return buildRetryResult(guess.notice)
  if (isDocumentAccepted(linked, sent.typed)) return undefined
  return buildInvalidResult('taxId', sent.t.problems.documentRefused)
}

type SentOffer = Pick<Submission, 'body' | 't'> & { methods: readonly PaymentMethod[] }

/** Finds a change since the form was shown: the price, a card's installments, or whether the method is offered. */
function findOfferChange(
  found: LinkWithCompany,
  { body, methods, t }: SentOffer,
): string | undefined {
  const sent = toRecord(body)
  const { method: chosen } = sent
  const isWithdrawn = (method: PaymentMethod) => chosen === method && !methods.includes(method)
  if (isWithdrawn('pix')) return t.problems.pixUnavailable
  if (isWithdrawn('credit_card')) return t.cards.paused
  const change = findQuoteChange(found, sent)
  return change && t.problems[change]
}

/** Checks the quotes of the form again, so that the charged amount is the shown one. */
async function revalidateSubmittedQuotes(
  { providers, log }: PayNeeds,
  found: LinkWithCompany,
  { form, body, t }: Pick<Submission, 'body' | 't'> & { form: PaymentForm },
): Promise<{ kind: 'quoted'; quotes: Quote[] } | SubmissionRetry> {
  if (form.method === 'pix') return { kind: 'quoted', quotes: [quoteForm(found).pix] }
  try {
    const revalidated = await revalidateQuotes(providers, found, body)
    return revalidated.kind === 'quoted'
      ? revalidated
      : buildRetryResult({ message: t.problems.installmentsChanged })
  } catch (err) {
    log.warn({ err, companyId: found.company.id }, 'a provider quotes no installments')
    return buildRetryResult({ message: t.problems.methodUnavailable })
  }
}

/** Refuses a card for reasons that are known without asking a bank. */
async function findCardRefusal(
  { db, now }: PayNeeds,
  found: LinkWithCompany,
  { method, taxId, card, t }: PaymentForm & Pick<Submission, 't'>,
): Promise<SubmissionRetry | undefined> {
  if (method === 'pix') return undefined
  const paused = getCardPauseNotice(found, now(), t)
  if (paused) return buildRetryResult(paused)
  if (!card) return undefined
  const { id: paymentLinkId } = found.link
  const { brand, last4 } = card
  const isRefused =
    last4 !== null && (await isCardRefused(db, { paymentLinkId, taxId, brand, last4 }, now()))
  return isRefused ? buildRetryResult({ message: getCardTexts(found, t).blocked }) : undefined
}
