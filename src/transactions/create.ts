// Makes a payment: the attempt is written, if it may be made at all, and charged. Written once for each
// attempt token, while link and company are as committed what the payer was shown, while the link has a
// payment left, and only when its precheck allows it. Nobody outside hears of one that is not committed.

import { buildCustomerLookup, findOrCreateCustomer } from '../customers/customer.ts'
import { batchCalls } from '../database/batch.ts'
import { buildRowInsert } from '../database/bulk-insert.ts'
import type { Database, Db, Transaction } from '../database/connect.ts'
import { SECOND_MS } from '../database/instant.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { runNamedStatement } from '../database/statement.ts'
import { transactions } from '../database/tables.ts'
import { type LinkRow, lockLinkForPayment } from '../payment-links/payment-link.ts'
import { hasPaymentLeft } from '../payment-links/payments.ts'
import { cancelGivenUp, endWaiting, lockWaiting } from './challenge/give-up.ts'
import { type ChargeDetails, chargePayment, draftLocalPix } from './charge.ts'
import type { PayNeeds } from './needs.ts'
import {
  type DraftedTransaction,
  findTransactionByAttempt,
  type TransactionRow,
} from './transaction.ts'

/** A payer waits no longer than this for the code of a Pix; its page shows it when it comes. */
const PIX_PATIENCE_MS = 4 * SECOND_MS

/** Nothing was written: the precheck is against it. `overCapacity`: a moment later it may not be. */
export type AttemptRefusal = {
  kind: 'refused'
  reason: 'paused' | 'tooMany' | 'overCapacity'
  retryAfterSeconds: number
}

/** Has a say in whether a payment may be tried, within the transaction that writes it. */
export type Precheck = {
  /** From here to the transaction's end nobody is judged who would be counted together with this one. */
  lock(tx: Transaction): Promise<void>
  check(tx: Transaction, link: LinkRow): Promise<{ kind: 'allowed' } | AttemptRefusal>
  /** The payment has been written. */
  record(tx: Transaction): Promise<void>
}

export type NewPayment = ChargeDetails & {
  row: DraftedTransaction
  precheck?: Precheck | null
  /** Card payments of the same payer that wait for them at their bank: this one takes their place. */
  instead?: string[]
}

/**
 * `soldOut`: the link has as many payments as its `maxPayments` allows, or as may still come to it.
 * `stale`: the link or its company has changed since; read it again and see what the payer says.
 */
export type CreatePaymentResult =
  | { kind: 'payment'; row: TransactionRow }
  | { kind: 'soldOut' }
  | { kind: 'stale' }
  | AttemptRefusal

/**
 * The same attempt token again answers with the first attempt, whose end may still be out; and one of those `instead`
 * of which it is made, where its bank has the payer's answer by now, with that one.
 */
