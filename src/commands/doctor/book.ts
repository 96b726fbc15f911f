// Checks that the book of money agrees with the payments.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { selectBookDifferences } from '../../movements/book.ts'
import { type Finding, reportFailure, reportOk } from './finding.ts'

const CHECK_TIMEOUT_MS = MINUTE_MS
const MAX_NAMED = 3

export async function checkBook(db: Database): Promise<Finding> {
  const { rows } = await db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local statement_timeout = ${CHECK_TIMEOUT_MS}`))
    return tx.execute<{ id: string }>(sql`
      select distinct transaction_id as id from ${selectBookDifferences(sql`true`)} difference limit ${MAX_NAMED}`)
  })
  if (rows.length === 0) return reportOk('book of money: it agrees with the payments')
  return reportFailure(
    `book of money: it differs from these payments: ${rows.map(({ id }) => id).join(', ')}`,
    'rely on the payments until it is repaired, and report this to us: it must not happen',
  )
}
