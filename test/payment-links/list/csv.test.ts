// Links as a table that Excel in Brazil opens by a double click, however many they are.
import { expect, test } from 'vitest'
import { formatCsvCell } from '../../../src/http/tables/csv.ts'
import { BASE_URL, MINIMAL_LINK, openTestApp, type TestCompany } from '../../support/test-app.ts'

const { app, db, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const MANY = 600

function ask({ key }: TestCompany, url: string) {
  return app.inject({ url, headers: { authorization: `Bearer ${key}` } })
}

/** As a reader that knows nothing of how it was written. */
function parse(csv: string) {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  const [headings = [], ...lines] = rows.slice(0, -1)
  return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [headings[i]!, cell])))
}

test('a table says each link in the words and numbers of its readers', async () => {
  const company = await newCompany()
  const body = {
    ...MINIMAL_LINK,
    amountCents: 123_456,
    methods: ['pix', 'credit_card'],
    maxInstallments: 3,
    tags: ['doce', 'bolo'],
    externalReference: 'A-1',
  }
  const link = (await company.post(LINKS, body)).json()

  const response = await ask(company, `${LINKS}.csv`)

  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="links-de-pagamento.csv"',
  })
  expect(response.body.charCodeAt(0)).toBe(0xfeff)
  expect(parse(response.body.slice(1))).toEqual([
    {
      ID: link.id,
      Código: link.slug,
      Endereço: `${BASE_URL}/pagar/${link.slug}`,
      Título: 'Bolo de cenoura',
      Descrição: '',
      'Valor (R$)': '1234,56',
      'Formas de pagamento': 'Pix, Cartão de crédito',
      Parcelas: '3',
      Juros: 'Por conta da empresa',
      Situação: 'Ativo',
      Etiquetas: 'doce, bolo',
      'Referência externa': 'A-1',
      'Limite de pagamentos': '',
      'Expira em': '',
      'Criado em': formatCsvCell({ kind: 'instant', value: link.createdAt }),
      'Alterado em': formatCsvCell({ kind: 'instant', value: link.updatedAt }),
      Teste: 'Sim',
      'Depois de pago, vai para': '',
      'Mensagem quando não puder ser pago': '',
      'Mensagem no comprovante': '',
      'Nome na fatura do cartão': '',
      'Parcelas sem juros': '',
      'Desconto no Pix': '',
    },
  ])
})

test('a table has the same filters as the list, without its pages', async () => {
  const company = await newCompany()
  for (const title of ['Bolo', 'Torta', 'Bolo de milho']) {
    await company.post(LINKS, { ...MINIMAL_LINK, title })
  }
  const titles = async (url: string) =>
    parse((await ask(company, url)).body.slice(1)).map(({ Título }) => Título)

  expect(await titles(`${LINKS}.csv?q=bolo`)).toEqual(['Bolo de milho', 'Bolo'])
  expect(await titles(`${LINKS}.csv?q=torta`)).toEqual(['Torta'])
  for (const query of ['limit=1', 'status=paid', 'q=a&q=b']) {
    const response = await ask(company, `${LINKS}.csv?${query}`)
    expect([response.statusCode, response.json().code]).toEqual([422, 'validation_error'])
  }
  expect((await app.inject(`${LINKS}.csv`)).statusCode).toBe(401)
})

test('more links than are read at a time are all of them in the table, each once', async () => {
  const company = await newCompany()
  await db.$client.query(
    `insert into payment_links (id, company_id, slug, title, amount_cents, methods,
      max_installments, interest_mode, status, tags, metadata)
    select gen_random_uuid(), $1, gen_random_uuid()::text, 'Link ' || i, 1990,
      '{pix}', 1, 'absorb', 'active', '{}', '{}'
    from generate_series(1, $2::int) i`,
    [company.id, MANY],
  )

  const rows = parse((await ask(company, `${LINKS}.csv`)).body.slice(1))

  expect(new Set(rows.map(({ Título }) => Título)).size).toBe(MANY)
  expect(rows).toHaveLength(MANY)
})
