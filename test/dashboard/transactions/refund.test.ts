// Money given back from the dashboard: how much, a question, and then once.
import { afterEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import {
  buildPaymentPath,
  openRefundDashboard,
  readLastForm,
} from '../../support/dashboard/refunds.ts'
import { openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp({ mail: true })
const { clock, db, needs } = testApp
const { read: readPayment } = openCheckout(testApp)
const { paidByPix, order, listBankRefunds, refundsOf } = openRefunds(testApp)
const { openClient, fill, confirm } = openRefundDashboard(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

test('a part goes back after a question that says what will happen', async () => {
  const { company, dashboardClient, id } = await openClient()

  const question = await fill(dashboardClient, id, { amount: '50,00', reason: 'Veio frio' })
  const asked = await refundsOf(id)
  const done = await confirm(dashboardClient, id, question.body)
  const page = readPageText(await readPage(dashboardClient, done.headers.location!))

  const said = readPageText(question.body)
  expect(said).toContain('Devolver R$ 50,00 para Maria da Silva?')
  expect(said).toContain(
    'R$ 50,00 voltam para Maria da Silva como crédito na fatura do cartão Visa',
  )
  expect(said).toContain('R$ 50,00 deste pagamento ficam com você.')
  expect(said).toContain('maria@exemplo.com.br recebe um aviso por e-mail.')
  expect(said).toContain('Motivo, só para você: Veio frio')
  expect(said).toContain('nenhum dinheiro de verdade')
  expect(asked).toEqual([])
  expect(done.statusCode).toBe(303)
  expect(page).toContain('Valor devolvido.')
  expect(page).toContain('Devolvido − R$ 50,00 Depois das devoluções R$ 50,00')
  expect(page).toContain('Devolução de R$ 50,00 concluída')
  expect(await listBankRefunds(id)).toEqual([5_000])
  const [entry] = await listAudit(db, company.id, { limit: 1 })
  expect(entry).toMatchObject({
    ...{ action: 'refund_asked', subjectId: id, subject: 'R$\u00a050,00' },
    actor: dashboardClient.email,
  })
})

test('what is to be confirmed can be changed, and nothing of it is lost', async () => {
  const { dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '7', reason: 'Troca' })
  const fields = readLastForm(question.body)
  const path = buildPaymentPath(id, '/devolver')

  const form = await dashboardClient.post(path, { ...fields, change: '1' })
  const kept = readLastForm(form.body)
  const changed = await dashboardClient.post(path, { ...kept, amount: '8' })

  expect(question.body).toContain(`name="change" value="1" formaction="${path}"`)
  expect(kept).toMatchObject({ refundId: fields.refundId, amount: '7,00', reason: 'Troca' })
  expect(readPageText(changed.body)).toContain('Devolver R$ 8,00 para')
  expect(await listBankRefunds(id)).toEqual([])
})

test('the form offers all that is left, and then nothing is', async () => {
  const { company, dashboardClient, id } = await openClient()
  await order(company, id, { amountCents: 2_550 })

  const form = await readPage(dashboardClient, buildPaymentPath(id, '/devolver'))
  const question = await fill(dashboardClient, id)
  const done = await confirm(dashboardClient, id, question.body)
  const page = await readPage(dashboardClient, done.headers.location!)
  const again = await dashboardClient.get(buildPaymentPath(id, '/devolver'))

  expect(form).toContain('value="74,50"')
  expect(readPageText(question.body)).toContain('Nada deste pagamento fica com você.')
  expect(await readPayment(id)).toMatchObject({ status: 'refunded' })
  expect(page).not.toContain('/devolver"')
  expect(again.headers.location).toBe(buildPaymentPath(id))
})

test('sent twice, at once and again later, it goes back once and is remembered once', async () => {
  const { company, dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '30' })

  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => confirm(dashboardClient, id, question.body)),
  )
  const later = await confirm(dashboardClient, id, question.body)

  for (const { headers } of [...answers, later]) {
    expect(headers.location).toMatch(/feito=(devolvido|devolucao-em-andamento)$/)
  }
  expect(await listBankRefunds(id)).toEqual([3_000])
  const entries = await listAudit(db, company.id, { action: 'refund_asked', limit: 9 })
  expect(entries).toHaveLength(1)
})

test('all at once asks at once, and a refusal is told with its reason', async () => {
  const { company, dashboardClient, id } = await openClient()
  await order(company, id, { amountCents: 10_000 - 113 })

  const question = await readPage(dashboardClient, buildPaymentPath(id, '/devolver/tudo'))
  const response = await confirm(dashboardClient, id, question)
  const page = readPageText(await readPage(dashboardClient, response.headers.location!))

  expect(readPageText(question)).toContain('Devolver R$ 1,13 para Maria da Silva?')
  expect(page).toContain('A devolução de R$ 1,13 não foi feita. Não há saldo suficiente')
  expect(page).toContain('R$ 1,13 Não realizada')
  expect(await readPayment(id)).toMatchObject({ status: 'partially_refunded' })
})

test('one that takes its time is shown as under way, and then as done', async () => {
  const { dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '1,14' })

  const response = await confirm(dashboardClient, id, question.body)
  const meanwhile = readPageText(await readPage(dashboardClient, response.headers.location!))
  clock.offsetMs = 12_000
  await reconcileDuePayments(needs)
  const after = readPageText(await readPage(dashboardClient, buildPaymentPath(id)))

  expect(meanwhile).toContain('Devolução em andamento.')
  expect(meanwhile).toContain('R$ 1,14 Em andamento')
  expect(after).toContain('R$ 1,14 Devolvido')
})

test('a held payment goes back whole, with a reason, and is over', async () => {
  const { company, link, id } = await paidByPix(8_000)
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })

  const form = await readPage(dashboardClient, buildPaymentPath(id, '/devolver'))
  const question = await fill(dashboardClient, id, { reason: 'Pagou a menos', amount: '1' })
  const done = await confirm(dashboardClient, id, question.body)
  const page = readPageText(await readPage(dashboardClient, done.headers.location!))

  expect(form).not.toContain('name="amount"')
  expect(readPageText(question.body)).toContain('Devolver R$ 80,00 para Maria da Silva?')
  expect(readPageText(question.body)).toContain('O pagamento retido é cancelado')
  expect(page).toContain(
    'O que entrou voltou ao pagador, e este pagamento nunca contou como recebido.',
  )
  expect(await readPayment(id)).toMatchObject({ status: 'canceled', refundedCents: 0 })
  expect(await listBankRefunds(id)).toEqual([8_000])
  expect(link.companyId).toBe(company.id)
})

test('the question about a held payment gives nothing back once the payment was accepted', async () => {
  const { company, id } = await paidByPix(8_000)
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const question = await readPage(dashboardClient, buildPaymentPath(id, '/devolver/tudo'))
  await dashboardClient.post(buildPaymentPath(id, '/aceitar'))

  const refused = await confirm(dashboardClient, id, question)

  expect(readPageText(refused.body)).toContain('mudou enquanto isso')
  expect(await listBankRefunds(id)).toEqual([])
  expect(await readPayment(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
})
