// Asks providers about payments whose end has not been heard: after a crash, a lost notification, a
// code that ran out. Whatever process finds one due takes it.
import { setTimeout as sleep } from 'node:timers/promises'
import { inArray, sql } from '../database/drizzle.ts'
import { transactions } from '../database/tables.ts'
import { check, type PayNeeds } from './pay.ts'

const LEASE_S = 60
const BATCH = 50
const IDLE_MS = 1_000

/** Checks what is due at `now()` and answers how many that were. */
export async function reconcileDue(needs: PayNeeds): Promise<number> {
  const rows = await claim(needs)
  await Promise.all(
    rows.map((row) =>
      check(needs, row).catch((error) => {
        needs.log.warn({ err: error, transactionId: row.id }, 'a payment could not be checked')
      }),
    ),
  )
  return rows.length
}

/** Pushes due rows past a lease: whoever dies holding one lets it run out. */
async function claim({ db, now }: PayNeeds) {
  const at = now().toISOString()
  return db
    .update(transactions)
    .set({ checkAt: sql`${at}::timestamptz + make_interval(secs => ${LEASE_S})` })
    .where(
      inArray(
        transactions.id,
        sql`(select id from transactions where check_at <= ${at} order by check_at limit ${BATCH} for update skip locked)`,
      ),
    )
    .returning()
}

/** Reconciles until stopped. Stopping waits for the checks under way. */
export function startReconciler(needs: PayNeeds) {
  const stopping = new AbortController()
  let failing = false
  const stopped = run()

  return async function stop() {
    stopping.abort()
    await stopped
  }

  async function run() {
    while (!stopping.signal.aborted) {
      const checked = await reconcileDue(needs).then(noteSuccess, noteFailure)
      if (checked < BATCH) await pause()
    }
  }

  async function pause() {
    await sleep(IDLE_MS, undefined, { signal: stopping.signal }).catch(() => {})
  }

  function noteSuccess(checked: number) {
    failing = false
    return checked
  }

  /** Once per outage, not once per second. */
  function noteFailure(err: unknown) {
    if (!failing) needs.log.warn({ err }, 'payments cannot be reconciled for now')
    failing = true
    return 0
  }
}
