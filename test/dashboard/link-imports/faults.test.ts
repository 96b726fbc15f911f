import { expect, test } from 'vitest'
import { unpackFile } from '../../../src/dashboard/link-imports/check.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import {
  IMPORTS_PATH,
  openLinkImports,
  readFaults,
  readFileErrors,
  readPacked,
} from '../../support/dashboard/link-imports.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { newCompany, openReal } = testApp
const { openClient, upload, checkFile, confirm, linksOf } = openLinkImports(testApp)

const { company, client } = await openClient()
const HEADER =
  'titulo;valor;descricao;formas_de_pagamento;parcelas;parcelas_sem_juros;desconto_no_pix;etiquetas;expira_em;limite_de_pagamentos;referencia;cliente_nome;cliente_email;cliente_documento'
const COLUMNS = HEADER.split(';')

/** A row that is right but for these cells. */
function buildRow(cells: Record<string, string>) {
  const right: Record<string, string> = { titulo: 'Aula', valor: '50,00' }
  return COLUMNS.map((name) => cells[name] ?? right[name] ?? '').join(';')
}

const WRONG: [column: string, cells: Record<string, string>, sentence: RegExp][] = [
  ['titulo', { titulo: '' }, /título/],
  ['descricao', { descricao: 'Aula \u202e' }, /invisíveis/],
  ['titulo', { titulo: 'Mensalidade de mar\ufffdo' }, /se perdeu/],
  ['titulo', { titulo: '4111 1111 1111 1111' }, /Dados de cartão/],
  ['valor', { valor: '' }, /em reais/],
  ['valor', { valor: '1.234' }, /pode ser/],
  ['valor', { valor: '9,99' }, /mínimo é R\$.10,00/],
  ['descricao', { descricao: 'x'.repeat(2049) }, /no máximo 2048/],
  ['formas_de_pagamento', { formas_de_pagamento: 'pix, boleto' }, /Escreva pix/],
  ['formas_de_pagamento', { formas_de_pagamento: 'pix, constructor' }, /Escreva pix/],
  ['parcelas', { formas_de_pagamento: 'pix', parcelas: '3' }, /só valem com cartão/],
  ['parcelas', { parcelas: '13' }, /de 1 a 12/],
  ['parcelas_sem_juros', { formas_de_pagamento: 'pix', parcelas_sem_juros: '3' }, /só valem com/],
  ['parcelas_sem_juros', { parcelas: '3', parcelas_sem_juros: '4' }, /^Este link vai até 3x/],
  ['desconto_no_pix', { desconto_no_pix: '51' }, /de 0 a 50%/],
  ['parcelas', { parcelas: 'três' }, /de 1 a 12/],
  ['etiquetas', { etiquetas: Array.from({ length: 21 }, (_, i) => i).join(', ') }, /no máximo 20/],
  ['expira_em', { expira_em: '31/02/2030' }, /um dia que exista/],
  ['expira_em', { expira_em: '01/01/2020' }, /data futura/],
  ['limite_de_pagamentos', { limite_de_pagamentos: '0' }, /de 1 a 100\.000/],
  ['referencia', { referencia: 'x'.repeat(65) }, /no máximo 64/],
  ['cliente_nome', { cliente_email: 'ana@exemplo.com.br' }, /nome do cliente/],
  ['cliente_email', { cliente_nome: 'Ana', cliente_email: 'ana' }, /e-mail/],
  ['cliente_documento', { cliente_nome: 'Ana' }, /o CPF, o CNPJ ou o e-mail/],
  [
    'cliente_documento',
    { cliente_nome: 'Ana', cliente_documento: '111.111.111-11' },
    /CPF ou CNPJ/,
  ],
]

test('what is wrong is told by its row and column', async () => {
  const page = await checkFile(
    client,
    [HEADER, ...WRONG.map(([, cells]) => buildRow(cells))].join('\n'),
  )

  expect(readFaults(page)).toEqual(
    WRONG.map(([column, , sentence], i) => [`${i + 2}`, column, expect.stringMatching(sentence)]),
  )
})

