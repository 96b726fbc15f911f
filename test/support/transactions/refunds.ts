// Payments that were approved, and companies that request refunds of them.
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { refunds, sandboxRefunds } from '../../../src/database/tables.ts'
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { buildTestCard, openCheckout, PIX } from '../payer.ts'
import type { TestApp, TestCompany } from '../test-app.ts'

export function openRefunds(testApp: TestApp) {
  const { app, clock, db, needs, newCompany } = testApp
  const { newLink, pay } = openCheckout(testApp)

  /** A card payment of R$ 100,00 that was approved, and its company. */
  async function newApprovedPayment(more: object = {}) {
    const company = await newCompany()
    const link = await newLink(more, company)
    const { row, browser, url } = await pay(link, buildTestCard('ok'))
    return { company, link, id: row.id, browser, url }
  }

  /** The same by Pix; another amount than R$ 100,00 is held. */
  async function newPixPayment(amountCents = 10_000) {
    const company = await newCompany()
    const link = await newLink({}, company)
    const { row } = await pay(link, PIX)
    await paySandboxPix(db, { transactionId: row.id, amountCents }, clock.now())
    await checkPayment(needs, row)
    return { company, link, id: row.id }
  }

  function requestRefund(
    company: TestCompany,
    id: string,
    payload: object = {},
    headers: Record<string, string> = { 'idempotency-key': newId() },
  ) {
    return app.inject({
      method: 'POST',
      url: `/api/transactions/${id}/refunds`,
      headers: { authorization: `Bearer ${company.key}`, ...headers },
      payload,
    })
  }

  async function readRefunds(transactionId: string) {
    return db.select().from(refunds).where(eq(refunds.transactionId, transactionId))
  }

  /** What the simulated bank gave back for this payment. */
  async function listBankRefunds(transactionId: string) {
    const booked = await db
      .select({ amountCents: sandboxRefunds.amountCents })
      .from(sandboxRefunds)
      .where(eq(sandboxRefunds.chargeReference, `sbx_${transactionId}`))
    return booked.map(({ amountCents }) => amountCents)
  }

  return { newApprovedPayment, newPixPayment, requestRefund, readRefunds, listBankRefunds }
}
