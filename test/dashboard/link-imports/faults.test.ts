// A file of links as it is read: each row with its link or with all that is wrong, or why no row can be read.
import { expect, test } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { IMPORT_COLUMNS } from '../../../src/dashboard/link-imports/columns.ts'
import { readLinkFile } from '../../../src/dashboard/link-imports/file.ts'
import { openTestApp } from '../../support/test-app.ts'

const { db, clock, newCompany } = await openTestApp()
const { id, realId } = await newCompany()
const [company, realCompany] = await Promise.all([id, realId].map((one) => findCompany(db, one)))
const COLUMNS = Object.values(IMPORT_COLUMNS)

function read(text: string | Buffer, by = company!) {
  return readLinkFile(db, Buffer.from(text), { company: by, now: clock.now() })
}

async function rowsOf(text: string, by?: typeof company) {
  const file = await read(text, by)
  return file.kind === 'read' ? file.rows : []
}

const faultsOf = async (text: string, by?: typeof company) =>
  (await rowsOf(text, by)).flatMap((row) =>
    row.kind === 'refused'
      ? row.faults.map(({ column, message }) => [row.line, column, message])
      : [],
  )

const linksOf = async (text: string) =>
  (await rowsOf(text)).flatMap((row) => (row.kind === 'valid' ? row.link : []))

/** A file with all columns, in which these cells differ from those of a right row. */
function buildFile(...rows: Record<string, string>[]) {
  const right: Record<string, string> = { titulo: 'Aula', valor: '50,00' }
  const lines = rows.map((cells) => COLUMNS.map((name) => cells[name] ?? right[name] ?? ''))
  return [COLUMNS, ...lines].map((cells) => cells.join(';')).join('\n')
}

