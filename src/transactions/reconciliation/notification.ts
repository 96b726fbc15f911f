// A provider's news of a charge. It is a hint and no more: we ask the provider and settle by what it
// answers, so that nobody who repeats, reorders or invents news can change anything.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/connect.ts'
import { and, eq, inArray, or } from '../../database/drizzle.ts'
import type { ProviderName } from '../../database/enums.ts'
import { transactions } from '../../database/tables.ts'
import type { Hint } from '../../providers/provider.ts'
import type { PayNeeds } from '../needs.ts'
import { check } from '../pay.ts'
import { hasten } from '../progress.ts'
import { tellStep } from '../timeline/steps.ts'
import { findTransaction, idOfTxid, type TransactionRow } from '../transaction.ts'

type Notified = { companyId: string; provider: ProviderName }

const MAX_HINTS = 100
const AT_ONCE = 10
/** A charge that was asked about so short a time ago is left to the reconciler. */
const AGAIN_MS = 2_000
/** The provider waits for our answer no longer; what is not asked by then the reconciler asks. */
const ANSWER_WITHIN_MS = 5_000
const MAX_REMEMBERED = 10_000
const REFERENCE = /^[\x21-\x7e]{1,200}$/

/** Takes in what one notification points at. By the time it answers nothing of it can be lost. */
export function notificationReader(needs: PayNeeds, answerWithinMs = ANSWER_WITHIN_MS) {
  const { db, log, now } = needs
  const askedAt = new Map<string, number>()

  return async function read(notified: Notified, hints: Hint[]) {
    const distinct = [...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values()]
    const taken = distinct.slice(0, MAX_HINTS)
    const rows = await findHinted(db, notified, taken)
    if (rows.length < distinct.length) {
      const counts = { hints: distinct.length, ours: rows.length }
      log.warn({ ...notified, ...counts }, 'notified of other charges')
    }
    const fresh = rows.filter(isFresh)
    await Promise.all(rows.map((row) => planOf(row, fresh.includes(row))))
    const asking = askAll(fresh, notified.provider)
    await Promise.race([asking, sleep(answerWithinMs, undefined, { ref: false })])
  }

  function isFresh({ id }: TransactionRow) {
    const at = now().getTime()
    if (at - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return false
    // The order of the map is the order of asking.
    askedAt.delete(id)
    askedAt.set(id, at)
    if (askedAt.size > MAX_REMEMBERED) askedAt.delete(askedAt.keys().next().value as string)
    return true
  }

  /** When the reconciler asks, unless it has been done by then. */
  function planOf({ id }: TransactionRow, fresh: boolean) {
    const at = fresh ? now().getTime() + answerWithinMs : askedAt.get(id)! + AGAIN_MS
    return hasten(db, id, new Date(at).toISOString())
  }

  async function askAll(rows: TransactionRow[], provider: ProviderName) {
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      await Promise.all(rows.slice(from, from + AT_ONCE).map(({ id }) => ask(id, provider)))
    }
  }

  async function ask(transactionId: string, provider: ProviderName) {
    await tellStep(needs, transactionId, { kind: 'notified', details: { provider } })
    try {
      await check(needs, (await findTransaction(db, transactionId))!, 'notification')
    } catch (err) {
      log.warn({ err, transactionId }, 'a payment could not be checked when it was notified')
    }
  }
}

/** Each of our charges once, however often it is hinted at. */
async function findHinted(db: Database, { companyId, provider }: Notified, hints: Hint[]) {
  const txids = new Set(hints.flatMap((hint) => ('txid' in hint ? [hint.txid] : [])))
  const references = new Set(
    hints.flatMap((hint) =>
      'reference' in hint && REFERENCE.test(hint.reference) ? [hint.reference] : [],
    ),
  )
  const ids = [...txids].flatMap((txid) => idOfTxid(txid) ?? [])
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
    ({ pixTxid, providerReference }) =>
      (pixTxid !== null && txids.has(pixTxid)) ||
      (providerReference !== null && references.has(providerReference)),
  )
}
