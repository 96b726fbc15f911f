// Whether the doctor sees that a schema is not whole.
import { expect, test } from 'vitest'
import { checkSchema } from '../../../src/commands/doctor/postgres.ts'
import type { Database } from '../../../src/database/connect.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const { db } = await openDatabase()

async function findOne(at: Database) {
  const { findings } = await checkSchema(at)
  expect(findings).toHaveLength(1)
  return findings[0]!
}

test('what the migrations make is all there; what a broken restore leaves out is named', async () => {
  expect(await checkSchema(db)).toEqual({
    usable: true,
    findings: [{ status: 'ok', what: 'migrations: up to date' }],
  })

  await db.$client.query(`
    alter table transactions drop constraint transactions_token_unique;
    drop index events_company_id_id_index`)

  const finding = await findOne(db)
  expect(finding.status).toBe('fail')
  expect(finding.what).toMatch(
    /^migrations: up to date, but 2 of \d+ indexes and constraints are missing \(/,
  )
  expect(finding.what).toContain('transactions.transactions_token_unique')
  expect(finding.what).toContain('events.events_company_id_id_index')

  await db.$client.query('drop table webhook_deliveries cascade')
  expect((await findOne(db)).what).toMatch(/, …\)$/)
})

test.each([
  [
    'an index that was built in part',
    `update pg_index set indisvalid = false where indexrelid = 'events_company_id_id_index'::regclass`,
    'events.events_company_id_id_index',
  ],
])('%s is named', async (_what, statement, part) => {
  const { db: other } = await openDatabase()
  await other.$client.query(statement)

  const finding = await findOne(other)

  expect(finding.status).toBe('fail')
  expect(finding.what).toContain(`(${part})`)
})
