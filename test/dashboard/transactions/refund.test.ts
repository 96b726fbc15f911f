// Money given back from the dashboard: how much, a question, and then once; and what is not given back, and why.
import { afterEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { newId } from '../../../src/database/id.ts'
import { sessions } from '../../../src/database/tables.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref } from '../../support/dashboard/html.ts'
import { readFormErrors, readPage } from '../../support/dashboard/links.ts'
import {
  buildPaymentPath,
  openRefundDashboard,
  readLastForm,
} from '../../support/dashboard/refunds.ts'
import { openCheckout, readPageText } from '../../support/payer.ts'
import { BASE_URL, openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp({ mail: true })
const { clock, db, needs } = testApp
const { editCompany, read: readPayment } = openCheckout(testApp)
const { newPixPayment, requestRefund, listBankRefunds, readRefunds } = openRefunds(testApp)
const { openClient, fill, confirm } = openRefundDashboard(testApp)

const DAY_MS = 24 * 3_600_000
const PAYER_EMAIL = 'maria@exemplo.com.br'

afterEach(() => {
  clock.offsetMs = 0
})

test('a part goes back after a question that says what will happen, and that can be changed', async () => {
  const { company, dashboardClient, id } = await openClient()

  const first = await fill(dashboardClient, id, { amount: '7', reason: 'Veio frio' })
  const form = await readPage(dashboardClient, findLinkHref(first.body, 'Alterar')!)
  const kept = readLastForm(form)
  const path = buildPaymentPath(id, '/devolver')
  const question = await dashboardClient.post(path, { ...kept, amount: '50,00' })
  const asked = await readRefunds(id)
  const done = await confirm(dashboardClient, id, question.body)
  const page = readPageText(await readPage(dashboardClient, done.headers.location!))

  const said = readPageText(question.body)
  expect(said).toContain('Devolver R$ 50,00 para Maria da Silva?')
  expect(said).toContain(
    'R$ 50,00 voltam para Maria da Silva como crédito na fatura do cartão Visa',
  )
  expect(said).toContain('R$ 50,00 deste pagamento ficam com você.')
  expect(said).toContain('Motivo, só para você: Veio frio')
  expect(said).toContain('nenhum dinheiro de verdade')
  const { refundId } = readLastForm(first.body)
  expect(kept).toMatchObject({ refundId, amount: '7,00', reason: 'Veio frio' })
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

test.each([
  {
    who: 'a stranger in the test environment',
    changes: { noticeEmail: null },
    isMailed: false,
  },
  { who: 'one of the company', changes: { noticeEmail: PAYER_EMAIL }, isMailed: true },
  {
    who: 'a payer, but the company sends no receipts',
    changes: { noticeEmail: PAYER_EMAIL, mailReceipts: false },
    isMailed: false,
  },
])(
  'an e-mail to the payer is promised only where it is sent: $who',
  async ({ changes, isMailed }) => {
    const { dashboardClient, company, id } = await openClient()
    const held = await newPixPayment(8_000)
    const ofHeld = await openDashboardClient(testApp, { companyId: held.company.id })
    for (const { id: companyId } of [company, held.company]) await editCompany(companyId, changes)

    const refund = await fill(dashboardClient, id, { amount: '7' })
    const accept = await readPage(ofHeld, buildPaymentPath(held.id, '/aceitar'))

    expect(readPageText(refund.body).includes(`${PAYER_EMAIL} recebe um aviso`)).toBe(isMailed)
    expect(readPageText(accept).includes(`O comprovante vai para ${PAYER_EMAIL}`)).toBe(isMailed)
  },
)

test('a form that is opened again after its refund asks about another refund', async () => {
  const { dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '7' })
  const address = findLinkHref(question.body, 'Alterar')!
  await confirm(dashboardClient, id, question.body)

  const kept = readLastForm(await readPage(dashboardClient, address))
  const again = await dashboardClient.post(buildPaymentPath(id, '/devolver'), kept)
  await confirm(dashboardClient, id, again.body)

  expect(readPageText(again.body)).toContain('R$ 86,00 deste pagamento ficam com você.')
  expect(await listBankRefunds(id)).toEqual([700, 700])
})

test('a session that ends before the answer leads back to the form, with amount and reason', async () => {
  const { company, dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '7', reason: 'Veio frio' })
  const [, action = ''] = question.body.match(/action="([^"]*devolver\/confirmar[^"]*)"/) ?? []
  await db.delete(sessions)

  const ended = await dashboardClient.post(action, readLastForm(question.body))
  const { pathname, searchParams } = new URL(String(ended.headers.location), BASE_URL)
  const again = await openDashboardClient(testApp, { companyId: company.id, email: 'b@x.com.br' })
  const form = await readPage(again, searchParams.get('voltar')!)

  expect([pathname, searchParams.get('enviado')]).toEqual(['/painel/entrar', 'sim'])
  expect(readLastForm(form)).toMatchObject({ amount: '7,00', reason: 'Veio frio' })
  expect(await readRefunds(id)).toEqual([])
})

test('the form offers all that is left, and then nothing is', async () => {
  const { company, dashboardClient, id } = await openClient()
  await requestRefund(company, id, { amountCents: 2_550 })

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

test('sent twice, at once and again later, it goes back once, is remembered once, and with another amount is refused', async () => {
  const { company, dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '30' })

  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => confirm(dashboardClient, id, question.body)),
  )
  const later = await confirm(dashboardClient, id, question.body)
  const form = readLastForm(question.body)
  const other = await dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), {
    ...{ ...form, amountCents: '2000' },
  })

  for (const { headers } of [...answers, later]) {
    expect(headers.location).toMatch(/feito=(devolvido|devolucao-em-andamento)$/)
  }
  expect(await listBankRefunds(id)).toEqual([3_000])
  const entries = await listAudit(db, company.id, { action: 'refund_asked', limit: 9 })
  expect(entries).toHaveLength(1)
  expect(readFormErrors(other.body)).toEqual([
    ['amount', expect.stringMatching(/já foi usado para devolver R\$\s30,00/)],
  ])
  expect(other.body).toContain('value="20,00"')
  expect(readLastForm(other.body).refundId).not.toBe(form.refundId)
})

