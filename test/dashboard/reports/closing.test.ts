import { expect, onTestFinished, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { ROLES, type Role } from '../../../src/database/enums.ts'
import { newId } from '../../../src/database/id.ts'
import { incomingPayments } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { findLinkHref, readTextsByClass } from '../../support/dashboard/html.ts'
import { readPage } from '../../support/dashboard/links.ts'
import { readPageText } from '../../support/payer.ts'
import { openPayments } from '../../support/payments.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { newMerchant, addPayment, changePayment } = openPayments(testApp)

const PAGE = '/painel/relatorios/fechamento'
const NOON = Date.parse('2026-11-21T15:00:00.000Z')
clock.offsetMs = NOON - Date.now()

type PaymentOverrides = Parameters<typeof addPayment>[2]

/** One payment of October, by whom and for what is said; and somebody of its company. */
async function openMonth(role: Role = 'owner', more: PaymentOverrides = {}) {
  const merchant = await newMerchant()
  const id = await addPayment(merchant, '2026-10-05T15:00:00.000Z', {
    ...{ payerTaxId: '52998224725', feeCents: 99, feeSource: 'company' },
    ...more,
  })
  const { companyId } = merchant
  return { id, merchant, client: await openDashboardClient(testApp, { companyId, role }) }
}

/** The lines of a table, each cut into its cells. */
async function readTable(client: Awaited<ReturnType<typeof openMonth>>['client'], path: string) {
  const { statusCode, headers, body } = await client.get(path)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  const rows = body
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
  return rows.map((row) => row.split(';'))
}

test('the last month that is over is shown with its sums, by method and by day', async () => {
  const { client, id } = await openMonth()
  await changePayment(id, '2026-10-07T15:00:00.000Z', {
    ...{ refundedCents: 2_500, status: 'partially_refunded' },
  })

  const html = await readPage(client, PAGE)

  expect(readPageText(html)).toContain('Fechamento de outubro de 2026')
  expect(readTextsByClass(html, 'stat-value')).toEqual([
    'R$ 100,00',
    'R$ 25,00',
    'R$ 0,99',
    'R$ 74,01',
  ])
  const text = readPageText(html)
  expect(text).toContain('05/10/2026 R$ 100,00 R$ 0,00 R$ 100,00')
  expect(text).toContain('07/10/2026 R$ 0,00 R$ 0,00 R$ 0,00 R$ 25,00')
  expect(text).not.toContain('os números ainda mudam')
})

test('what was lost in a month before and is won after all comes back, and is called so', async () => {
  const { client, id } = await openMonth('owner', { approvedAt: '2026-09-05T15:00:00.000Z' })
  for (const [chargedBackCents, updatedAt] of [
    [10_000, '2026-09-20T15:00:00.000Z'],
    [0, '2026-10-07T15:00:00.000Z'],
  ] as const) {
    await changePayment(id, updatedAt, { chargedBackCents })
  }

  const text = readPageText(await readPage(client, PAGE))
  const before = readPageText(await readPage(client, `${PAGE}?mes=2026-09`))

  expect(text).toContain('E R$ 100,00 recuperados em contestação')
  expect(text).toContain('07/10/2026 R$ 0,00 R$ 0,00 R$ 0,00 − R$ 100,00 R$ 0,00 R$ 100,00')
  expect(before).toContain('E R$ 100,00 perdidos em contestação')
})

test('any month that began can be chosen; one that goes on says so', async () => {
  const { client } = await openMonth()

  const [november, september] = await Promise.all(
    ['2026-11', '2026-09'].map((mes) => readPage(client, `${PAGE}?mes=${mes}`)),
  )

  expect(readPageText(november!)).toContain('Este mês fecha no fim do dia 01/12/2026')
  expect(findLinkHref(november!, 'Mês seguinte')).toBeUndefined()
  expect(readPageText(september!)).toContain('Mês sem movimento')
  expect(findLinkHref(september!, 'Mês seguinte')).toBe(`${PAGE}?mes=2026-10`)
  expect(readPageText(september!)).not.toContain('em contestação')
})

test('until the first day of the next month is over, a month says that it still changes', async () => {
  onTestFinished(() => {
    clock.offsetMs = NOON - Date.now()
  })
  const readAt = async (at: string) => {
    clock.offsetMs = Date.parse(at) - Date.now()
    const { client } = await openMonth()
    return readPageText(await readPage(client, `${PAGE}?mes=2026-11`))
  }

  const onFirst = await readAt('2026-12-02T02:59:00.000Z')
  const onSecond = await readAt('2026-12-02T03:00:00.000Z')

  expect(onFirst).toContain(
    'Este mês fecha no fim do dia 01/12/2026: até lá os números ainda mudam.',
  )
  expect(onSecond).not.toContain('os números ainda mudam')
})

test('money above a sale is told in the month in which it came and in that in which it went back', async () => {
  const { client, id, merchant } = await openMonth('owner', {
    approvedAt: '2026-09-05T15:00:00.000Z',
  })
  const pix = { id: newId(), companyId: merchant.companyId, transactionId: id, endToEndId: newId() }
  await db.insert(incomingPayments).values({
    ...{ ...pix, provider: 'sandbox', amountCents: 2_000, surplusCents: 2_000 },
    paidAt: '2026-09-05T15:00:00.000Z',
  })
  await changePayment(id, '2026-09-06T15:00:00.000Z', {})
  await db
    .update(incomingPayments)
    .set({ refundedCents: 1_500 })
    .where(eq(incomingPayments.id, pix.id))
  await changePayment(id, '2026-10-07T15:00:00.000Z', {})

  const [september, october] = await Promise.all(
    ['2026-09', '2026-10'].map(async (mes) =>
      readPageText(await readPage(client, `${PAGE}?mes=${mes}`)),
    ),
  )

  expect(september).toContain(
    'Além disso ficaram R$ 20,00 que entraram a mais neste mês, fora das vendas.',
  )
  expect(october).toContain(
    'Além disso voltaram R$ 15,00 que tinham entrado a mais antes, fora das vendas.',
  )
})

test.each([
  ['2026-13', 'Informe um mês de 2000 a 2099 assim: 2026-10.'],
  ['outubro', 'Informe um mês de 2000 a 2099 assim: 2026-10.'],
  ['2026-12', 'O mês de dezembro de 2026 ainda não começou.'],
])('of %s it is said why another month is shown, and no table is given', async (mes, sentence) => {
  const { client } = await openMonth()

  const page = await client.get(`${PAGE}?mes=${mes}`)
  const table = await client.get(`${PAGE}/dias.csv?mes=${mes}`)

  expect([page.statusCode, table.statusCode]).toEqual([422, 422])
  expect(readPageText(page.body)).toContain('Fechamento de outubro de 2026')
  for (const { body } of [page, table]) expect(readPageText(body)).toContain(sentence)
})

test('the tables have documents in full only for whom that is, and who takes one stands in the log', async () => {
  const { merchant, client } = await openMonth('owner')
  const documents = []
  for (const role of ROLES) {
    const { companyId } = merchant
    const email = `${role}@exemplo.com.br`
    const person = await openDashboardClient(testApp, { companyId, role, email })
    const [, row] = await readTable(person, `${PAGE}/movimentos.csv?mes=2026-10`)
    documents.push([role, row![4] === '529.982.247-25'])
  }
  await readTable(client, `${PAGE}/dias.csv?mes=2026-09`)

  expect(documents).toEqual(ROLES.map((role) => [role, role === 'owner' || role === 'accountant']))
  const [last, first] = await listAudit(db, merchant.companyId, { limit: 2 })
  expect([last, first].map((entry) => [entry?.action, entry?.subject])).toEqual([
    ['csv_exported', 'Fechamento de setembro de 2026'],
    ['csv_exported', 'Fechamento de outubro de 2026'],
  ])
})

test('the table by movement has all that books are made of', async () => {
  const { id, client } = await openMonth('accountant', {
    ...{ method: 'credit_card', installments: 3, externalReference: 'PED-7', tags: ['aula', 'sp'] },
    ...{ providerReference: 'ORD-1', expectedOn: '2026-11-04', payoutParts: 1 },
  })

  const [heading, row] = await readTable(client, `${PAGE}/movimentos.csv?mes=2026-10`)

  expect(Object.fromEntries(heading!.map((name, i) => [name, row![i]]))).toEqual({
    Dia: '05/10/2026',
    Movimento: 'Venda',
    'Aconteceu em': '05/10/2026 12:00:00',
    Pagador: 'Maria da Silva',
    'CPF ou CNPJ': '529.982.247-25',
    'E-mail': '',
    Link: 'Bolo de cenoura',
    Referência: 'PED-7',
    Etiquetas: 'aula, sp',
    'Forma de pagamento': 'Cartão de crédito',
    Parcelas: '3',
    'Preço (R$)': '100,00',
    'Juros (R$)': '0,00',
    'Total (R$)': '100,00',
    'Tarifas (R$)': '0,99',
    'Líquido (R$)': '99,01',
    'A mais, fora da venda (R$)': '0,00',
    Respostas: '',
    'Previsto para': '04/11/2026',
    'ID do Pix (E2E) ou do provedor': 'ORD-1',
    'Txid do Pix': '',
    'Desconto no Pix (R$)': '0,00',
    'Instituição que recebeu o Pix': '',
    'CNPJ da instituição': '',
    Transação: id,
  })
})