test('all that is wrong with a row comes at once, and rows beside it stay right', async () => {
  const cells = { titulo: '', valor: 'dez', expira_em: 'amanhã', cliente_documento: '1' }
  const rows = [buildRow({}), buildRow(cells), buildRow({ titulo: 'Outra' })]

  const page = await checkFile(client, [HEADER, ...rows].join('\r\n'))

  expect(readFaults(page).map(([line, column]) => [line, column])).toEqual([
    ['3', 'titulo'],
    ['3', 'valor'],
    ['3', 'expira_em'],
    ['3', 'cliente_nome'],
    ['3', 'cliente_documento'],
  ])
  expect(page).toContain('Criar 2 links')
  expect(await linksOf(company)).toEqual([])
})

test('an amount that the commas of its file cut in two is told, and none other', async () => {
  const rows = [
    'Bolo,19,90',
    'Bolo,19,90,',
    'Bolo,"19,90",90',
    'Bolo,19.90,90',
    'Bolo,1990,25 fatias',
  ]
  const page = await checkFile(client, ['titulo,valor,descricao', ...rows].join('\n'))
  const installments = await checkFile(client, 'titulo,valor,parcelas\nBolo,1990,12')

  const cut = expect.stringContaining('"19,90"')
  expect(readFaults(page)).toEqual([
    ['2', 'valor', cut],
    ['3', 'valor', cut],
  ])
  expect(readFaults(installments)).toEqual([])
})

const SUMS = [
  ...['Total', 'Subtotal:', 'TOTAL GERAL (3)', 'Valor total', 'TOTAL R$', 'TOTAL (R$)'],
  ...['Total R$ 1.650,00', 'Total geral (3 alunos)', 'Total a receber', 'Total do mês'],
  ...['Total de links: 1', 'Total de 40 alunos', 'Total 2 linhas', 'Soma', 'Somatório'],
  ...['Grand total', 'Saldo', 'Média', 'TOTAL\u00a0\u00a0GERAL'],
]

test('a row of a sum is told as one', async () => {
  const rows = SUMS.map((title) => `${title};1.650,00`)

  const page = await checkFile(client, ['titulo;valor\nAula;50', ...rows].join('\n'))

  expect(readFaults(page)).toEqual(
    SUMS.map((_, i) => [`${i + 3}`, 'linha', expect.stringContaining('total da planilha')]),
  )
})

test('what is called like a sum and is none stays a link', async () => {
  const titles = ['Total da turma de pão', 'Total Clean 5L', 'Saldo da viagem', 'Somar', 'Mediação']
  const rows = [...titles.map((title) => `${title};50;;`), 'Saldo;50;Ana;529.982.247-25']

  const page = await checkFile(client, ['titulo;valor;nome;cpf', ...rows].join('\n'))

  expect(readFaults(page)).toEqual([])
  expect(page).toContain('Criar 6 links')
})

test.each([
  ['Nome;Preço', 'Bolo;50', 'Bolo', null],
  ['Nome;CPF;Descrição;Valor', 'Ana;529.982.247-25;Aula;50', 'Aula', 'Ana'],
])('without a title %s has one', async (header, row, title, person) => {
  const other = await openClient()

  await confirm(other.client, await checkFile(other.client, `${header}\n${row}`))

  expect(await linksOf(other.company)).toMatchObject([{ title, description: null }])
  const { data } = (await other.company.get('/api/customers')).json()
  expect(data.map(({ name }: { name: string }) => name)).toEqual(person === null ? [] : [person])
})

test('a cell too many is told, and empty ones at the end are nothing', async () => {
  const page = await checkFile(client, 'titulo;valor\nAula;50;;;\nAula;50;x\nAula')

  expect(readFaults(page)).toEqual([
    ['3', 'linha', expect.stringContaining('3 células e o cabeçalho 2')],
    ['4', 'valor', expect.stringMatching(/em reais/)],
  ])
})

