// A payer submits the form: is the link payable, is it still what the payer was shown, who pays, by
// which provider. What happens then is transactions/.

import { findOrCreateCustomer } from '../../customers/customer.ts'
import { type Quote, quoteLink } from '../../payment-links/installments.ts'
import {
  getLinkStatus,
  type LinkRow,
  type LinkWithCompany,
} from '../../payment-links/payment-link.ts'
import { SOLD_OUT } from '../../transactions/create.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import {
  buildAttemptRow,
  findTransactionByAttempt,
  isCardRefused,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import { findLinkedCustomer, verifyDocument } from '../link/customer.ts'
import { type PaymentForm, parsePaymentForm, readAttemptToken } from '../link/form.ts'
import { hashQuotes, revalidateQuotes } from '../link/quotes.ts'
import { checkoutTexts } from '../texts.ts'
import type { FieldName, LinkViewModel } from '../view-models.ts'
import {
  checkCardPause,
  limitPayments,
  type PaymentLimitNeeds,
  payWithPrecheck,
  toLimitNotice,
} from './limits.ts'

const CARD_BLOCK_MS = 24 * 3600 * 1000

export type PayLinkResult =
  | { kind: 'payment'; token: string }
  | { kind: 'unpayable' }
  | { kind: 'invalid'; errors: LinkViewModel['errors'] }
  /** Nothing is wrong with what was typed, but the payer must look again: the sentence says why. */
  | { kind: 'again'; message: string; method?: 'pix'; retryAfterSeconds?: number }

type PaymentSubmission = { body: unknown; address: string }

/** Pays a link with what the form holds. A repeated submission leads to the payment it made before. */
export async function payLink(
  needs: PaymentLimitNeeds,
  found: LinkWithCompany,
  sent: PaymentSubmission,
): Promise<PayLinkResult> {
  const attempt = readAttemptToken(sent.body)
  if (!attempt) return { kind: 'again', message: checkoutTexts.formExpired }
  const { address } = sent
  const limited = await limitPayments(needs, found.link, { attempt, address })
  const read = limited ? buildRetryResult(limited) : await checkPaymentForm(needs, found, sent)
  const quoted =
    'form' in read ? await revalidateOrderQuotes(needs, found, { ...read, body: sent.body }) : read
  if ('quotes' in quoted) return submitOrder(needs, found, { ...quoted, attempt, address })

  const before = await findTransactionByAttempt(needs.db, found.link.id, attempt)
  return before ? { kind: 'payment', token: before.token } : quoted
}

