// Less than the price came in, and the company takes it for the whole.
import { expect, test } from 'vitest'
import { checkBook } from '../../src/commands/doctor/integrity.ts'
import { eq } from '../../src/database/drizzle.ts'
import { transactions } from '../../src/database/tables.ts'
import { sumLinkRevenue } from '../../src/reports/revenue.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { readPage } from '../support/dashboard/links.ts'
import { buildPaymentPath } from '../support/dashboard/refunds.ts'
import { readPageText } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'
import { openReceivedPix } from '../support/transactions/received.ts'

const testApp = await openTestApp({ mail: true })
const { clock, db } = testApp
const { open } = openReceivedPix(testApp)

async function openHeld(...amounts: number[]) {
  const opened = await open()
  for (const cents of amounts) {
    opened.pay(cents)
    await opened.check()
  }
  const { company, id } = opened
  const accept = () => company.post(`/api/transactions/${id}/accept`, {})
  return { ...opened, accept }
}

test('a held Pix is approved with what came in, which is then its amount everywhere', async () => {
  const { company, link, id, accept, listEvents, readPayment } = await openHeld(3_000, 4_500)

  const answer = await accept()

  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({
    ...{ status: 'approved', amountCents: 7_500, totalCents: 7_500, holdReason: null },
  })
  expect((await readPayment()).approvedAt).not.toBeNull()
  expect((await listEvents()).at(-1)).toBe('transaction.approved')
  expect(await sumLinkRevenue(db, company.id, link.id)).toMatchObject({
    ...{ count: 1, grossCents: 7_500, refundedCents: 0 },
  })
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const [byAmount, byPrice] = await Promise.all(
    ['75,00', '100,00'].map((q) => readPage(dashboardClient, `/painel/transacoes?q=${q}`)),
  )
  expect(byAmount).toContain(buildPaymentPath(id))
  expect(byPrice).not.toContain(buildPaymentPath(id))
})

test('accepted ten times at once it is approved once', async () => {
  const { accept, listEvents } = await openHeld(3_000)

  const answers = await Promise.all(Array.from({ length: 10 }, accept))

  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const others = answers.filter(({ statusCode }) => statusCode !== 200)
  for (const answer of others) expect(answer.json()).toMatchObject({ code: 'invalid_transition' })
  const approvals = (await listEvents()).filter((type) => type === 'transaction.approved')
  expect(approvals).toHaveLength(1)
})

test('the rest that is notified as it is accepted is asked about at once all the same', async () => {
  const { accept, readPayment, id } = await openHeld(3_000)
  const soon = new Date(clock.now().getTime() + 2_000).toISOString()
  await db.update(transactions).set({ checkAt: soon }).where(eq(transactions.id, id))

  await accept()

  expect(await readPayment()).toMatchObject({ status: 'approved', checkAt: soon })
})

test('in the dashboard it is one question away, and its history says what was asked for', async () => {
  const { company, id, readPayment } = await openHeld(3_000)
  const client = await openDashboardClient(testApp, { companyId: company.id })
  const path = buildPaymentPath(id)

  const held = await readPage(client, path)
  const question = await readPage(client, `${path}/aceitar`)
  const done = await client.post(`${path}/aceitar`)
  const page = readPageText(await readPage(client, path))

  expect(held).toContain(`${path}/aceitar`)
  expect(readPageText(question)).toContain(
    'Aprovar este pagamento com R$ 30,00, em vez de R$ 100,00?',
  )
  expect(done.headers.location).toBe(`${path}?feito=aceito`)
  expect(await readPayment()).toMatchObject({ status: 'approved', totalCents: 3_000 })
  expect(page).toContain('Aceito com R$ 30,00, em vez de R$ 100,00')
  expect(page).toContain('Pagamento de R$ 100,00 iniciado por Pix')
  expect((await client.get(`${path}/aceitar`)).headers.location).toBe(path)
})
