// Books what a version before this one has approved and given back, which kept no book: all there is once, and while
// that version still runs beside this one, what it goes on writing.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { MIN_UUID } from '../database/id.ts'
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import { installation } from '../database/tables.ts'
import { runInterval } from '../queue/interval.ts'
import { bookMovements, selectBookDifferences } from './book.ts'

const BATCH_SIZE = 2_000
const FILLED = 'book_filled'

/** Before anything reads the book. It can be stopped, and goes on where it was. */
export async function fillBook(
  db: Database,
  onProgress: (progress: string) => void = () => {},
): Promise<void> {
  const [filled] = await db.select().from(installation).where(sql`name = ${FILLED}`)
  if (filled) return
  await bookWhatIsMissing(db, sql`true`, onProgress)
  await db.insert(installation).values({ name: FILLED, value: 'yes' }).onConflictDoNothing()
}

type CatchUpNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'>; now: () => Date }

/** The answer stops it. */
export function startBookCatchUp({ db, log, now }: CatchUpNeeds) {
  const failure = 'what a version before this one wrote cannot be booked for now'
  // That version may have been taken back for a while before this process was started.
  let reachMs = 30 * DAY_MS
  return runInterval({ intervalMs: HOUR_MS, log, failure }, async () => {
    const since = new Date(now().getTime() - reachMs).toISOString()
    const isRecent = sql`id in (
      select recent.id from companies cross join lateral (
        select id from transactions where company_id = companies.id and updated_at >= ${since}
      ) recent
    )`
    await bookWhatIsMissing(db, isRecent)
    reachMs = DAY_MS
    return false
  })
}

async function bookWhatIsMissing(
  db: Database,
  isAsked: SQL,
  onProgress: (progress: string) => void = () => {},
) {
  let count = 0
  for (let after: string | undefined = MIN_UUID; after !== undefined; ) {
    const ids: string[] = await bookBatch(db, sql`id > ${after} and ${isAsked}`)
    count += ids.length
    onProgress(`${count} payments are in the book of money`)
    after = ids.length === BATCH_SIZE ? ids.at(-1) : undefined
  }
}

async function bookBatch(db: Database, isAsked: SQL) {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; differs: boolean }>(sql`
      with page as materialized (
        select id from transactions where approved_at is not null and ${isAsked} order by id limit ${BATCH_SIZE}
      )
      select id, id in (
        select transaction_id from ${selectBookDifferences(sql`payment.id in (select id from page)`)} difference
      ) as differs
      from page order by id`)
    const wrong = rows.filter(({ differs }) => differs).map(({ id }) => id)
    await tx.execute(sql`
      select from transactions where id = any(${sql.param(wrong)}::uuid[]) order by id for no key update`)
    await bookMovements(tx, wrong, { bookedAt: null })
    return rows.map(({ id }) => id)
  })
}
