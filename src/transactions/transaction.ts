// One attempt to pay a link.
//
//   Pix   pending ──▶ approved | expired | canceled          expired ──▶ approved, when it was paid
//   card  processing ⇄ awaiting_authentication ──▶ approved | declined
//         entered at the provider's page: processing ⇄ pending ──▶ approved | declined | expired | canceled
//   both  approved ──▶ partially_refunded ──▶ refunded, by refunds/; of the first two: charged_back
//         held (isAmountMismatch) ──▶ canceled, refunded by refunds/ or taken by disputes/
//
// This file keeps its row; create.ts makes it, charge.ts sends it to the provider, settle.ts ends it.

import { type Company, getMethodProvider } from '../companies/company.ts'
import type { Payer } from '../customers/customer.ts'
import type { Database, Db, Transaction } from '../database/connect.ts'
import { and, desc, eq, gt, inArray, or, sql } from '../database/drizzle.ts'
import type { Locale, PaymentMethod } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { buildMinUuid, newId, newIdAt, newToken } from '../database/id.ts'
import { DAY_MS, SECOND_MS } from '../database/instant.ts'
import { type CustomAnswer, type refunds, transactions, type Utm } from '../database/tables.ts'
import { notFoundError } from '../http/errors.ts'
import type { Quote } from '../payment-links/installments.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { texts } from '../texts.ts'
import { transactionTexts } from './texts.ts'
import { buildTxid } from './txid.ts'

export type TransactionRow = Omit<typeof transactions.$inferSelect, 'words'>

type AttemptInput = {
  link: LinkRow
  company: Company
  /** Null: the company's customer with the payer's document, made with the attempt if there is none. */
  customerId: string | null
  payer: Omit<Payer, 'companyId'>
  method: PaymentMethod
  quote: Quote
  attemptToken: string
  /** What the form asked besides; of a payment without a form there is none. */
  customFields?: CustomAnswer[] | null
  /** What the payer's address said. */
  ref?: string | null
  utm?: Utm | null
  /** What the payer read the page in; null without a page. */
  locale?: Locale | null
  card: { brand: string; last4: string; holder: string | null } | null
  now: Date
}

/** The reason for which a payment is held that was paid, and of which what came in can't be read. */
export const UNREADABLE_HOLD = 'unreadable'

/** Why a payment is held, for people. */
export function formatHoldReason({ holdReason }: Pick<TransactionRow, 'holdReason'>) {
  return holdReason === UNREADABLE_HOLD ? texts.holds.unreadable : holdReason
}

/** Whether another amount than ours came in, or one that can't be read, and nothing has become of it yet. */
export function isAmountMismatch({ holdReason, approvedAt, status }: TransactionRow) {
  return holdReason !== null && approvedAt === null && status !== 'canceled'
}

/** Whether what came in went back whole, since it was not what we had asked for. */
export function isMismatchRefunded({ holdReason, approvedAt, status }: TransactionRow) {
  return holdReason !== null && approvedAt === null && status === 'canceled'
}

/** A charge in flight is left alone for this long; after that its process counts as dead. */
export const IN_FLIGHT_MS = 20 * SECOND_MS

const NO_CARD = { brand: null, last4: null, holder: null }

/** The row of a new attempt, with every amount as it was quoted. Not written yet. */
export function buildAttemptRow({
  link,
  company,
  quote,
  method,
  payer,
  card,
  now,
  locale = null,
  ...rest
}: AttemptInput) {
  // Of the same instant as createdAt: lists of a period are cut by it.
  const id = newIdAt(now.getTime())
  const pix = method === 'pix'
  const { brand, last4, holder } = card ?? NO_CARD
  const provider = requireFound(getMethodProvider(company, method))
  const at = now.toISOString()
  const row: DraftedTransaction = {
    linkVersion: link.updatedAt,
    companyVersion: company.updatedAt,
    payer: rest.customerId === null ? { companyId: company.id, ...payer } : null,
    ...UNSETTLED_COLUMNS,
    id,
    companyId: company.id,
    paymentLinkId: link.id,
    customerId: rest.customerId ?? newId(),
    attemptToken: rest.attemptToken,
    token: newToken(),
    status: pix ? 'pending' : 'processing',
    method,
    amountCents: link.amountCents,
    interestCents: quote.interestCents,
    totalCents: quote.totalCents,
    installments: quote.installments,
    installmentCents: quote.installmentCents,
    interestMode: link.interestMode,
    interestRateBps: quote.rateBps,
    provider,
    payerName: payer.name,
    payerEmail: payer.email,
    payerTaxId: payer.taxId,
    payerPhone: payer.phone,
    cardBrand: brand,
    cardLast4: last4,
    cardHolder: holder,
    pixTxid: pix ? buildTxid(id, provider) : null,
    expiresAt: pix
      ? new Date(now.getTime() + company.pixExpirySeconds * SECOND_MS).toISOString()
      : null,
    testMode: company.testMode,
    externalReference: link.externalReference,
    metadata: link.metadata,
    tags: link.tags,
    customFields: rest.customFields?.length ? rest.customFields : null,
    linkTitle: link.title,
    ref: rest.ref ?? null,
    utm: rest.utm ?? null,
    locale,
    checkAt: new Date(now.getTime() + IN_FLIGHT_MS).toISOString(),
    createdAt: at,
    updatedAt: at,
  }
  return row
}

