// Handles a provider's notification about a charge. It is only a hint: we ask the provider and settle by its answer, so
// that repeated, reordered or invented notifications change nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { and, eq, inArray, or } from '../../database/drizzle.ts'
import type { ProviderName } from '../../database/enums.ts'
import { transactions } from '../../database/tables.ts'
import type { Hint } from '../../providers/notification.ts'
import { checkPayment } from '../check.ts'
import type { PayNeeds } from '../needs.ts'
import { findIdByEndToEndId } from '../search.ts'
import { tryRecordStep } from '../steps.ts'
import { reloadTransaction, type TransactionRow } from '../transaction.ts'
import { parseTxid } from '../txid.ts'
import { type PaymentAccount, scheduleChecksBefore } from './contradicted.ts'

const MAX_HINTS = 100
const MAX_NOTIFIED_CHECKS = 10
/** Disputes are notified one at a time; each needs a search. */
const MAX_END_TO_END_IDS = 10
/** A charge that was checked less than this ago is left to the reconciler. */
const RECHECK_AFTER_MS = 2_000
/** The provider waits no longer for our answer; the reconciler makes the remaining checks. */
const RESPONSE_TIMEOUT_MS = 5_000
const MAX_TRACKED_PAYMENTS = 10_000
const REFERENCE_PATTERN = /^[\x21-\x7e]{1,200}$/

/** Handles the hints of one notification. When it returns, their checks are stored and cannot be lost. */
export function createNotificationReader(needs: PayNeeds, answerWithinMs = RESPONSE_TIMEOUT_MS) {
  const { db, log, now } = needs
  const askedAt = new Map<string, number>()

  return { read, bringForward }

  async function read(notified: PaymentAccount, hints: Hint[]) {
    const distinct = [...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values()]
    const taken = distinct.slice(0, MAX_HINTS)
    const rows = await findHintedPayments(db, notified, taken)
    if (rows.length < distinct.length) {
      const counts = { hints: distinct.length, ours: rows.length }
      log.warn({ ...notified, ...counts }, 'notified of other charges')
    }
    const fresh = rows.filter(claimRecheck)
    await Promise.all(rows.map((row) => schedulePaymentCheck(notified, row, fresh.includes(row))))
    const asking = checkAll(fresh, notified.provider)
    await Promise.race([asking, sleep(answerWithinMs, undefined, { ref: false })])
  }

  /** For a notification with an invalid signature: checks its payments soon, without waiting. */
  async function bringForward(notified: PaymentAccount, hints: Hint[]) {
    const rows = await findHintedPayments(db, notified, hints.slice(0, MAX_HINTS))
    const soon = new Date(now().getTime() + RECHECK_AFTER_MS).toISOString()
    const ids = rows.map(({ id }) => id)
    await scheduleChecksBefore(db, notified, ids, soon)
  }

  function claimRecheck({ id }: TransactionRow) {
    const at = now().getTime()
    if (at - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) < RECHECK_AFTER_MS) return false
    // The order of the map is the order of the checks.
    askedAt.delete(id)
    askedAt.set(id, at)
    const [oldest = id] = askedAt.keys()
    if (askedAt.size > MAX_TRACKED_PAYMENTS) askedAt.delete(oldest)
    return true
  }

  /** Schedules the check for the reconciler, in case it is not made here by then. */
  function schedulePaymentCheck(notified: PaymentAccount, { id }: TransactionRow, fresh: boolean) {
    const at = fresh ? now().getTime() + answerWithinMs : (askedAt.get(id) ?? 0) + RECHECK_AFTER_MS
    return scheduleChecksBefore(db, notified, [id], new Date(at).toISOString())
  }

  async function checkAll(rows: TransactionRow[], provider: ProviderName) {
    for (let from = 0; from < rows.length; from += MAX_NOTIFIED_CHECKS) {
      await Promise.all(
        rows
          .slice(from, from + MAX_NOTIFIED_CHECKS)
          .map(({ id }) => checkNotifiedPayment(id, provider)),
      )
    }
  }

  async function checkNotifiedPayment(transactionId: string, provider: ProviderName) {
    await tryRecordStep(needs, transactionId, { kind: 'notified', details: { provider } })
    try {
      await checkPayment(needs, await reloadTransaction(db, transactionId), 'notification')
    } catch (err) {
      log.warn({ err, transactionId }, 'a payment could not be checked when it was notified')
    }
  }
}

/** Finds each of our charges once, however often it is named. */
async function findHintedPayments(
  db: Database,
  { companyId, provider }: PaymentAccount,
  hints: Hint[],
) {
  const { txids, references, endToEndIds } = groupHints(hints)
  const byTxid = [...txids].flatMap((txid) => parseTxid(txid) ?? [])
  const byPix = new Set<string>()
  for (const endToEndId of [...endToEndIds].slice(0, MAX_END_TO_END_IDS)) {
    const id = await findIdByEndToEndId(db, companyId, endToEndId)
    if (id) byPix.add(id)
  }
  const ids = [...byTxid, ...byPix]
  const rows = await db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, companyId),
        eq(transactions.provider, provider),
        or(inArray(transactions.id, ids), inArray(transactions.providerReference, [...references])),
      ),
    )
  return rows.filter(
    ({ id, pixTxid, providerReference }) =>
      (pixTxid !== null && txids.has(pixTxid.toLowerCase())) ||
      byPix.has(id) ||
      (providerReference !== null && references.has(providerReference)),
  )
}

function groupHints(hints: Hint[]) {
  const read = (name: (hint: Hint) => string | false) =>
    new Set(hints.flatMap((hint) => name(hint) || []))
  return {
    txids: read((hint) => hint.kind === 'txid' && hint.txid.toLowerCase()),
    references: read(
      (hint) =>
        hint.kind === 'reference' && REFERENCE_PATTERN.test(hint.reference) && hint.reference,
    ),
    endToEndIds: read((hint) => hint.kind === 'endToEndId' && hint.endToEndId),
  }
}
