// What the dashboard does not give back, and how it says so.
import { afterEach, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  buildPaymentPath,
  openRefundDashboard,
  readLastForm,
} from '../../support/dashboard/refunds.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { clock } = testApp
const { paidByPix, order, refundsOf, listBankRefunds } = openRefunds(testApp)
const { openClient, fill, confirm } = openRefundDashboard(testApp)

const DAY_MS = 24 * 3_600_000

afterEach(() => {
  clock.offsetMs = 0
})

test('the form of a refund that is done gives no other amount back', async () => {
  const { dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '30' })
  await confirm(dashboardClient, id, question.body)
  const form = readLastForm(question.body)

  const response = await dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), {
    ...form,
    amountCents: '2000',
  })

  expect(response.statusCode).toBe(422)
  expect(readFormErrors(response.body)).toEqual([
    ['amount', expect.stringMatching(/já foi usado para devolver R\$\s30,00/)],
  ])
  expect(response.body).toContain('value="20,00"')
  expect(readLastForm(response.body).refundId).not.toBe(form.refundId)
  expect(await listBankRefunds(id)).toEqual([3_000])
})

test('what is no amount, and too long a reason, is not given back, and what was typed stays', async () => {
  const { dashboardClient, id } = await openClient()
  const long = await fill(dashboardClient, id, { reason: 'r'.repeat(141) })

  for (const [amount, message] of [
    ['', /Informe um valor em reais/],
    ['muito', /Informe um valor em reais/],
    ['0', /O valor mínimo é R\$\s0,01/],
    ['100,01', /O valor máximo é R\$\s100,00/],
  ] as const) {
    const response = await fill(dashboardClient, id, { amount, reason: 'Um bolo' })

    expect(response.statusCode).toBe(422)
    expect(readFormErrors(response.body)).toEqual([['amount', expect.stringMatching(message)]])
    expect(response.body).toContain(`name="amount" type="text" value="${amount}"`)
    expect(response.body).toContain('value="Um bolo"')
  }
  expect(readFormErrors(long.body)).toEqual([['reason', 'Use no máximo 140 caracteres.']])
  expect(await refundsOf(id)).toEqual([])
})

test('what was given back meanwhile is not given back again', async () => {
  const { company, dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '60', reason: 'Um bolo' })
  await order(company, id, { amountCents: 5_000 })

  const response = await confirm(dashboardClient, id, question.body)

  expect(response.statusCode).toBe(422)
  expect(readFormErrors(response.body)).toEqual([['amount', expect.stringContaining('mudou')]])
  expect(readPageText(response.body)).toContain('Até R$ 50,00.')
  expect(response.body).toContain('value="Um bolo"')
  expect(await listBankRefunds(id)).toEqual([5_000])
})

test('a Pix of more than 90 days says why it cannot go back', async () => {
  const { company, id } = await paidByPix()
  clock.offsetMs = 91 * DAY_MS
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })

  const page = await readPage(dashboardClient, buildPaymentPath(id))
  const response = await dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), {
    ...{ refundId: newId(), amountCents: '10000', reason: '' },
  })

  expect(readPageText(page)).toContain('Um Pix só pode ser devolvido em até 90 dias')
  expect(page).not.toContain('/devolver"')
  expect(response.statusCode).toBe(422)
  expect(readPageText(response.body)).toContain('Não há o que devolver deste pagamento agora.')
  expect(await refundsOf(id)).toEqual([])
})

test("the id of another payment's refund is not answered with it", async () => {
  const { dashboardClient, id } = await openClient()
  const other = await openClient()
  const theirs = (await order(other.company, other.id, { amountCents: 700 })).json()

  const response = await dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), {
    ...{ refundId: theirs.id, amountCents: '700', reason: '' },
  })

  expect(response.statusCode).toBe(404)
  expect(await refundsOf(id)).toEqual([])
})

test('an order that the form did not write is none', async () => {
  const { dashboardClient, id } = await openClient()
  const form = { refundId: newId(), amountCents: '100', reason: '' }
  const order = (broken: object) =>
    dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), { ...form, ...broken })

  for (const broken of [
    ...[{ refundId: 'nada' }, { amountCents: '-1' }, { amountCents: '1e99' }, { reason: '\0' }],
  ]) {
    expect((await order(broken)).headers.location).toBe(buildPaymentPath(id))
  }
  expect(await refundsOf(id)).toEqual([])
})
