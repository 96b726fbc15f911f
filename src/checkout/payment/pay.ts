// A payer submits the form: is the link payable, is it still what the payer was shown, who pays, by
// which provider. What happens then is transactions/.

import { findOrCreateCustomer } from '../../customers/customer.ts'
import { type Quote, quotesFor } from '../../payment-links/installments.ts'
import { type LinkRow, type LinkWithCompany, statusOf } from '../../payment-links/payment-link.ts'
import { NO_PLACE } from '../../transactions/create.ts'
import type { PayNeeds } from '../../transactions/needs.ts'
import {
  draft,
  findByAttempt,
  isCardRefused,
  type TransactionRow,
} from '../../transactions/transaction.ts'
import { findLinkedCustomer, isDocumentOf } from '../link/customer.ts'
import { attemptOf, type PaymentForm, parseForm } from '../link/form.ts'
import { quoteKey, quotesShown } from '../link/quotes.ts'
import { checkoutTexts } from '../texts.ts'
import type { FieldName, LinkPage } from '../view-models.ts'
import { type LimitNeeds, limitedBy, limitPayments, pausedCards, payWithin } from './limits.ts'

const FINAL_FOR_MS = 24 * 3600 * 1000

export type Paid =
  | { kind: 'payment'; token: string }
  | { kind: 'unpayable' }
  | { kind: 'invalid'; errors: LinkPage['errors'] }
  /** Nothing is wrong with what was typed, but the payer must look again: the sentence says why. */
  | { kind: 'again'; message: string; method?: 'pix'; retryAfterSeconds?: number }

type Sent = { body: unknown; address: string }

/** Pays a link with what the form holds. A repeated submission leads to the payment it made before. */
export async function payLink(
  needs: LimitNeeds,
  found: LinkWithCompany,
  sent: Sent,
): Promise<Paid> {
  const attempt = attemptOf(sent.body)
  if (!attempt) return { kind: 'again', message: checkoutTexts.formExpired }
  const { address } = sent
  const limited = await limitPayments(needs, found.link, { attempt, address })
  const read = limited ? again(limited) : await readForm(needs, found, sent)
  const quoted = 'form' in read ? await requote(needs, found, { ...read, body: sent.body }) : read
  if ('quotes' in quoted) return payAs(needs, found, { ...quoted, attempt, address })

  const before = await findByAttempt(needs.db, found.link.id, attempt)
  return before ? { kind: 'payment', token: before.token } : quoted
}

