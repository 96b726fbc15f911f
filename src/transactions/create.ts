// Creates a payment: writes the attempt, if it is allowed, and charges it. An attempt is written once for each attempt
// token, if link and company are still as the payer saw them, the link accepts another payment, and the precheck allows
// it. Its data leaves the service only after the commit.

import {
  findOrCreateCustomer,
  findOrCreateCustomers,
  lockCustomer,
  toCustomerKey,
} from '../customers/customer.ts'
import { batchByDatabase, batchCalls } from '../database/batch.ts'
import type { Transaction } from '../database/connect.ts'
import { and, eq, inArray, sql } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { SECOND_MS } from '../database/instant.ts'
import { companies, paymentLinks, transactions, webhookEndpoints } from '../database/tables.ts'
import { listPaymentWords, toTsvector } from '../lists/words.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { hasPaymentLeft } from '../payment-links/payments.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { type ChargeDetails, chargePayment, draftPix } from './charge.ts'
import { cancelGivenUp, endSuperseded, lockSuperseded } from './give-up.ts'
import type { PayNeeds } from './needs.ts'
import { toTransactionEventData } from './serialize.ts'
import {
  type DraftedTransaction,
  findTransactionByAttempt,
  type TransactionRow,
} from './transaction.ts'

/** A payer waits at most this long for a Pix code; the payment's page shows it when it arrives. */
const PIX_PATIENCE_MS = 4 * SECOND_MS

/** The precheck refused it, and nothing was written. `overCapacity`: a later try may succeed. */
export type AttemptRefusal = {
  kind: 'refused'
  reason: 'paused' | 'tooMany' | 'overCapacity'
  retryAfterSeconds: number
}

/** Decides whether a payment may be tried, in the transaction that writes it. */
export type Precheck = {
  /** Holds up, until the end of the transaction, other checks that count the same attempts. */
  lock(tx: Transaction): Promise<void>
  check(tx: Transaction, link: LinkRow): Promise<{ kind: 'allowed' } | AttemptRefusal>
  /** Called after the payment is written. */
  record(tx: Transaction): Promise<void>
}

export type NewPayment = ChargeDetails & {
  row: DraftedTransaction
  precheck?: Precheck | null
  /** Card payments of the same payer that wait for 3DS, and that this one replaces. */
  supersedes?: string[]
}

/**
 * `soldOut`: the link has its `maxPayments`, open ones included. `stale`: the link or its company has changed; read it
 * again and show it to the payer.
 */
export type CreatePaymentResult =
  | { kind: 'payment'; row: TransactionRow }
  | { kind: 'soldOut' }
  | { kind: 'stale' }
  | AttemptRefusal

/**
 * Creates a payment. A repeated attempt token returns the first attempt, which may still be in progress. If the payer
 * has already answered the bank of a payment in `supersedes`, that payment is returned.
 */
export async function createPayment(
  needs: PayNeeds,
  { row: draft, precheck = null, supersedes = [], ...details }: NewPayment,
): Promise<CreatePaymentResult> {
  const row = await draftPix(needs, draft, details)
  const attempt = await createAttempt(needs, details.link, { row, precheck, supersedes })
  switch (attempt.kind) {
    case 'created': {
      const { customerId, givenUp = [] } = attempt
      const [charged] = await Promise.all([
        chargeBriefly(needs, { ...row, customerId }, details),
        ...givenUp.map((one) => cancelGivenUp(needs, one)),
      ])
      return { kind: 'payment', row: charged }
    }
    case 'answered':
      return { kind: 'payment', row: attempt.row }
    case 'unwritten': {
      const first = await findTransactionByAttempt(needs.db, row.paymentLinkId, row.attemptToken)
      return first ? { kind: 'payment', row: first } : { kind: 'stale' }
    }
    default:
      return attempt
  }
}

/** A longer charge continues, and the reconciler handles its result. */
async function chargeBriefly(needs: PayNeeds, row: TransactionRow, details: ChargeDetails) {
  if (row.pixBrCode) return row
  const charging = chargePayment(needs, row, details)
  if (row.method !== 'pix') return charging
  charging.catch((err) => {
    needs.log.warn({ err, transactionId: row.id }, 'a charge could not be completed')
  })
  const patience = Promise.withResolvers<TransactionRow>()
  const timer = setTimeout(patience.resolve, PIX_PATIENCE_MS, row).unref()
  return Promise.race([charging, patience.promise]).finally(() => clearTimeout(timer))
}

