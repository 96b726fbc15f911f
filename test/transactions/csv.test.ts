// Transactions as a bookkeeper's spreadsheet reads them.
import { expect, test } from 'vitest'
import { buildTestCard, openCheckout } from '../support/payer.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'
import { openRefunds } from '../support/transactions/refunds.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { requestRefund, newPixPayment } = openRefunds(testApp)

const CSV = '/api/transactions.csv'

/** The table without its byte order mark, as rows of cells; no cell of these tests holds a semicolon. */
async function table(company: TestCompany, query = '') {
  const response = await company.get(`${CSV}${query}`)
  expect(response.statusCode).toBe(200)
  expect(response.body).toMatch(/^\uFEFF.*\r\n$/s)
  const lines = response.body.slice(1, -2).split('\r\n')
  return lines.map((line) => line.split(';'))
}

async function asTable(company: TestCompany, query = '') {
  const [heads = [], ...rows] = await table(company, query)
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [heads[i], cell])))
}

test('a card payment is a row with its parts, its refund and its masked document', async () => {
  const company = await newCompany()
  const link = await newLink(
    {
      title: 'Bolo de cenoura',
      maxInstallments: 12,
      interestMode: 'pass_to_customer',
      externalReference: 'PED-7',
    },
    company,
  )
  const { row } = await pay(link, buildTestCard('ok', { installments: 12, cardLast4: '1234' }))
  await requestRefund(company, row.id, { amountCents: 2_050 })
  await db.$client.query(
    `update transactions set created_at = '2026-03-01T02:59:59Z', approved_at = '2026-03-01T03:00:00Z',
       fee_cents = 422, fee_source = 'company', expected_on = '2026-03-31', payout_parts = 1
     where id = $1`,
    [row.id],
  )

  const rows = await asTable(company)

  expect(rows).toEqual([
    {
      'Criada em': '28/02/2026 23:59:59',
      'Paga em': '01/03/2026 00:00:00',
      Link: link.slug,
      Título: 'Bolo de cenoura',
      Pagador: 'Maria da Silva',
      'CPF/CNPJ': '***.982.247-**',
      'Forma de pagamento': 'Cartão de crédito',
      Parcelas: '12',
      Valor: '100,00',
      Juros: '20,48',
      Total: '120,48',
      Reembolsado: '20,50',
      'Perdido em contestação': '0,00',
      Tarifa: '4,22',
      Líquido: '95,76',
      'Previsto para': '31/03/2026',
      'Partes previstas': '1',
      'Txid do Pix': '',
      'Desconto no Pix': '0,00',
      'Instituição que recebeu o Pix': '',
      'CNPJ da instituição': '',
      Situação: 'Devolvido em parte',
      'Retida por': '',
      'Cartão ou id do Pix (E2E)': 'visa final 1234',
      'Referência externa': 'PED-7',
      Respostas: '',
      'Origem (ref)': '',
      Id: row.id,
      Teste: 'Sim',
      ...{ utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '' },
    },
  ])
})

test('a Pix is a row with the id that its bank gave it, a held one with the reason', async () => {
  const [paid, held] = [await newPixPayment(), await newPixPayment(9_999)]

  expect(await asTable(paid.company)).toMatchObject([
    {
      'Forma de pagamento': 'Pix',
      Situação: 'Aprovado',
      'Cartão ou id do Pix (E2E)': (await read(paid.id)).pixEndToEndId,
    },
  ])
  expect(await asTable(held.company)).toMatchObject([
    {
      'Paga em': '',
      Situação: 'Aguardando pagamento',
      'Retida por': 'O valor recebido (R$ 99,99) difere do cobrado (R$ 100,00).',
    },
  ])
})

test('programs read why a payment is held with the spaces that they write, everywhere', async () => {
  const { company, id } = await newPixPayment(9_999)

  const answer = JSON.parse((await company.get(`/api/transactions/${id}`)).body)
  const events = JSON.parse((await company.get(`/api/events?transactionId=${id}`)).body)
  const [held] = events.data
  const document = (await testApp.app.inject('/api/openapi.json')).body

  const reason = 'O valor recebido (R$ 99,99) difere do cobrado (R$ 100,00).'
  expect(answer.holdReason).toBe(reason)
  expect([held.type, held.data.transaction.holdReason]).toEqual(['transaction.held', reason])
  expect(document).not.toContain('\u00a0')
})

test('the table holds all that the filters leave, newest first, and nothing of others', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  const many = await newLink({ title: 'Muitos', tags: ['a'] }, company)
  const few = await newLink({ title: 'Poucos', tags: ['a', 'b'] }, company)
  await pay(await newLink({}, other), buildTestCard('ok'))
  const last = (await pay(few, buildTestCard('generic'))).row
  const { row } = await pay(many, buildTestCard('ok'))
  await db.$client.query(COPY, [row.id, 1_200])

  const all = await asTable(company)

  expect(all).toHaveLength(1_202)
  const ids = all.map(({ Id }) => Id)
  expect(ids).toEqual(ids.toSorted().reverse())
  expect(new Set(ids).size).toBe(1_202)
  expect(await asTable(company, '?status=declined')).toMatchObject([{ Id: last.id }])
  expect(await asTable(company, '?tag=a&tag=b')).toMatchObject([{ Título: 'Poucos' }])
  expect(await asTable(company, `?paymentLinkId=${many.id}`)).toHaveLength(1_201)
  expect(await asTable(company, '?createdTo=2020-01-01T00:00:00Z')).toEqual([])
})

/** Exactly two batches and a bit, made before the one that is copied. */
const COPY = `
  insert into transactions
  select copy.* from transactions one, generate_series(1, $2::int) n,
    jsonb_populate_record(one, jsonb_build_object(
      'id', lpad(to_hex(1750000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'),
      'token', one.token || n, 'attempt_token', one.attempt_token || n, 'provider_reference', null
    )) copy
  where one.id = $1`

test.each([
  'limit=10',
  'cursor=abc',
  'status=paid',
  'paymentLinkId=a-b',
  'createdFrom=2026-01-01',
  'from=2026-01-01T00:00:00Z',
])('a table asked for with %s is refused', async (query) => {
  const company = await newCompany()

  const response = await company.get(`${CSV}?${query}`)

  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({ errors: [{ field: query.split('=')[0] }] })
})

test('a company without payments gets the headings alone', async () => {
  const company = await newCompany()

  expect(await table(company)).toEqual([expect.arrayContaining(['Criada em', 'Id'])])
})
