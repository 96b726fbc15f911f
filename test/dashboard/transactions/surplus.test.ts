// A code that was paid twice, as the company's people see it: found, told, and given back by one click.
import { expect, test } from 'vitest'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPage } from '../../support/dashboard/links.ts'
import {
  buildPaymentPath,
  openRefundDashboard,
  readLastForm,
} from '../../support/dashboard/refunds.ts'
import { openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openReceivedPix } from '../../support/transactions/received.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const testApp = await openTestApp({ mail: true })
const { read } = openCheckout(testApp)
const { open } = openReceivedPix(testApp)
const { confirm } = openRefundDashboard(testApp)
const { requestRefund } = openRefunds(testApp)

const TO_CHECK = '/painel/transacoes?verificar=sim'

async function paidTwice(role: 'owner' | 'member' = 'owner') {
  const opened = await open()
  opened.pay(10_000, { payer: { name: 'João Souza', taxId: '52998224725' } })
  opened.pay(10_000)
  await opened.check()
  const companyId = opened.company.id
  const dashboardClient = await openDashboardClient(testApp, { companyId, role })
  return { ...opened, dashboardClient, path: buildPaymentPath(opened.id) }
}

test('it is counted on the first page, listed to be checked, and told with each Pix, to the payer too', async () => {
  const { dashboardClient, path, received, browser, page: receipt } = await paidTwice()

  const home = readPageText(await readPage(dashboardClient, '/painel'))
  const listed = await readPage(dashboardClient, TO_CHECK)
  const page = readPageText(await readPage(dashboardClient, path))

  expect(home).toContain('1 pagamento com valor a mais para devolver')
  expect(listed).toContain(path)
  expect(readPageText(listed)).toContain('Valor a mais')
  expect(page).toContain('Entraram R$ 100,00 a mais: devolva o excedente')
  expect(page).toContain('João Souza · ***.982.247-**')
  for (const { endToEndId } of received) expect(page).toContain(endToEndId)
  expect(page).toContain('R$ 100,00 a mais do que a venda: devolva o excedente')
  expect(readPageText((await browser.get(receipt)).body)).toContain(
    'Você pagou R$ 100,00 a mais. A empresa foi avisada',
  )
})

test('one click and a question give it back, in the form of the whole payment it goes first, and the sale stays', async () => {
  const { dashboardClient, id, path, received, listBooked } = await paidTwice()
  const [, second] = await listBooked()
  for (const [amount, sentence] of [
    ['100,00', 'É só o que entrou a mais: a venda continua como está.'],
    ['130,00', 'R$ 70,00 deste pagamento ficam com você.'],
    ['200,00', 'Nada deste pagamento fica com você. O link continua como está.'],
  ] as const) {
    const said = readPageText((await dashboardClient.post(`${path}/devolver`, { amount })).body)

    expect(said).toContain(sentence)
    expect(said.includes('R$ 100,00 são o que entrou a mais, e')).toBe(amount !== '100,00')
  }

  const question = await dashboardClient.get(`${path}/devolver/excedente?pix=${second!.id}`)
  const ofNone = await dashboardClient.get(`${path}/devolver/excedente`)

  const done = await confirm(dashboardClient, id, question.body)
  const page = readPageText(await readPage(dashboardClient, done.headers.location!))
  const listed = await readPage(dashboardClient, TO_CHECK)
  const again = await dashboardClient.get(`${path}/devolver/excedente?pix=${second!.id}`)

  expect(readPageText(question.body)).toContain('Devolver R$ 100,00 para Maria da Silva?')
  expect(readPageText(question.body)).toContain('É só o que entrou a mais')
  expect(received.map(({ refundedCents }) => refundedCents)).toEqual([0, 10_000])
  expect(await read(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
  expect(page).not.toContain('devolva o excedente Em geral')
  expect(listed).not.toContain(path)
  expect([again, ofNone].map(({ headers }) => headers.location)).toEqual([path, path])
})

test('a part that came in is said to the payer and to the company', async () => {
  const { browser, page, pay, check, company, id } = await open()
  pay(6_000)
  await check()
  const { id: companyId } = company
  const dashboardClient = await openDashboardClient(testApp, { companyId })

  const shown = readPageText(await readPage(dashboardClient, buildPaymentPath(id)))

  expect(readPageText((await browser.get(page)).body)).toContain(
    'Recebemos R$ 60,00, mas o valor deste pagamento é R$ 100,00.',
  )
  expect(shown).toContain('Pix de R$ 60,00 recebido')
  expect(shown).toContain('o pagamento é aprovado sozinho')
})

test.each([
  { asked: 'alone', path: '/devolver/excedente?pix=', amount: undefined },
  { asked: 'with a part of the sale', path: '/devolver', amount: '70,00' },
])(
  'a surplus asked about $asked that went back meanwhile is asked about anew',
  async ({ path, amount }) => {
    const { pay, check, listBooked, company, id, received } = await open()
    pay(15_000)
    await check()
    const [pix] = await listBooked()
    const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
    const question = amount
      ? await dashboardClient.post(buildPaymentPath(id, path), { amount })
      : await dashboardClient.get(buildPaymentPath(id, `${path}${pix!.id}`))
    await requestRefund(company, id, { amountCents: 5_000 })

    const late = await confirm(dashboardClient, id, question.body)

    expect(late.statusCode).toBe(422)
    expect(readPageText(late.body)).toContain('O que resta a devolver mudou enquanto isso.')
    expect(received.map(({ refundedCents }) => refundedCents)).toEqual([5_000])
    expect(await read(id)).toMatchObject({ status: 'approved', refundedCents: 0 })
  },
)

test('what came in while somebody was asked about accepting less is asked about anew', async () => {
  const { pay, check, company, id } = await open()
  pay(6_000)
  await check()
  const dashboardClient = await openDashboardClient(testApp, { companyId: company.id })
  const path = buildPaymentPath(id, '/aceitar')
  const first = readLastForm(await readPage(dashboardClient, path))
  pay(2_000)
  await check()

  const asked = await dashboardClient.post(path, first)
  const before = await read(id)
  await dashboardClient.post(path, readLastForm(asked.body))

  expect(asked.statusCode).toBe(422)
  expect(readPageText(asked.body)).toContain('agora são R$ 80,00. Confira e confirme de novo.')
  expect(before).toMatchObject({ status: 'pending', approvedAt: null })
  expect(await read(id)).toMatchObject({ status: 'approved', totalCents: 8_000 })
})
