// Claims of rows that are due.
import { expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { newId } from '../../src/database/id.ts'
import { mails } from '../../src/database/tables.ts'
import { selectDueIds } from '../../src/queue/lease.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { db } = await openDatabase()
const NOW = new Date('2026-01-01T00:00:00.000Z')

test('what another is claiming just now is passed over, and not waited for', async () => {
  const ids = [newId(), newId(), newId()]
  const dueAt = (i: number) => new Date(NOW.getTime() + i).toISOString()
  await db.insert(mails).values(
    ids.map((id, i) => ({
      id,
      template: 'password-reset',
      recipient: 'ana@example.com',
      data: {},
      dueAt: dueAt(i - 1),
      createdAt: dueAt(0),
    })),
  )
  const due = (limit: number) =>
    selectDueIds(mails, mails.dueAt, NOW, sql`order by due_at limit ${limit}`)

  const claims = await db.transaction(async (tx) => {
    const mine = await tx.execute(due(1))
    const theirs = await db.execute(due(10))
    return [mine.rows, theirs.rows]
  })

  expect(claims).toEqual([[{ id: ids[0] }], [{ id: ids[1] }]])
})
