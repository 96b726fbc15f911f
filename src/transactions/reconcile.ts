// Asks providers about payments and refunds whose end has not been heard: after a crash, a lost
// notification, a code that ran out. Whatever process finds one due takes it.

import { inArray, sql } from '../database/drizzle.ts'
import { repeat } from '../database/repeat.ts'
import { refunds, transactions } from '../database/tables.ts'
import { checkRefund } from './give-back.ts'
import { check, type PayNeeds } from './pay.ts'

const LEASE_S = 60
const BATCH = 50
const IDLE_MS = 1_000

/** Checks what is due at `now()` and answers how many that were. */
export async function reconcileDue(needs: PayNeeds): Promise<number> {
  const [payments, givenBack] = [await claimPayments(needs), await claimRefunds(needs)]
  await Promise.all([
    ...payments.map((row) =>
      check(needs, row).catch((err) => {
        needs.log.warn({ err, transactionId: row.id }, 'a payment could not be checked')
      }),
    ),
    ...givenBack.map((refund) =>
      checkRefund(needs, refund).catch((err) => {
        const { id: refundId, transactionId } = refund
        needs.log.warn({ err, refundId, transactionId }, 'a refund could not be checked')
      }),
    ),
  ])
  return payments.length + givenBack.length
}

/** Pushes due rows past a lease: whoever dies holding one lets it run out. */
async function claimPayments({ db, now }: PayNeeds) {
  const { set, where } = dueRows(transactions, now())
  return db.update(transactions).set(set).where(where).returning()
}

async function claimRefunds({ db, now }: PayNeeds) {
  const { set, where } = dueRows(refunds, now())
  return db.update(refunds).set(set).where(where).returning()
}

function dueRows(table: typeof transactions | typeof refunds, now: Date) {
  const at = now.toISOString()
  const due = sql`(select id from ${table} where check_at <= ${at} order by check_at limit ${BATCH} for update skip locked)`
  const checkAt = sql`${at}::timestamptz + make_interval(secs => ${LEASE_S})`
  return { set: { checkAt }, where: inArray(table.id, due) }
}

/** Reconciles until stopped. Stopping waits for the checks under way. */
export function startReconciler(needs: PayNeeds) {
  const failure = 'payments cannot be reconciled for now'
  return repeat({ pauseMs: IDLE_MS, log: needs.log, failure }, async () => {
    return (await reconcileDue(needs)) >= BATCH
  })
}