type PlainAttempt = { row: DraftedTransaction; link: LinkRow; checkoutUrl: string }

type NewAttempt = { row: DraftedTransaction; precheck: Precheck | null; supersedes: string[] }

type InsertResult =
  | { kind: 'created'; customerId: string }
  /** The token was used before, the link or company has changed, or the customer was just anonymized. */
  | { kind: 'unwritten' }

type CreateAttemptResult =
  | (InsertResult & { givenUp?: TransactionRow[] })
  | { kind: 'answered'; row: TransactionRow }
  | { kind: 'soldOut' }
  | AttemptRefusal

async function createAttempt(
  needs: PayNeeds,
  link: LinkRow,
  attempt: NewAttempt,
): Promise<CreateAttemptResult> {
  const { row, precheck, supersedes } = attempt
  const isPlain = !precheck && supersedes.length === 0 && link.maxPayments === null
  const { checkoutUrl } = needs
  if (isPlain) return insertPlainAttempt(needs.db, { row, link, checkoutUrl })
  // Before any lock, so that requests that wait for the link don't also wait for a customer.
  const customerId = row.payer
    ? await findOrCreateCustomer(needs.db, row.payer, new Date(row.createdAt))
    : row.customerId
  const write = () => writeAttempt(needs, { ...attempt, row: { ...row, customerId } })
  return precheck ? runInTurn(write) : write()
}

/** Attempts with a precheck wait for each other; running few at a time leaves connections for other requests. */
const runInTurn = batchCalls<() => Promise<CreateAttemptResult>, CreateAttemptResult>(
  (writes) => Promise.all(writes.map((write) => write())),
  { concurrency: 3, maxItems: 1 },
)

/** Attempts without a precheck: those of the same moment are written together. */
const insertPlainAttempt = batchByDatabase<PlainAttempt, InsertResult>((db, attempts) =>
  db.transaction(async (tx) => {
    const drafts = attempts.map(({ row }) => row)
    const customerIds = await findOrInsertCustomers(tx, drafts)
    const isStanding = await lockAsShown(tx, drafts)
    // All transactions use the same order, so that two never wait for each other.
    const rows = drafts
      .flatMap((draft) => {
        const customerId = customerIds.get(draft.id)
        return customerId && isStanding(draft) ? [toRow({ ...draft, customerId })] : []
      })
      .sort((a, b) => (a.attemptToken < b.attemptToken ? -1 : 1))
    const written = new Set(await insertAttempts(tx, rows))
    const created = attempts.flatMap((attempt) => {
      const row = rows.find(({ id }) => id === attempt.row.id && written.has(id))
      return row ? [{ ...attempt, row }] : []
    })
    await publishCreated(tx, created)
    return drafts.map(({ id }) => {
      const customerId = customerIds.get(id)
      return customerId && written.has(id) ? { kind: 'created', customerId } : { kind: 'unwritten' }
    })
  }),
)

/** Returns the customers by the ids of the drafts, without customers who are being anonymized. */
async function findOrInsertCustomers(tx: Transaction, drafts: DraftedTransaction[]) {
  const unknown = drafts.flatMap(({ payer, customerId: id, createdAt }) =>
    payer ? [{ ...payer, id, createdAt }] : [],
  )
  const ids = await findOrCreateCustomers(tx, unknown)
  return new Map(
    drafts.map(({ id, payer, customerId }) => [
      id,
      payer ? ids.get(toCustomerKey(payer)) : customerId,
    ]),
  )
}

/** Locks link and company until the transaction ends; returns false when they differ from what the payer saw. */
async function lockAsShown(tx: Transaction, drafts: DraftedTransaction[]) {
  const linkIds = drafts.map(({ paymentLinkId }) => paymentLinkId)
  const links = await tx
    .select({
      id: paymentLinks.id,
      linkVersion: paymentLinks.updatedAt,
      companyVersion: companies.updatedAt,
    })
    .from(paymentLinks)
    .innerJoin(companies, eq(companies.id, paymentLinks.companyId))
    .where(inArray(paymentLinks.id, [...new Set(linkIds)]))
    .orderBy(paymentLinks.id)
    .for('key share', { of: paymentLinks })
  const versions = new Map(links.map(({ id, ...version }) => [id, version]))
  return ({ paymentLinkId, linkVersion, companyVersion }: DraftedTransaction) => {
    const now = versions.get(paymentLinkId)
    return now?.linkVersion === linkVersion && now.companyVersion === companyVersion
  }
}

