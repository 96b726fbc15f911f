// One attempt to pay a link.
//
//   Pix   pending ──▶ approved | expired | canceled          expired ──▶ approved, when it was paid
//   card  processing ⇄ awaiting_authentication ──▶ approved | declined
//         entered at the provider's page: processing ⇄ pending ──▶ approved | declined | expired | canceled
//   both  approved ──▶ partially_refunded ──▶ refunded, by refunds/; of the first two: charged_back
//         held (isAmountMismatch) ──▶ canceled, refunded by refunds/ or taken by disputes/
//
// This file builds and reads the row; create.ts writes it, charge.ts sends the charge to the provider, and settle.ts
// changes the payment.

import { type Company, getMethodProvider } from '../companies/company.ts'
import type { Payer } from '../customers/customer.ts'
import type { Database, Db, Transaction } from '../database/connect.ts'
import { and, desc, eq, gt, inArray, or, sql } from '../database/drizzle.ts'
import type { Locale, PaymentMethod } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { buildMinUuid, newId, newIdAt, newToken } from '../database/id.ts'
import { addDelay, DAY_MS, SECOND_MS } from '../database/instant.ts'
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
  /** Null: the company's customer with the payer's document, who is created with the attempt if needed. */
  customerId: string | null
  payer: Omit<Payer, 'companyId'>
  method: PaymentMethod
  quote: Quote
  attemptToken: string
  /** The answers to the form's custom questions; null without a form. */
  customFields?: CustomAnswer[] | null
  /** The `?ref=` of the payer's address. */
  ref?: string | null
  utm?: Utm | null
  /** Whether the payer's document came sealed in the address. */
  isTaxIdSealed?: boolean
  /** The language of the payer's page; null without a page. */
  locale?: Locale | null
  card: { brand: string; last4: string | null; holder: string | null } | null
  now: Date
}

/** The hold reason of a paid payment with an unreadable amount. */
export const UNREADABLE_HOLD = 'unreadable'

/** Describes why a payment is held, for people. */
export function formatHoldReason({ holdReason }: Pick<TransactionRow, 'holdReason'>) {
  return holdReason === UNREADABLE_HOLD ? texts.holds.unreadable : holdReason
}

/** Whether another or an unreadable amount came in, and the company has not decided yet. */
export function isAmountMismatch({ holdReason, approvedAt, status }: TransactionRow) {
  return holdReason !== null && approvedAt === null && status !== 'canceled'
}

/** Whether the received money was refunded, because it was another amount than the price. */
export function isMismatchRefunded({ holdReason, approvedAt, status }: TransactionRow) {
  return holdReason !== null && approvedAt === null && status === 'canceled'
}

/** A running charge is left alone for this long; after that its process counts as dead. */
export const IN_FLIGHT_MS = 20 * SECOND_MS

const NO_CARD = { brand: null, last4: null, holder: null }

/** Builds the row of a new attempt with the quoted amounts, without writing it. */
export function buildAttemptRow({
  link,
  company,
  quote,
  method,
  payer,
  card,
  now,
  locale = null,
  isTaxIdSealed = false,
  ...rest
}: AttemptInput) {
  // The id has the instant of createdAt, since lists of a period are limited by id.
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
    discountCents: quote.discountCents ?? 0,
    totalCents: quote.totalCents,
    installments: quote.installments,
    installmentCents: quote.installmentCents,
    interestMode: link.interestMode,
    interestRateBps: quote.rateBps,
    provider,
    payerName: payer.name,
    payerEmail: payer.email,
    payerTaxId: payer.taxId,
    isTaxIdSealed,
    payerPhone: payer.phone,
    cardBrand: brand,
    cardLast4: last4,
    cardHolder: holder,
    pixTxid: pix ? buildTxid(id, provider) : null,
    expiresAt: pix ? addDelay(now, company.pixExpirySeconds * SECOND_MS) : null,
    testMode: company.testMode,
    externalReference: link.externalReference,
    metadata: link.metadata,
    tags: link.tags,
    customFields: rest.customFields?.length ? rest.customFields : null,
    linkTitle: link.title,
    ref: rest.ref ?? null,
    utm: rest.utm ?? null,
    locale,
    checkAt: addDelay(now, IN_FLIGHT_MS),
    createdAt: at,
    updatedAt: at,
  }
  return row
}

/** The title at the time of payment, even if the link has another one now. */
export function getSoldTitle({ linkTitle }: TransactionRow, link: LinkRow) {
  return linkTitle ?? link.title
}

/** A new attempt, with the versions of its link and company. */
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

/** Lists the payments made with these attempt tokens, newest first. */
export async function listTransactionsByAttempt(db: Db, paymentLinkId: string, tokens: string[]) {
  const { attemptToken, createdAt } = transactions
  return db
    .select()
    .from(transactions)
    .where(and(eq(transactions.paymentLinkId, paymentLinkId), inArray(attemptToken, tokens)))
    .orderBy(desc(createdAt))
}

/** Finds a payment by the unguessable part of its own address. */
export async function findTransactionByToken(db: Database, token: string) {
  const [row] = await db.select().from(transactions).where(eq(transactions.token, token))
  return row
}

export async function findTransaction(db: Database, id: string) {
  const [row] = await db.select().from(transactions).where(eq(transactions.id, id))
  return row
}

/** Locks the payment until the transaction ends, so that changes of its money take turns. Throws 404. */
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

/** A payment is never deleted. */
export async function reloadTransaction(db: Database, id: string): Promise<TransactionRow> {
  return requireFound(await findTransaction(db, id))
}

type CardOnLink = {
  paymentLinkId: string
  taxId: string
  brand: string
  last4: string
}

/** The instant in an id may differ this much from the row's. */
export const TRANSACTION_ID_SKEW_MS = 1_000
/** How long a card that was refused for good is not tried again. */
const CARD_REFUSAL_MS = DAY_MS
/** A mistyped security code may be corrected, but not guessed. */
const MAX_WRONG_CODES = 3

/**
 * Whether this payer's card is refused for this link: a bank has declined it for good, or its security code was wrong
 * too often.
 */
export async function isCardRefused(db: Database, card: CardOnLink, now: Date) {
  const isWrongCode = eq(transactions.declineCode, 'invalid_cvv')
  const since = new Date(now.getTime() - CARD_REFUSAL_MS)
  // Ids contain the time: without this bound, all payments of the link would be read.
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

/** Whether the bank says that this card must not be tried again; a wrong security code may be corrected. */
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
  pixInstitution: null,
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

/** A larger number is of no use to people. */
const MAX_COUNTED = 1_000

/** Counts the payments of a company that were approved after an instant. */
export async function countApprovedSince(db: Database, companyId: string, since: string) {
  const approved = db
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), gt(transactions.approvedAt, since)))
    .limit(MAX_COUNTED)
    .as('approved')
  return db.$count(approved)
}
