// What a file asks for that exists already, and what people's spreadsheets do to it.
import { expect, test } from 'vitest'
import {
  openLinkImports,
  readFaults,
  readFileErrors,
} from '../../support/dashboard/link-imports.ts'
import { openLinkApi } from '../../support/link-api.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, checkFile, confirm, linksOf } = openLinkImports(testApp)
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
  const first = await checkFile(client, FILE)
  await confirm(client, first)

  const again = await checkFile(client, FILE)
  const refused = await confirm(client, again)
  await confirm(client, again, { repetida: ['3'] })

  expect(first).toContain('Criar 4 links')
  expect(readTicks(first)).toEqual([])
  expect(readTicks(again)).toEqual([2, 3, 4, 5])
  expect(again).toContain('Criar os marcados')
  expect([refused.statusCode, readFileErrors(refused.body)]).toEqual([
    422,
    [expect.stringContaining('nenhuma linha foi marcada')],
  ])
  const titles = (await linksOf(company)).map(({ title }) => title)
  expect(titles).toEqual(['Aula', 'Aula', 'Rifa', 'Rifa', 'Aula'])
})

test('rows alike in one file, and alike to a link, wait to be ticked, all at once too', async () => {
  const { company, client } = await openClient()
  const put = await company.post('/api/payment-links', {
    title: 'Bolo',
    amountCents: 5_000,
    methods: ['pix'],
    externalReference: 'P-1',
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

  const page = await checkFile(client, ['titulo;valor;referencia;email;nome', ...rows].join('\n'))
  await confirm(client, page, { repetidas: 'todas' })

  expect(readTicks(page)).toEqual([2, 3, 4, 5, 8])
  expect(page).toContain('Criar 2 links e os marcados')
  expect(page).toContain(`href="/painel/links/${put.json().id}">Já há um link com esta referência`)
  expect(readPageText(page)).toContain('Igual à linha 4 deste arquivo.')
  expect(await linksOf(company)).toHaveLength(8)
})

test('a link in the archive, of another company or of another customer is like none', async () => {
  const { company, client } = await openClient()
  const file = (row: string) => `titulo;valor;cliente_nome;cliente_documento\nAula;50;${row}`
  await confirm(client, await checkFile(client, file('Ana;529.982.247-25')))
  const [made] = await linksOf(company)

  const pages = [
    await checkFile(client, file('Ana;529.982.247-25')),
    await checkFile(client, file('Rui;987.654.321-00')),
    await checkFile(client, file(';')),
    await checkFile((await openClient()).client, file('Ana;529.982.247-25')),
  ]
  await archive(company, made!.id)
  const archived = await checkFile(client, file('Ana;529.982.247-25'))

  expect([...pages, archived].map(readTicks)).toEqual([[2], [], [], [], []])
})

test('a sheet in its own words is read: separator, columns, lost zeros, days, its total', async () => {
  const { company, client } = await openClient()

  const page = await checkFile(
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
  await confirm(client, page)

  expect(readPageText(page)).toContain('ficou de fora: "Cor".')
  expect(readFaults(page)).toEqual([
    ['3', 'CPF', 'Informe um CPF ou CNPJ válido.'],
    ['4', '', expect.stringContaining('total da planilha')],
    ['5', '', expect.stringContaining('total da planilha')],
  ])
  expect(readPageText(page)).toMatch(
    /Certas, mas confira .*sem o zero do começo: 1234567890\. .*Ana 012\.345\.678-90 2/,
  )
  expect(await linksOf(company)).toMatchObject([
    { title: 'Aula', amountCents: 15_000, expiresAt: '2027-01-01T02:59:00.000Z' },
  ])
  const customers = (await company.get('/api/customers')).json().data
  expect(customers).toHaveLength(1)
})
