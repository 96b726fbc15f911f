// A payer submits the form: is the link payable, is it still what the payer was shown, who pays, by
// which provider. What happens then is transactions/.
import { findOrCreateCustomer } from '../customers/customer.ts'
import { type LinkWithCompany, statusOf } from '../payment-links/payment-link.ts'
import { texts } from '../texts.ts'
import { NO_PLACE, type PayNeeds, pay } from '../transactions/pay.ts'
import {
  draft,
  findByAttempt,
  isCardRefused,
  type TransactionRow,
} from '../transactions/transaction.ts'
import { attemptOf, type PaymentForm, parseForm } from './form.ts'
import { providerOf, quoteKey, quotesFor } from './link-page.ts'
import type { LinkPage } from './pages.ts'

const FINAL_FOR_MS = 24 * 3600 * 1000

export type Paid =
  | { kind: 'payment'; token: string }
  | { kind: 'unpayable' }
  | { kind: 'invalid'; errors: LinkPage['errors'] }
  /** Nothing is wrong with what was typed, but the payer must look again: the sentence says why. */
  | { kind: 'again'; message: string; method?: 'pix' }

/** Pays a link with what the form holds. A repeated submission leads to the payment it made before. */
export async function payLink(
  needs: PayNeeds,
  found: LinkWithCompany,
  body: unknown,
): Promise<Paid> {
  const { link, company } = found
  const attempt = attemptOf(body)
  if (!attempt) return { kind: 'again', message: texts.checkout.formExpired }

  const { form, errors } = parseForm(body, { methods: link.methods, askPhone: company.askPhone })
  const refusal = await refusalOf(needs, found, form, body)
  if (refusal || !form) {
    const before = await findByAttempt(needs.db, link.id, attempt)
    if (before) return { kind: 'payment', token: before.token }
    return refusal ?? { kind: 'invalid', errors: errors }
  }
  return payAs(needs, found, { form, attempt })
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
  if (!email || !taxId) return { kind: 'again', message: texts.checkout.formExpired }
  const form = { method: 'pix' as const, name, email, taxId, phone, installments: 1, card: null }
  return payAs(needs, found, { form, attempt })
}

async function payAs(
  needs: PayNeeds,
  { link, company }: LinkWithCompany,
  { form, attempt }: { form: PaymentForm; attempt: string },
): Promise<Paid> {
  const { db, providers } = needs
  const now = needs.now()
  const { method, name, email, taxId, phone, card } = form
  const count = method === 'pix' ? 1 : form.installments
  const quote = quotesFor(link, company).find(({ installments }) => installments === count)
  if (!quote) return invalid('installments')

  const payer = { name, email, taxId, phone }
  const customerId = await findOrCreateCustomer(db, { companyId: company.id, ...payer }, now)
  const provider = providerOf(providers, company, method)
  const row = draft({
    link,
    company,
    provider,
    customerId,
    payer,
    method,
    quote,
    attemptToken: attempt,
    card,
    now,
  })
  const paid = await pay(needs, { row, link, merchant: company, card })
  if (paid === NO_PLACE) return { kind: 'again', message: texts.checkout.busy }
  return { kind: 'payment', token: paid.token }
}

async function refusalOf(
  { db, now }: PayNeeds,
  { link, company }: LinkWithCompany,
  form: PaymentForm | null,
  body: unknown,
): Promise<Paid | null> {
  if (statusOf(link, now()) !== 'active') return { kind: 'unpayable' }
  const { quote } = body as { quote?: unknown }
  if (quote !== quoteKey(quotesFor(link, company))) {
    return { kind: 'again', message: texts.checkout.quoteChanged }
  }
  if (!form?.card) return null
  const since = new Date(now().getTime() - FINAL_FOR_MS)
  const { taxId, card } = form
  const refused = await isCardRefused(db, { paymentLinkId: link.id, taxId, ...card, since })
  return refused ? { kind: 'again', message: texts.checkout.cardBlocked } : null
}

function invalid(field: 'installments'): Paid {
  return { kind: 'invalid', errors: [{ field, message: texts.checkout[field] }] }
}