/** What was bought, however its link is called today. */
export function getSoldTitle({ linkTitle }: TransactionRow, link: LinkRow) {
  return linkTitle ?? link.title
}

/** A new attempt, and which states of its link and company it was made from. */
export type DraftedTransaction = TransactionRow & {
  linkVersion: string
  companyVersion: string
  /** The payer to find or create as a customer; null when the customer is known. */
  payer: Payer | null
}

export async function findTransactionByAttempt(db: Db, paymentLinkId: string, token: string) {
  const [row] = await listTransactionsByAttempt(db, paymentLinkId, [token])
  return row
}

/** Those that forms with these attempt tokens became, the newest first. */
export async function listTransactionsByAttempt(db: Db, paymentLinkId: string, tokens: string[]) {
  const { attemptToken, createdAt } = transactions
  return db
    .select()
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, paymentLinkId), inArray(attemptToken, tokens)))
    .orderBy(desc(createdAt))
}

/** By the unguessable part of the payment's own address. */
export async function findTransactionByToken(db: Database, token: string) {
  const [row] = await db.select().from(transactions).where(eq(transactions.token, token))
  return row
}

export async function findTransaction(db: Database, id: string) {
  const [row] = await db.select().from(transactions).where(eq(transactions.id, id))
  return row
}

/** What is done to the money of a payment is ordered one after another, until the end of the transaction. Throws 404. */
export async function lockPayment(
  tx: Transaction,
  { companyId, transactionId }: { companyId: string; transactionId: string },
): Promise<TransactionRow> {
  const [payment] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
    .for('no key update')
  if (!payment) throw notFoundError(transactionTexts.notFound)
  return payment
}

/** As it stands by now: a payment is never deleted. */
export async function reloadTransaction(db: Database, id: string): Promise<TransactionRow> {
  return requireFound(await findTransaction(db, id))
}

type CardOnLink = {
  paymentLinkId: string
  taxId: string
  brand: string
  last4: string
}

/** An id is of the instant that its row says, give or take this. */
export const TRANSACTION_ID_SKEW_MS = 1_000
/** So long a card that was refused for good is not tried again. */
const CARD_REFUSAL_MS = DAY_MS
/** A mistyped security code may be corrected, and never be guessed. */
const MAX_WRONG_CODES = 3

/**
 * Whether this payer's card will not pay this link: a bank has said so for good, or its security code was
 * wrong once too often.
 */
export async function isCardRefused(db: Database, card: CardOnLink, now: Date) {
  const isWrongCode = eq(transactions.declineCode, 'invalid_cvv')
  const since = new Date(now.getTime() - CARD_REFUSAL_MS)
  // Ids carry the time: without one, all that the link was ever paid would be read.
  const above = buildMinUuid(since.getTime() - TRANSACTION_ID_SKEW_MS)
  const declines = await db
    .select({ code: transactions.declineCode })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentLinkId, card.paymentLinkId),
        gt(transactions.id, above),
        eq(transactions.payerTaxId, card.taxId),
        eq(transactions.cardBrand, card.brand),
        eq(transactions.cardLast4, card.last4),
        or(eq(transactions.retryable, false), isWrongCode),
        gt(transactions.createdAt, since.toISOString()),
      ),
    )
    .orderBy(sql`${isWrongCode}`)
    .limit(MAX_WRONG_CODES)
  return declines.length >= MAX_WRONG_CODES || declines.some(({ code }) => code !== 'invalid_cvv')
}

/** Whether the bank says that this card is not to be tried again; a wrong code may be put right. */
export function isFinalDecline({ declineCode, retryable }: TransactionRow) {
  return retryable === false && declineCode !== 'invalid_cvv'
}

const UNSETTLED_COLUMNS = {
  refundedCents: 0,
  chargedBackCents: 0,
  providerReference: null,
  threeDsStatus: null,
  threeDsEci: null,
  threeDsFlow: null,
  challengeUrl: null,
  declineCode: null,
  abecsCode: null,
  retryable: null,
  pixEndToEndId: null,
  pixBrCode: null,
  approvedAt: null,
  reportedPaidAt: null,
  paidLate: false,
  firstAttemptId: null,
  possibleDuplicateOf: null,
  holdReason: null,
  receivedCents: null,
  feeCents: null,
  feeSource: null,
  expectedOn: null,
  payoutParts: null,
  checks: 0,
} satisfies Partial<TransactionRow>

export type RefundRow = typeof refunds.$inferSelect

/** More than anybody would read out. */
const MAX_COUNTED = 1_000

/** How many of a company's payments were approved after an instant. */
export async function countApprovedSince(db: Database, companyId: string, since: string) {
  const approved = db
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), gt(transactions.approvedAt, since)))
    .limit(MAX_COUNTED)
    .as('approved')
  return db.$count(approved)
}