/** Pays an expired Pix once more with a new code: same payer, same price, nothing typed again. */
export async function renewPix(
  needs: PaymentLimitNeeds,
  found: LinkWithCompany,
  row: TransactionRow,
  { body, address }: PaymentSubmission,
): Promise<PayLinkResult> {
  const attempt = readAttemptToken(body)
  if (!attempt) return { kind: 'again', message: checkoutTexts.formExpired }
  const { link } = found
  if (getLinkStatus(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  const limited = await limitPayments(needs, link, { attempt, address })
  if (limited) return buildRetryResult(limited)
  if (row.amountCents !== link.amountCents || !link.methods.includes('pix')) {
    return { kind: 'again', message: checkoutTexts.quoteChanged }
  }
  const { payerName: name, payerEmail: email, payerTaxId: taxId, payerPhone: phone } = row
  const linked = await findLinkedCustomer(needs.db, link)
  const another = linked?.taxId && linked.taxId !== taxId
  if (!taxId || another) return { kind: 'again', message: checkoutTexts.formExpired }
  const form = { method: 'pix' as const, installments: 1, card: null }
  const payer = { name, email, taxId, phone, customerId: linked?.id }
  const quotes = quoteLink(link, found.company)
  return submitOrder(needs, found, { form, payer, attempt, address, quotes })
}

type PayerDetails = {
  name: string
  email: string | null
  taxId: string
  phone: string | null
  /** Whom the link is meant for; else the document says who it is. */
  customerId: string | undefined
}

type PaymentOrder = {
  form: Omit<PaymentForm, 'payer' | 'taxId'>
  payer: PayerDetails
  attempt: string
  address: string
  quotes: Quote[]
}

async function submitOrder(
  needs: PaymentLimitNeeds,
  { link, company }: LinkWithCompany,
  { form, payer: { customerId: known, ...payer }, attempt, address, quotes }: PaymentOrder,
): Promise<PayLinkResult> {
  const { db } = needs
  const now = needs.now()
  const { method, card } = form
  const count = method === 'pix' ? 1 : form.installments
  const quote = quotes.find(({ installments }) => installments === count)
  if (!quote) return buildInvalidResult('installments', checkoutTexts.installments)

  const customerId =
    known ?? (await findOrCreateCustomer(db, { companyId: company.id, ...payer }, now))
  const row = buildAttemptRow({
    link,
    company,
    customerId,
    payer: { ...payer, email: payer.email ?? '' },
    method,
    quote,
    attemptToken: attempt,
    card,
    now,
  })
  row.payerEmail = payer.email
  const paid = await payWithPrecheck(needs, { row, link, merchant: company, card }, address)
  if (paid === SOLD_OUT) return { kind: 'again', message: checkoutTexts.busy }
  if ('denied' in paid) return buildRetryResult(toLimitNotice(link, paid))
  return { kind: 'payment', token: paid.token }
}

type CheckedForm = { form: PaymentForm; payer: PayerDetails }

/** What is to be paid and by whom, or why not. */
async function checkPaymentForm(
  needs: PaymentLimitNeeds,
  found: LinkWithCompany,
  { body, address }: PaymentSubmission,
): Promise<CheckedForm | PayLinkResult> {
  const { link, company } = found
  if (getLinkStatus(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  const { quote } = body as { quote?: unknown }
  if (quote !== hashQuotes(quoteLink(link, company))) {
    return { kind: 'again', message: checkoutTexts.quoteChanged }
  }
  const linked = await findLinkedCustomer(needs.db, link)
  const anyone = company.askPhone ? 'anyoneWithPhone' : 'anyone'
  const asked = linked?.taxId ? 'known' : anyone
  const { form, errors } = parsePaymentForm(body, { methods: link.methods, payer: asked })
  if (!form) return { kind: 'invalid', errors }

  const { limiter } = needs
  if (linked?.taxId && !(await verifyDocument(linked, form.taxId, { limiter, link, address }))) {
    return buildInvalidResult('taxId', checkoutTexts.documentRefused)
  }
  const refused = form.card && (await checkRefusedCard(needs, link, form))
  if (refused) return refused
  const { name, email, phone } = form.payer ?? linked!
  const payer = { name, email, phone, taxId: form.taxId, customerId: linked?.id }
  return { form, payer }
}

/** What the form was sent with still holds: what is charged is what was shown. */
async function revalidateOrderQuotes(
  { providers, log }: PayNeeds,
  found: LinkWithCompany,
  { body, ...read }: CheckedForm & { body: unknown },
): Promise<(CheckedForm & { quotes: Quote[] }) | PayLinkResult> {
  const { link, company } = found
  if (!read.form.card) return { ...read, quotes: quoteLink(link, company) }
  try {
    const quotes = await revalidateQuotes(providers, found, body)
    return quotes ? { ...read, quotes } : buildRetryResult({ message: checkoutTexts.quoteChanged })
  } catch (err) {
    log.warn({ err, companyId: company.id }, 'a provider quotes no installments')
    return buildRetryResult({ message: checkoutTexts.methodUnavailable })
  }
}

function buildRetryResult(
  why: Omit<Extract<PayLinkResult, { kind: 'again' }>, 'kind'>,
): PayLinkResult {
  return { kind: 'again', ...why }
}

/** What is known without asking a bank. */
async function checkRefusedCard(
  { db, now }: PayNeeds,
  link: LinkRow,
  { taxId, card }: PaymentForm,
): Promise<PayLinkResult | undefined> {
  const paused = checkCardPause(link, now())
  if (paused) return buildRetryResult(paused)
  const since = new Date(now().getTime() - CARD_BLOCK_MS)
  const refused = await isCardRefused(db, { paymentLinkId: link.id, taxId, ...card!, since })
  return refused ? buildRetryResult({ message: checkoutTexts.cardBlocked }) : undefined
}

function buildInvalidResult(field: FieldName, message: string): PayLinkResult {
  return { kind: 'invalid', errors: [{ field, message }] }
}
