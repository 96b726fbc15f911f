// What a payment was for stays what it was for.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { transactions } from '../../../src/database/tables.ts'
import { findListedTransaction } from '../../../src/transactions/list/listed.ts'
import type { TransactionRow } from '../../../src/transactions/transaction.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newLink, pay, editLink } = openCheckout(testApp)

test('the receipt says what was bought, whatever its link is called later', async () => {
  const link = await newLink({ title: 'Bolo de cenoura' })
  const { url, browser, row } = await pay(link, buildTestCard('ok'))
  const { url: older, browser: other, row: olderRow } = await pay(link, buildTestCard('ok'))
  await db.update(transactions).set({ linkTitle: null }).where(eq(transactions.id, olderRow.id))

  await editLink(link.id, { title: 'Torta de limão' })
  const { body } = await browser.get(url)
  const [listed, unnamed] = [await listedAs(row), await listedAs(olderRow)]

  expect(readPageText(body)).toContain('Bolo de cenoura')
  expect(body).not.toContain('Torta')
  expect(readPageText((await other.get(older)).body)).toContain('Torta de limão')
  expect([listed, unnamed]).toEqual(['Bolo de cenoura', 'Torta de limão'])
})

async function listedAs({ companyId, id }: TransactionRow) {
  return (await findListedTransaction(db, companyId, id))?.linkTitle
}