test('all at once asks at once, and a refusal is told with its reason', async () => {
  const { company, dashboardClient, id } = await openClient()
  await requestRefund(company, id, { amountCents: 10_000 - 113 })

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
  const { company, id } = await newPixPayment(8_000)
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
})

test('the question about a held payment gives nothing back once the payment was accepted', async () => {
  const { company, id } = await newPixPayment(8_000)
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const question = await readPage(dashboardClient, buildPaymentPath(id, '/devolver/tudo'))
  await dashboardClient.post(buildPaymentPath(id, '/aceitar'))

  const refused = await confirm(dashboardClient, id, question)

  expect(readPageText(refused.body)).toContain('mudou enquanto isso')
  expect(await listBankRefunds(id)).toEqual([])
  expect(await readPayment(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
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
  expect(await readRefunds(id)).toEqual([])
})

test('what was given back meanwhile is not given back again', async () => {
  const { company, dashboardClient, id } = await openClient()
  const question = await fill(dashboardClient, id, { amount: '60', reason: 'Um bolo' })
  await requestRefund(company, id, { amountCents: 5_000 })

  const response = await confirm(dashboardClient, id, question.body)

  expect(response.statusCode).toBe(422)
  expect(readFormErrors(response.body)).toEqual([['amount', expect.stringContaining('mudou')]])
  expect(readPageText(response.body)).toContain('Até R$ 50,00.')
  expect(response.body).toContain('value="Um bolo"')
  expect(await listBankRefunds(id)).toEqual([5_000])
})

test('a Pix of more than 90 days says why it cannot go back', async () => {
  const { company, id } = await newPixPayment()
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
  expect(await readRefunds(id)).toEqual([])
})

test('a request that the form did not write is none, nor one with the id of another payment’s refund', async () => {
  const { dashboardClient, id } = await openClient()
  const other = await openClient()
  const theirs = (await requestRefund(other.company, other.id, { amountCents: 700 })).json()
  const form = { refundId: newId(), amountCents: '100', reason: '' }
  const confirmBroken = (broken: object) =>
    dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), { ...form, ...broken })

  for (const broken of [
    ...[{ refundId: 'nada' }, { amountCents: '-1' }, { amountCents: '1e99' }, { reason: '\0' }],
  ]) {
    expect((await confirmBroken(broken)).headers.location).toBe(buildPaymentPath(id))
  }
  expect((await confirmBroken({ refundId: theirs.id, amountCents: '700' })).statusCode).toBe(404)
  expect(await readRefunds(id)).toEqual([])
})