const WRONG: [column: string, cells: Record<string, string>, sentence: RegExp][] = [
  ['titulo', { titulo: '' }, /título/],
  ['titulo', { titulo: '-' }, /título/],
  ['titulo', { titulo: '#N/D' }, /mostra #N\/D/],
  ['descricao', { descricao: '#VALOR!' }, /mostra #VALOR!/],
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
  ['parcelas', { parcelas: 'x' }, /de 1 a 12/],
  ['etiquetas', { etiquetas: Array.from({ length: 21 }, (_, i) => i).join(', ') }, /no máximo 20/],
  ['expira_em', { expira_em: '31/02/2030' }, /um dia que exista/],
  ['expira_em', { expira_em: '01/01/2020' }, /data futura/],
  ['expira_em', { expira_em: '########' }, /mostra ####.*alargue a coluna/],
  ['expira_em', { expira_em: '39999' }, /um dia que exista/],
  ['limite_de_pagamentos', { limite_de_pagamentos: '0' }, /de 1 a 100\.000/],
  ['referencia', { referencia: 'x'.repeat(65) }, /no máximo 64/],
  ['referencia', { referencia: '1,23457E+14' }, /cortou este número/],
  ['cliente_nome', { cliente_email: 'ana@exemplo.com.br' }, /nome do cliente/],
  ['cliente_email', { cliente_nome: 'Ana', cliente_email: 'ana' }, /e-mail/],
  ['cliente_documento', { cliente_nome: 'Ana' }, /o CPF, o CNPJ ou o e-mail/],
  [
    'cliente_documento',
    { cliente_nome: 'Ana', cliente_documento: '111.111.111-11' },
    /CPF ou CNPJ/,
  ],
  [
    'cliente_documento',
    { cliente_nome: 'Ana', cliente_documento: '1,1222333E+13' },
    /cortou este número/,
  ],
]

test.each(WRONG)('what is wrong with %s in %j is said there', async (column, cells, sentence) => {
  expect(await faultsOf(buildFile(cells))).toEqual([[2, column, expect.stringMatching(sentence)]])
})

test.each([
  { formas_de_pagamento: 'Pix e Cartão', parcelas: '3x' },
  { formas_de_pagamento: 'PIX ou cartão de crédito', parcelas: '12 X', parcelas_sem_juros: '3x' },
  {
    formas_de_pagamento: 'Pix & crédito',
    parcelas: 'até 3 vezes',
    parcelas_sem_juros: 'em 3 vezes',
  },
  { formas_de_pagamento: 'cartão crédito', parcelas: '3,00', limite_de_pagamentos: '1,00' },
])('methods and installments are read as people write them: %j', async (cells) => {
  expect(await faultsOf(buildFile(cells))).toEqual([])
})

test('cells are read as spreadsheets write them: dashes for nothing, days and documents as numbers', async () => {
  const dashes = Object.fromEntries(COLUMNS.slice(2).map((name) => [name, '-']))
  const file = buildFile(
    dashes,
    { valor: ' R$ 1.234,56 ', expira_em: '46387' },
    { valor: '50 reais', cliente_nome: 'Ana', cliente_documento: '52998224725,00' },
    { cliente_nome: 'Eva', cliente_documento: '1.234.567.890,00' },
    { titulo: '#PROMO!', referencia: '5E12' },
  )

  expect(await faultsOf(file)).toEqual([])
  expect(await linksOf(file)).toMatchObject([
    { input: { tags: [], externalReference: null, description: null }, customer: null },
    { input: { amountCents: 123_456, expiresAt: '2027-01-01T02:59:00.000Z' } },
    { input: { amountCents: 5_000 }, customer: { taxId: '52998224725' } },
    { customer: { taxId: '01234567890' } },
    { input: { title: '#PROMO!', externalReference: '5E12' } },
  ])
})

test('an amount that the commas of its file cut in two is refused, and no other', async () => {
  const rows = [
    'Bolo,19,90',
    'Bolo,19,90,',
    'Bolo,"19,90",90',
    'Bolo,19.90,90',
    'Bolo,1990,25 fatias',
  ]

  const cut = expect.stringContaining('"19,90"')
  expect(await faultsOf(['titulo,valor,descricao', ...rows].join('\n'))).toEqual([
    [2, 'valor', cut],
    [3, 'valor', cut],
  ])
  expect(await faultsOf('titulo,valor,parcelas\nBolo,1990,12')).toEqual([])
})

test.each([
  ...['Total', 'Subtotal:', 'TOTAL GERAL (3)', 'Valor total', 'TOTAL R$', 'TOTAL (R$)'],
  ...['Total R$ 1.650,00', 'Total geral (3 alunos)', 'Total a receber', 'Total do mês'],
  ...['Total de links: 1', 'Total de 40 alunos', 'Total 2 linhas', 'Soma', 'Somatório'],
  ...['Grand total', 'Saldo', 'Média', 'TOTAL\u00a0\u00a0GERAL'],
])('a row of %s is a sum, not a link', async (title) => {
  expect(await faultsOf(`titulo;valor\n${title};1.650,00`)).toEqual([
    [2, '', expect.stringContaining('total da planilha')],
  ])
})

test.each([
  ...['Total da turma de pão', 'Total Clean 5L', 'Saldo da viagem', 'Somar', 'Mediação'],
  'Saldo;50;Ana;529.982.247-25',
])('%s only looks like a sum', async (row) => {
  const cells = row.includes(';') ? row : `${row};50;;`

  expect(await linksOf(`titulo;valor;nome;cpf\n${cells}`)).toHaveLength(1)
})

test.each([
  ['Nome;Preço', 'Bolo;50', 'Bolo', null],
  ['Nome;CPF;Descrição;Valor', 'Ana;529.982.247-25;Aula;50', 'Aula', { name: 'Ana' }],
])('without a title %s has one', async (header, row, title, customer) => {
  const [link] = await linksOf(`${header}\n${row}`)

  expect(link).toMatchObject({ input: { title }, customer })
  expect(link?.input.description ?? null).toBeNull()
})

test.each([
  ['1234567890', '01234567890'],
  ['12345601', '00012345601'],
  ['1234552', '00001234552'],
])('a document without its zeros, %s, is offered as %s', async (typedTaxId, taxId) => {
  expect(await rowsOf(`titulo;valor;nome;cpf\nAula;50;Ana;${typedTaxId}`)).toMatchObject([
    { typedTaxId, link: { customer: { taxId } } },
  ])
})

test('an error names the column as the file does, and a missing one as the template', async () => {
  const header = 'Produto;Preço (R$);Vencimento;CPF'

  expect(await faultsOf(`${header}\nAula;1.500;ontem;529.982.247-25`)).toEqual([
    [2, 'Preço (R$)', expect.stringContaining('Escreva também os centavos')],
    [2, 'Vencimento', expect.any(String)],
    [2, 'cliente_nome', 'Informe o nome do cliente.'],
  ])
})

test('a cell too many is refused, and empty ones at the end are nothing', async () => {
  expect(await faultsOf('titulo;valor\nAula;50;;;\nAula;50;x\nAula')).toEqual([
    [3, '', expect.stringContaining('3 células e o cabeçalho 2')],
    [4, 'valor', expect.stringMatching(/em reais/)],
  ])
})

test('in the real environment a method without a provider is a fault', async () => {
  expect(await faultsOf('titulo;valor;formas_de_pagamento\nAula;50;pix', realCompany)).toEqual([
    [2, 'formas_de_pagamento', expect.stringContaining('Ninguém recebe por Pix')],
  ])
})

test.each([
  ['título;nome;cor\nAula;50;x', [/"valor"/, /a coluna "cor"/]],
  ['Nome;Preço;CPF;Vencimento\nAula', [/Falta .*: "titulo"\.$/, /"nome" diz quem paga/]],
  ['Aula;50\nAula;50', [/"titulo", "valor"/, /as colunas "Aula", "50"/]],
  ['titulo;valor;Título\nAula', [/Dizem o mesmo no cabeçalho: "titulo", "Título"/]],
  ['titulo;preço;price\nAula', [/Dizem o mesmo no cabeçalho: "preço", "price"/]],
  ['', [/vazio/]],
  ['\r\n\r\n', [/vazio/]],
  ['titulo;valor\r\n', [/só tem o cabeçalho/]],
  ['titulo;valor\n"Aula;50', [/aspas da linha 2/]],
  [`titulo;valor${'\nAula;50'.repeat(1_001)}`, [/mais de 1\.000 linhas/]],
  ['PK\x03\x04 and so on', [/planilha do Excel/]],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), [/planilha do Excel/]],
  [Buffer.from('titulo;valor', 'utf16le'), [/não é um CSV/]],
])('%j is refused', async (file, sentences) => {
  expect(await read(file)).toEqual({
    kind: 'refused',
    messages: sentences.map((sentence) => expect.stringMatching(sentence)),
  })
})

test('a file has 1,000 rows at most', async () => {
  expect(await linksOf(`titulo;valor${'\nAula;50'.repeat(1_000)}`)).toHaveLength(1_000)
})

test('of a first row that is no header only so much is repeated, and no card number', async () => {
  const first = ['x'.repeat(100_000), '4111 1111 1111 1111', ...Array(1000).fill('outra')].join(';')

  const file = await read(`${first}\nAula;50;x`)

  const [, sentence = ''] = file.kind === 'refused' ? file.messages : []
  expect(sentence).toContain(`as colunas "${'x'.repeat(50)}…", "****", "outra"`)
  expect(sentence).toContain(', …. Use os nomes do modelo.')
  expect(sentence.length).toBeLessThan(300)
})
