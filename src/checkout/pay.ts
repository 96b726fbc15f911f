// A payer submits the form: is the link payable, is it still what the payer was shown, who pays, by
// which provider. What happens then is transactions/.
import { findOrCreateCustomer } from '../customers/customer.ts'
import type { Limiter } from '../http/limiter.ts'
import { quotesFor } from '../payment-links/installments.ts'
import { type LinkRow, type LinkWithCompany, statusOf } from '../payment-links/payment-link.ts'
import { texts } from '../texts.ts'
import { NO_PLACE, type PayNeeds, pay } from '../transactions/pay.ts'
import {
  draft,
  findByAttempt,
  isCardRefused,
  type TransactionRow,
} from '../transactions/transaction.ts'
import { attemptOf, type PaymentForm, parseForm } from './form.ts'
import { providerOf, quoteKey } from './link-page.ts'
import { findLinkedCustomer, isDocumentOf } from './linked-customer.ts'
import type { FieldName, LinkPage } from './pages.ts'

type Needs = PayNeeds & { limiter: Limiter }

const FINAL_FOR_MS = 24 * 3600 * 1000

export type Paid =
  | { kind: 'payment'; token: string }
  | { kind: 'unpayable' }
  | { kind: 'invalid'; errors: LinkPage['errors'] }
  /** Nothing is wrong with what was typed, but the payer must look again: the sentence says why. */
  | { kind: 'again'; message: string; method?: 'pix' }

type Sent = { body: unknown; address: string }

/** Pays a link with what the form holds. A repeated submission leads to the payment it made before. */
export async function payLink(needs: Needs, found: LinkWithCompany, sent: Sent): Promise<Paid> {
  const attempt = attemptOf(sent.body)
  if (!attempt) return { kind: 'again', message: texts.checkout.formExpired }
  const read = await readForm(needs, found, sent)
  if ('form' in read) return payAs(needs, found, { ...read, attempt })

  const before = await findByAttempt(needs.db, found.link.id, attempt)
  return before ? { kind: 'payment', token: before.token } : read
}

/** Pays an expired Pix once more with a new code: same payer, same price, nothing typed again. */
export async function renewPix(
  needs: PayNeeds,
  found: LinkWithCompany,
  row: TransactionRow,
  body: unknown,
): Promise<Paid> {
  const attempt = attemptOf(body)
  if (!attempt) return { kind: 'again', message: texts.checkout.formExpired }
  const { link } = found
  if (statusOf(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  if (row.amountCents !== link.amountCents || !link.methods.includes('pix')) {
    return { kind: 'again', message: texts.checkout.quoteChanged }
  }
  const { payerName: name, payerEmail: email, payerTaxId: taxId, payerPhone: phone } = row
  const linked = await findLinkedCustomer(needs.db, link)
  const another = linked?.taxId && linked.taxId !== taxId
  if (!taxId || another) return { kind: 'again', message: texts.checkout.formExpired }
  const form = { method: 'pix' as const, installments: 1, card: null }
  const payer = { name, email, taxId, phone, customerId: linked?.id }
  return payAs(needs, found, { form, payer, attempt })
}

type Payer = {
  name: string
  email: string | null
  taxId: string
  phone: string | null
  /** Whom the link is meant for; else the document says who it is. */
  customerId: string | undefined
}

async function payAs(
  needs: PayNeeds,
  { link, company }: LinkWithCompany,
  {
    form,
    payer: { customerId: known, ...payer },
    attempt,
  }: { form: Omit<PaymentForm, 'payer' | 'taxId'>; payer: Payer; attempt: string },
): Promise<Paid> {
  const { db, providers } = needs
  const now = needs.now()
  const { method, card } = form
  const count = method === 'pix' ? 1 : form.installments
  const quote = quotesFor(link, company).find(({ installments }) => installments === count)
  if (!quote) return invalid('installments', texts.checkout.installments)

  const customerId =
    known ?? (await findOrCreateCustomer(db, { companyId: company.id, ...payer }, now))
  const provider = providerOf(providers, company, method)
  const row = draft({
    link,
    company,
    provider,
    customerId,
    payer: { ...payer, email: payer.email ?? '' },
    method,
    quote,
    attemptToken: attempt,
    card,
    now,
  })
  row.payerEmail = payer.email
  const paid = await pay(needs, { row, link, merchant: company, card })
  if (paid === NO_PLACE) return { kind: 'again', message: texts.checkout.busy }
  return { kind: 'payment', token: paid.token }
}

/** What is to be paid and by whom, or why not. */
async function readForm(
  needs: Needs,
  { link, company }: LinkWithCompany,
  { body, address }: Sent,
): Promise<{ form: PaymentForm; payer: Payer } | Paid> {
  if (statusOf(link, needs.now()) !== 'active') return { kind: 'unpayable' }
  const { quote } = body as { quote?: unknown }
  if (quote !== quoteKey(quotesFor(link, company))) {
    return { kind: 'again', message: texts.checkout.quoteChanged }
  }
  const linked = await findLinkedCustomer(needs.db, link)
  const anyone = company.askPhone ? 'anyoneWithPhone' : 'anyone'
  const asked = linked?.taxId ? 'known' : anyone
  const { form, errors } = parseForm(body, { methods: link.methods, payer: asked })
  if (!form) return { kind: 'invalid', errors }

  const { limiter } = needs
  if (linked?.taxId && !(await isDocumentOf(linked, form.taxId, { limiter, link, address }))) {
    return invalid('taxId', texts.checkout.documentRefused)
  }
  if (await isRefused(needs, link, form))
    return { kind: 'again', message: texts.checkout.cardBlocked }
  const { name, email, phone } = form.payer ?? linked!
  return { form, payer: { name, email, phone, taxId: form.taxId, customerId: linked?.id } }
}

async function isRefused({ db, now }: PayNeeds, { id }: LinkRow, { taxId, card }: PaymentForm) {
  if (!card) return false
  const since = new Date(now().getTime() - FINAL_FOR_MS)
  return isCardRefused(db, { paymentLinkId: id, taxId, ...card, since })
}

function invalid(field: FieldName, message: string): Paid {
  return { kind: 'invalid', errors: [{ field, message }] }
}