export async function createPayment(
  needs: PayNeeds,
  { row: draft, precheck = null, instead = [], ...details }: NewPayment,
): Promise<CreatePaymentResult> {
  const row = await draftLocalPix(needs, draft, details)
  const attempt = await createAttempt(needs, details.link, { row, precheck, instead })
  switch (attempt.kind) {
    case 'created': {
      const { customerId, givenUp = [] } = attempt
      needs.metrics?.countStartedPayment(row)
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

/** A charge that takes longer goes on; whatever becomes of it, the reconciler hears of it too. */
async function chargeBriefly(needs: PayNeeds, row: TransactionRow, details: ChargeDetails) {
  if (row.pixBrCode) return row
  const charging = chargePayment(needs, row, details)
  if (row.method !== 'pix') return charging
  charging.catch((err) => {
    needs.log.warn({ err, transactionId: row.id }, 'a charge could not be brought to its end')
  })
  const patience = Promise.withResolvers<TransactionRow>()
  const timer = setTimeout(patience.resolve, PIX_PATIENCE_MS, row).unref()
  return Promise.race([charging, patience.promise]).finally(() => clearTimeout(timer))
}

type NewAttempt = { row: DraftedTransaction; precheck: Precheck | null; instead: string[] }

type InsertResult =
  | { kind: 'created'; customerId: string }
  /** Its token was used before, what it was made from has changed, or its customer was just being made. */
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
  const { db } = needs
  const { row, precheck, instead } = attempt
  const isAlone = !precheck && instead.length === 0 && link.maxPayments === null
  if (isAlone) return attemptInsertBatch(db)(row)
  // Before anything is locked: nobody who waits for the link waits for a customer too.
  const found = row.payer && (await findOrCreateCustomer(db, row.payer, new Date(row.createdAt)))
  const known = { ...attempt, row: { ...row, customerId: found ?? row.customerId, payer: null } }
  const write = () => writeAttempt(needs, known)
  return precheck ? precheckedAttemptBatch(db)(write) : write()
}

/** They wait for each other; a few at a time, so that those who wait do not take every connection. */
const precheckedAttemptBatch = memoizeByDb(() =>
  batchCalls<() => Promise<CreateAttemptResult>, CreateAttemptResult>(
    (writes) => Promise.all(writes.map((write) => write())),
    { concurrency: 3, maxItems: 1 },
  ),
)

async function writeAttempt(
  needs: PayNeeds,
  { row, precheck, instead }: NewAttempt,
): Promise<CreateAttemptResult> {
  return needs.db.transaction(async (tx) => {
    const link = await lockLinkForPayment(tx, row.paymentLinkId)
    await precheck?.lock(tx)
    const known = await findTransactionByAttempt(tx, row.paymentLinkId, row.attemptToken)
    if (known || link.updatedAt !== row.linkVersion) return { kind: 'unwritten' }
    const checked = await precheck?.check(tx, link)
    if (checked?.kind === 'refused') return checked
    const written = await insertInstead(needs, tx, { row, link, instead })
    if (written.kind === 'created') await precheck?.record(tx)
    return written
  })
}

type InsteadOf = { row: DraftedTransaction; link: LinkRow; instead: string[] }

async function insertInstead(
  needs: PayNeeds,
  tx: Transaction,
  { row, link, instead }: InsteadOf,
): Promise<CreateAttemptResult> {
  const { open, answered } = await lockWaiting(tx, instead)
  if (answered) return { kind: 'answered', row: answered }
  if (!(await hasPaymentLeft(tx, link, open.length))) return { kind: 'soldOut' }
  const [inserted = { kind: 'unwritten' }] = await insertDrafts(tx, [row])
  if (inserted.kind !== 'created') return inserted
  await endWaiting(tx, open, { link, needs })
  return { ...inserted, givenUp: open }
}

/** Written in one statement with the customers that they are the first of, where what they are made from stands. */
async function insertDrafts(db: Db, drafts: DraftedTransaction[]): Promise<InsertResult[]> {
  const payers = drafts.flatMap(({ payer, customerId: id, createdAt }) =>
    payer ? { ...payer, id, createdAt } : [],
  )
  // With their payers, whom Postgres passes over: no column has that name.
  const values = [JSON.stringify(drafts), JSON.stringify(payers)]
  const name = 'insert_transactions'
  const written = await runNamedStatement<WrittenDraft>(db, name, INSERT_DRAFTS_SQL, values)
  const customerIds = new Map(written.map((row) => [row.id, row.customerId]))
  return drafts.map(({ id }) => {
    const customerId = customerIds.get(id)
    return customerId ? { kind: 'created', customerId } : { kind: 'unwritten' }
  })
}

type WrittenDraft = { id: string; customerId: string }

const INSERT_DRAFTS_SQL = buildRowInsert(transactions, {
  onConflict: ['paymentLinkId', 'attemptToken'],
  more: { linkVersion: 'timestamptz', companyVersion: 'timestamptz' },
  queries: buildCustomerLookup('$2', true),
  values: { customerId: 'coalesce(customer.found, given."customerId")' },
  joins: `left join customer on customer.wanted = given."customerId"
    join payment_links link on link.id = given."paymentLinkId"
      and link.updated_at = given."linkVersion"
    join companies company on company.id = given."companyId"
      and company.updated_at = given."companyVersion"
    where customer.wanted is null or customer.found is not null`,
  returning: 'id, customer_id as "customerId"',
})

const attemptInsertBatch = memoizeByDb((db: Database) =>
  batchCalls((drafts: DraftedTransaction[]) => insertDrafts(db, drafts)),
)