/** Pays an expired Pix once more with a new code: same payer, same price, nothing typed again. */
export async function renewPix(
  needs: LimitNeeds,
  found: LinkWithCompany,
  row: TransactionRow,
  { body, address }: Sent,
): Promise<Paid> {
  const attempt = attemptOf(body)
  if (!attempt) return { kind: 'again', message: checkoutTexts.formExpired }
  const { link } = found
  if (statusOf(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  const limited = await limitPayments(needs, link, { attempt, address })
  if (limited) return again(limited)
  if (row.amountCents !== link.amountCents || !link.methods.includes('pix')) {
    return { kind: 'again', message: checkoutTexts.quoteChanged }
  }
  const { payerName: name, payerEmail: email, payerTaxId: taxId, payerPhone: phone } = row
  const linked = await findLinkedCustomer(needs.db, link)
  const another = linked?.taxId && linked.taxId !== taxId
  if (!taxId || another) return { kind: 'again', message: checkoutTexts.formExpired }
  const form = { method: 'pix' as const, installments: 1, card: null }
  const payer = { name, email, taxId, phone, customerId: linked?.id }
  const quotes = quotesFor(link, found.company)
  return payAs(needs, found, { form, payer, attempt, address, quotes })
}

type Payer = {
  name: string
  email: string | null
  taxId: string
  phone: string | null
  /** Whom the link is meant for; else the document says who it is. */
  customerId: string | undefined
}

type Ordered = {
  form: Omit<PaymentForm, 'payer' | 'taxId'>
  payer: Payer
  attempt: string
  address: string
  quotes: Quote[]
}

async function payAs(
  needs: LimitNeeds,
  { link, company }: LinkWithCompany,
  { form, payer: { customerId: known, ...payer }, attempt, address, quotes }: Ordered,
): Promise<Paid> {
  const { db } = needs
  const now = needs.now()
  const { method, card } = form
  const count = method === 'pix' ? 1 : form.installments
  const quote = quotes.find(({ installments }) => installments === count)
  if (!quote) return invalid('installments', checkoutTexts.installments)

  const customerId =
    known ?? (await findOrCreateCustomer(db, { companyId: company.id, ...payer }, now))
  const row = draft({
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
  const paid = await payWithin(needs, { row, link, merchant: company, card }, address)
  if (paid === NO_PLACE) return { kind: 'again', message: checkoutTexts.busy }
  if ('denied' in paid) return again(limitedBy(link, paid))
  return { kind: 'payment', token: paid.token }
}

type Read = { form: PaymentForm; payer: Payer }

/** What is to be paid and by whom, or why not. */
async function readForm(
  needs: LimitNeeds,
  found: LinkWithCompany,
  { body, address }: Sent,
): Promise<Read | Paid> {
  const { link, company } = found
  if (statusOf(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  const { quote } = body as { quote?: unknown }
  if (quote !== quoteKey(quotesFor(link, company))) {
    return { kind: 'again', message: checkoutTexts.quoteChanged }
  }
  const linked = await findLinkedCustomer(needs.db, link)
  const anyone = company.askPhone ? 'anyoneWithPhone' : 'anyone'
  const asked = linked?.taxId ? 'known' : anyone
  const { form, errors } = parseForm(body, { methods: link.methods, payer: asked })
  if (!form) return { kind: 'invalid', errors }

  const { limiter } = needs
  if (linked?.taxId && !(await isDocumentOf(linked, form.taxId, { limiter, link, address }))) {
    return invalid('taxId', checkoutTexts.documentRefused)
  }
  const refused = form.card && (await refuseCard(needs, link, form))
  if (refused) return refused
  const { name, email, phone } = form.payer ?? linked!
  const payer = { name, email, phone, taxId: form.taxId, customerId: linked?.id }
  return { form, payer }
}

/** What the form was sent with still holds: what is charged is what was shown. */
async function requote(
  { providers, log }: PayNeeds,
  found: LinkWithCompany,
  { body, ...read }: Read & { body: unknown },
): Promise<(Read & { quotes: Quote[] }) | Paid> {
  const { link, company } = found
  if (!read.form.card) return { ...read, quotes: quotesFor(link, company) }
  try {
    const quotes = await quotesShown(providers, found, body)
    return quotes ? { ...read, quotes } : again({ message: checkoutTexts.quoteChanged })
  } catch (err) {
    log.warn({ err, companyId: company.id }, 'a provider quotes no installments')
    return again({ message: checkoutTexts.methodUnavailable })
  }
}

function again(why: Omit<Extract<Paid, { kind: 'again' }>, 'kind'>): Paid {
  return { kind: 'again', ...why }
}

/** What is known without asking a bank. */
async function refuseCard(
  { db, now }: PayNeeds,
  link: LinkRow,
  { taxId, card }: PaymentForm,
): Promise<Paid | undefined> {
  const paused = pausedCards(link, now())
  if (paused) return again(paused)
  const since = new Date(now().getTime() - FINAL_FOR_MS)
  const refused = await isCardRefused(db, { paymentLinkId: link.id, taxId, ...card!, since })
  return refused ? again({ message: checkoutTexts.cardBlocked }) : undefined
}

function invalid(field: FieldName, message: string): Paid {
  return { kind: 'invalid', errors: [{ field, message }] }
}