test('a card number is neither shown nor sent back', async () => {
  const number = '5555 5555 5555 4444'
  const rows = [buildRow({ referencia: number }), buildRow({})]

  const page = await checkFile(client, [HEADER, ...rows].join('\n'))

  const file = unpackFile(readPacked(page))
  expect(readFaults(page)).toHaveLength(1)
  expect(page).not.toContain(number)
  expect(file?.links.map(({ line }) => line)).toEqual([3])
  expect(JSON.stringify(file)).not.toContain(number)
})

test('in the real environment a method that nobody is paid by is a fault', async () => {
  const real = await openReal(await newCompany())
  const owner = await openDashboardClient(testApp, { companyId: real.id })

  const page = await checkFile(owner, 'titulo;valor;formas_de_pagamento\nAula;50;pix')

  expect(readFaults(page)).toEqual([
    ['2', 'formas_de_pagamento', expect.stringContaining('Ninguém recebe por Pix')],
  ])
})

test.each([
  ['título;nome;cor', [/"valor"/, /a coluna "cor"/]],
  ['Nome;Preço;CPF;Vencimento', [/Falta .*: "titulo"\.$/, /"nome" diz quem paga/]],
  ['Aula;50', [/"titulo", "valor"/, /as colunas "Aula", "50"/]],
  ['titulo;valor;Título', [/Dizem o mesmo no cabeçalho: "titulo", "Título"/]],
  ['titulo;preço;price', [/Dizem o mesmo no cabeçalho: "preço", "price"/]],
])('a header %s is refused', async (header, sentences) => {
  const response = await upload(client, `${header}\nAula;50;x`)

  expect(response.statusCode).toBe(422)
  expect(readFileErrors(response.body)).toEqual(
    sentences.map((sentence) => expect.stringMatching(sentence)),
  )
})

test('of a first row that is no header only so much is repeated, and no card number', async () => {
  const first = ['x'.repeat(100_000), '4111 1111 1111 1111', ...Array(1000).fill('outra')].join(';')

  const response = await upload(client, `${first}\nAula;50;x`)

  const [, sentence = ''] = readFileErrors(response.body)
  expect(response.statusCode).toBe(422)
  expect(sentence).toContain(`as colunas "${'x'.repeat(50)}…", "****", "outra"`)
  expect(sentence).toContain(', …. Use os nomes do modelo.')
  expect(sentence.length).toBeLessThan(300)
})

test.each([
  ['nothing', '', /vazio/],
  ['line breaks alone', '\r\n\r\n', /vazio/],
  ['a header alone', 'titulo;valor\r\n', /só tem o cabeçalho/],
  ['a quote that never ends', 'titulo;valor\n"Aula;50', /aspas da linha 2/],
  ['a workbook', 'PK\x03\x04', /pasta do Excel/],
])('a file with %s is refused', async (_, content, sentence) => {
  const response = await upload(client, content)

  expect(response.statusCode).toBe(422)
  expect(readFileErrors(response.body)).toEqual([expect.stringMatching(sentence)])
})

test('a file of 5 MB is read, and one byte more is refused', async () => {
  const start = 'titulo;valor\nAula;50\n'
  const padded = start + ' '.repeat(5 * 1_048_576 - start.length)

  const [fits, tooBig] = [await upload(client, padded), await upload(client, `${padded} `)]

  expect(fits.statusCode).toBe(200)
  expect([tooBig.statusCode, readFileErrors(tooBig.body)]).toEqual([
    422,
    [expect.stringMatching(/5 MB/)],
  ])
})

test('a form without a file says so', async () => {
  const form = new FormData()
  form.append('arquivo', new Blob([]), '')

  const response = await client.upload(IMPORTS_PATH, form)

  expect(readFileErrors(response.body)).toEqual([expect.stringMatching(/Escolha um arquivo/)])
})
