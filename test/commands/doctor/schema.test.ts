// Whether the doctor sees that a schema is not whole.
import { expect, test } from 'vitest'
import { checkSchema } from '../../../src/commands/doctor/schema.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const { db } = await openDatabase()

test('what the migrations make is all there; what a broken restore leaves out is named', async () => {
  expect(await checkSchema(db)).toEqual({
    usable: true,
    finding: { status: 'ok', what: 'migrations: up to date' },
  })

  await db.$client.query(`
    alter table transactions drop constraint transactions_token_unique;
    drop index events_company_id_id_index`)

  const { finding } = await checkSchema(db)
  expect(finding.status).toBe('fail')
  expect(finding.what).toMatch(
    /^migrations: up to date, but 2 of \d+ indexes and constraints are missing \(/,
  )
  expect(finding.what).toContain('transactions.transactions_token_unique')
  expect(finding.what).toContain('events.events_company_id_id_index')

  await db.$client.query('drop table webhook_deliveries cascade')
  expect((await checkSchema(db)).finding.what).toMatch(/, …\)$/)
})
