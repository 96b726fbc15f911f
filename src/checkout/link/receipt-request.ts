// Sends the receipt of a payment again, to the e-mail that was given with it. A payer asks for it at the link, by that
// e-mail or by the document. The answer does not show whether such a payment exists.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, inArray, isNotNull, sql } from '../../database/drizzle.ts'
import { HOUR_MS, MINUTE_MS } from '../../database/instant.ts'
import { transactions } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { askToWait, buildNetworkLimits, countHits } from '../../http/limiter.ts'
import { queueMail } from '../../mail/outbox.ts'
import { EMAIL_PATTERN, readTaxId, restoreZeros, trimEmail } from '../../payer-rules.js'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { buildReceiptMail } from '../../transactions/emails.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { resolveTexts } from '../language.ts'
import { buildLinkPage, sendCheckoutPage } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { receiptRequestPath } from '../paths.ts'
import { KEPT_STATUSES } from '../payment/receipt.ts'
import type { CheckoutTexts } from '../texts/pt.ts'

const REQUEST_LIMIT = { max: 5, windowMs: 10 * MINUTE_MS }
/** How often the same receipt is sent, for requests from all networks together. */
const MAIL_LIMIT = { max: 2, windowMs: HOUR_MS }
/** For one payer at one link. */
const MAX_RECEIPTS = 3
/** Only the latest payments of a link are searched, so that a request is cheap at a large link too. */
const MAX_PAYMENTS = 10_000

type LinkRoute = { Params: { slug: string } }
type RequestState = {
  t: CheckoutTexts
  error: string | null
  /** The value typed before. */
  value: string
  /** Whether it was requested; also true when there is no such payment. */
  isSent: boolean
}

/** Whether receipts of this company can be sent at all. */
export function sendsReceipts({ mail }: CheckoutNeeds, { company }: LinkWithCompany) {
  return Boolean(mail) && company.mailReceipts
}

export async function receiptRequestRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  app.get<LinkRoute>('/:slug/receipt', async (request, reply) => {
    const found = await requireLink(request.params.slug)
    const state = { t: resolveTexts(request), error: null, value: '', isSent: false }
    return sendRequestPage(reply, found, state)
  })

  app.post<LinkRoute>('/:slug/receipt', async (request, reply) => {
    const found = await requireLink(request.params.slug)
    const t = resolveTexts(request)
    const limits = buildNetworkLimits(`receipt:${found.link.id}`, request.ip, REQUEST_LIMIT)
    const { exceeded, retryAfterMs } = await countHits(needs.limiter, limits)
    const { payer } = toRecord(request.body)
    const value = typeof payer === 'string' ? payer : ''
    if (exceeded) {
      askToWait(reply, retryAfterMs)
      const state = { t, error: t.problems.tooManyDocuments, value, isSent: false }
      return sendRequestPage(reply, found, state)
    }
    const named = readPayer(value)
    if (!named) {
      const state = { t, error: t.receiptRequest.wrong, value, isSent: false }
      return sendRequestPage(reply.code(422), found, state)
    }
    for (const row of await findPayments(needs.db, found, named)) await sendReceipt(found, row)
    return sendRequestPage(reply, found, { t, error: null, value: '', isSent: true })
  })

  async function requireLink(slug: string) {
    const found = await needs.findLink(slug)
    if (!found || !sendsReceipts(needs, found)) throw notFoundError()
    return found
  }

  async function sendReceipt(found: LinkWithCompany, row: TransactionRow) {
    const receipt = buildReceiptMail(row, found.link, needs.checkoutUrl)
    if (!receipt) return
    const { exceeded } = await needs.limiter.countHit(`receipt-mail:${row.id}`, MAIL_LIMIT)
    if (exceeded) return
    const context = { companyId: row.companyId, now: needs.now() }
    await queueMail(needs.mail, needs.db, context, receipt)
  }

  function sendRequestPage(reply: FastifyReply, found: LinkWithCompany, state: RequestState) {
    const page = buildRequestPage(needs, found, state)
    return sendCheckoutPage(reply, 'checkout/link/receipt-request', page)
  }
}

export function buildRequestPage(
  needs: CheckoutNeeds,
  found: LinkWithCompany,
  state: RequestState,
) {
  const address = receiptRequestPath(needs, found.link.slug)
  return { ...buildLinkPage(needs, found, { t: state.t, address }), ...state }
}

type NamedPayer = { email: string } | { taxId: string }

function readPayer(text: string): NamedPayer | undefined {
  const email = trimEmail(text)
  if (EMAIL_PATTERN.test(email)) return { email: email.toLowerCase() }
  const taxId = readTaxId(text) ?? restoreZeros(text)
  return taxId === undefined ? undefined : { taxId }
}

/** Finds the payments of this payer and link that have an e-mail and are not wholly refunded, newest first. */
async function findPayments(db: Database, { link }: LinkWithCompany, named: NamedPayer) {
  const latest = db
    .select({ id: transactions.id })
    .from(transactions)
    .where(eq(transactions.paymentLinkId, link.id))
    .orderBy(desc(transactions.id))
    .limit(MAX_PAYMENTS)
  const isTheirs =
    'email' in named
      ? eq(sql`lower(${transactions.payerEmail})`, named.email)
      : eq(transactions.payerTaxId, named.taxId)
  return db
    .select()
    .from(transactions)
    .where(
      and(
        sql`${transactions.id} in ${latest}`,
        inArray(transactions.status, KEPT_STATUSES),
        isNotNull(transactions.payerEmail),
        isTheirs,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(MAX_RECEIPTS)
}