/** Returns the ids of the written attempts: a used token writes nothing. */
async function insertAttempts(tx: Transaction, rows: TransactionRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const written = await tx
    .insert(transactions)
    .values(rows.map((row) => ({ ...row, words: toTsvector(listPaymentWords(row)) })))
    .onConflictDoNothing({ target: [transactions.paymentLinkId, transactions.attemptToken] })
    .returning({ id: transactions.id })
  return written.map(({ id }) => id)
}

function toRow({ linkVersion: _, companyVersion: __, payer: ___, ...row }: DraftedTransaction) {
  return row
}

async function writeAttempt(
  needs: PayNeeds,
  { row, precheck, supersedes }: NewAttempt,
): Promise<CreateAttemptResult> {
  return needs.db.transaction(async (tx) => {
    const link = await lockLinkForPayment(tx, row.paymentLinkId)
    await precheck?.lock(tx)
    const known = await findTransactionByAttempt(tx, row.paymentLinkId, row.attemptToken)
    if (known || !(await isAsShown(tx, link, row))) return { kind: 'unwritten' }
    const checked = await precheck?.check(tx, link)
    if (checked?.kind === 'refused') return checked
    const written = await insertSuperseding(needs, tx, { row, link, supersedes })
    if (written.kind === 'created') await precheck?.record(tx)
    return written
  })
}

/** Whether the link is unchanged and the customer was not anonymized meanwhile. */
async function isAsShown(tx: Transaction, link: LinkRow, row: DraftedTransaction) {
  if (link.updatedAt !== row.linkVersion) return false
  const [company] = await tx
    .select({ updatedAt: companies.updatedAt })
    .from(companies)
    .where(eq(companies.id, row.companyId))
  if (requireFound(company).updatedAt !== row.companyVersion) return false
  return row.payer === null || lockCustomer(tx, row.customerId, row.payer.taxId)
}

type SupersedingPayment = { row: DraftedTransaction; link: LinkRow; supersedes: string[] }

async function insertSuperseding(
  needs: PayNeeds,
  tx: Transaction,
  { row, link, supersedes }: SupersedingPayment,
): Promise<CreateAttemptResult> {
  const { open, answered } = await lockSuperseded(tx, supersedes)
  if (answered) return { kind: 'answered', row: answered }
  if (!(await hasPaymentLeft(tx, link, open.length))) return { kind: 'soldOut' }
  const created = { ...toRow(row), firstAttemptId: findFirstAttempt(open) }
  const [inserted] = await insertAttempts(tx, [created])
  if (!inserted) return { kind: 'unwritten' }
  await publishCreated(tx, [{ row: created, link, checkoutUrl: needs.checkoutUrl }])
  await endSuperseded(tx, open, needs)
  return { kind: 'created', customerId: row.customerId, givenUp: open }
}

/** Returns the first of the payments that a new one replaces; null when it replaces none. */
function findFirstAttempt(left: readonly TransactionRow[]) {
  const [first] = left.filter(({ status }) => status === 'pending')
  return first ? (first.firstAttemptId ?? first.id) : null
}

// `transaction.created`: for companies that must know a payment, for example a Pix by its txid, before it is paid. Most
// attempts are never paid, so the event is written only if an endpoint of the company subscribes to it.

const CREATED = 'transaction.created'

type CreatedPayment = { row: TransactionRow; link: LinkRow; checkoutUrl: string }

/** Runs in the transaction that writes the payments. */
async function publishCreated(tx: Transaction, created: CreatedPayment[]) {
  const asking = await listAskingCompanies(tx, created)
  for (const { row, link, checkoutUrl } of created) {
    const { companyId, testMode } = row
    if (!asking.has(companyId)) continue
    const data = toTransactionEventData(row, link, checkoutUrl)
    const now = new Date(row.createdAt)
    await recordEvent(tx, { companyId, type: CREATED, testMode, data, now })
  }
}

async function listAskingCompanies(tx: Transaction, created: CreatedPayment[]) {
  if (created.length === 0) return new Set()
  const companyIds = [...new Set(created.map(({ row }) => row.companyId))]
  const { companyId, events } = webhookEndpoints
  const rows = await tx
    .selectDistinct({ companyId })
    .from(webhookEndpoints)
    .where(and(inArray(companyId, companyIds), sql`${CREATED} = any(${events})`))
  return new Set(rows.map((row) => row.companyId))
}
