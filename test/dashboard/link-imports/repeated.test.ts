// What a file asks for that exists already, and what people's spreadsheets do to it.
import { expect, test } from 'vitest'
import { openLinkImports, readFaults } from '../../support/dashboard/link-imports.ts'
import { openLinkApi } from '../../support/link-api.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, uploadFile, confirmAndRun, runToEnd, linksOf } = openLinkImports(testApp)
const { archive } = openLinkApi(testApp)

const readTicks = (html: string) =>
  [...html.matchAll(/name="repetida" value="(\d+)"/g)].map(([, line]) => Number(line))
const FILE = [
  'titulo;valor;referencia;cliente_nome;cliente_documento',
  'Aula;50;;Ana;529.982.247-25',
  'Aula;50;;Rui;987.654.321-00',
  'Rifa;20;1;;',
  'Rifa;20;2;;',
].join('\n')

test('a file that was imported before makes nothing again but what is ticked', async () => {
  const { company, client } = await openClient()
  const first = await uploadFile(client, FILE)
  await client.post(`${first.path}/confirmar`)
  const meanwhile = await uploadFile(client, FILE)
  await runToEnd()
  const again = await uploadFile(client, FILE)

  const refused = await client.post(`${again.path}/confirmar`)
  await client.post(`${again.path}/confirmar`, { repetida: ['3'] })
  await runToEnd()

  expect(first.page).toContain('Criar 4 links')
  expect(readTicks(first.page)).toEqual([])
  expect([meanwhile, again].map(({ page }) => readTicks(page))).toEqual([
    [2, 3, 4, 5],
    [2, 3, 4, 5],
  ])
  expect(again.page).toContain('Criar os marcados')
  expect(refused.headers.location).toBe(`${again.path}?falta=linhas`)
  const titles = (await linksOf(company)).map(({ title }) => title)
  expect(titles).toEqual(['Aula', 'Aula', 'Rifa', 'Rifa', 'Aula'])
})

test('rows alike in one file, and alike to a link, wait to be ticked, all at once too', async () => {
  const { company, client } = await openClient()
  const put = await company.post('/api/payment-links', {
    ...{ title: 'Bolo', amountCents: 5_000, methods: ['pix'], externalReference: 'P-1' },
  })
  const rows = [
    'Torta;50;P-1;',
    'bolo;50,00;;',
    'Bolo;50;P-2;',
    'Bolo;50;P-2;',
    'Bolo;60;;',
    'Bolo;60;;ana@exemplo.com.br',
    'Bolo;60;;Ana@exemplo.com.br',
  ].map((row) => `${row};${row.includes('@') ? 'Ana' : ''}`)

  const { path, page } = await uploadFile(
    client,
    ['titulo;valor;referencia;email;nome', ...rows].join('\n'),
  )
  await client.post(`${path}/confirmar`, { repetidas: 'todas' })
  await runToEnd()

  expect(readTicks(page)).toEqual([2, 3, 4, 5, 8])
  expect(page).toContain('Criar 2 links e os marcados')
  expect(page).toContain(`href="/painel/links/${put.json().id}">Já há um link com esta referência`)
  expect(readPageText(page)).toContain('Igual à linha 4 deste arquivo.')
  expect(await linksOf(company)).toHaveLength(8)
})

test('what is left unticked is told, and a link in the archive is none', async () => {
  const { company, client } = await openClient()
  const { path } = await uploadFile(client, 'titulo;valor\nAula;50\nAula;50')

  const outcome = await confirmAndRun(client, path)
  const [made] = await linksOf(company)
  await archive(company, made!.id)
  const again = await uploadFile(client, 'titulo;valor\nAula;50')

  const csv = await client.get(`${path}/resultado.csv`)
  expect(readFaults(outcome)).toEqual([['3', 'titulo', 'Igual à linha 2 deste arquivo.']])
  expect(readPageText(outcome)).toContain('Linhas com erro 0 Não marcadas 1 parecem já existir')
  expect(readPageText(outcome)).toContain('O que ficou de fora')
  expect(csv.body).toContain('3;Parece já existir;')
  expect(readTicks(again.page)).toEqual([])
})

test('a sheet in its own words is read: separator, columns, lost zeros, days, its total', async () => {
  const { company, client } = await openClient()

  const { path, page } = await uploadFile(
    client,
    [
      'sep=;',
      'Produto;Preço (R$);Vencimento;Nome;CPF;Cor',
      'Aula;150.00;2026-12-31;Ana;1234567890;azul',
      'Curso;R$ 1.500,00;31/12/2026;Escola;1234567891;',
      'Total;1.650,00;;;;',
      ';1.650,00;TOTAL GERAL:;;;',
    ].join('\r\n'),
  )
  await confirmAndRun(client, path)

  expect(readPageText(page)).toContain('ficou de fora: "Cor".')
  expect(readFaults(page)).toEqual([
    ['3', 'cliente_documento', 'Informe um CPF ou CNPJ válido.'],
    ['4', 'linha', expect.stringContaining('total da planilha')],
    ['5', 'linha', expect.stringContaining('total da planilha')],
  ])
  expect(readPageText(page)).toContain('Ana 1234567890 012.345.678-90 2')
  expect(await linksOf(company)).toMatchObject([
    { title: 'Aula', amountCents: 15_000, expiresAt: '2027-01-01T02:59:00.000Z' },
  ])
  const customers = (await company.get('/api/customers')).json().data
  expect(customers).toHaveLength(1)
})

test.each([
  ['12345601', '000.123.456-01'],
  ['1234552', '000.012.345-52'],
])('a document without three or four of its zeros, %s, is offered as %s', async (typed, taxId) => {
  const { client } = await openClient()

  const { page } = await uploadFile(client, `titulo;valor;nome;cpf\nAula;50;Ana;${typed}`)

  expect(readFaults(page)).toEqual([])
  expect(readPageText(page)).toContain(`Ana ${typed} ${taxId} 2`)
})

test('a copy is told from the fee of another month by all that its row says', async () => {
  const { client } = await openClient()
  const rows = ['Mensalidade;50;Vence dia 10;31/01/2027;pix', 'Mensalidade;50;;28/02/2027;pix']
  const header = 'titulo;valor;descricao;vencimento;formas_de_pagamento'

  const { page } = await uploadFile(client, [header, ...rows].join('\n'))

  const [, repeated = ''] = readPageText(page).split('Parecem já existir')
  expect(repeated).toMatch(/Mensalidade R\$.50,00 Formas: Pix .*Vale até: 28\/02\/2027/)
})
