// A file as large as one may be, with every kind of fault in it.
import { expect, test } from 'vitest'
import { parseCsv } from '../../../src/dashboard/link-imports/parse.ts'
import { openLinkImports, readFileErrors } from '../../support/dashboard/link-imports.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, upload, uploadFile, confirmAndRun, linksOf } = openLinkImports(testApp)

const ROWS = 10_000
const HEADER =
  'titulo;valor;descricao;formas_de_pagamento;parcelas;etiquetas;expira_em;limite_de_pagamentos;referencia;cliente_nome;cliente_email;cliente_documento'

/** A row of each kind, and the columns that are wrong with it. */
const KINDS: [row: string, wrong: string[]][] = [
  ['Certa #;50,00;;;;;;;;;;', []],
  [
    'Com cliente;1.234,56;"Duas\r\nlinhas; e ""aspas""";pix, cartao;3;a, b;31/12/2026;1;r#;Ana;ana@exemplo.com.br;',
    [],
  ],
  [';50,00;;;;;;;;;;', ['titulo']],
  ['Sem valor;;;;;;;;;;;', ['valor']],
  ['Dois modos;1.234;;;;;;;;;;', ['valor']],
  ['Pouco;9,99;;;;;;;;;;', ['valor']],
  ['Muito;200000,01;;;;;;;;;;', ['valor']],
  ['Forma;50;;boleto;;;;;;;;', ['formas_de_pagamento']],
  ['Parcelas;50;;pix;3;;;;;;;', ['parcelas']],
  ['Data;50;;;;;31/02/2027;;;;;', ['expira_em']],
  ['Passado;50;;;;;01/01/2020;;;;;', ['expira_em']],
  ['Limite;50;;;;;;0;;;;', ['limite_de_pagamentos']],
  ['Cliente;50;;;;;;;;;ana@exemplo.com.br;', ['cliente_nome']],
  ['Cliente;50;;;;;;;;Ana;;', ['cliente_documento']],
  ['Cliente;50;;;;;;;;Ana;ana;1', ['cliente_email', 'cliente_documento']],
  ['Perdido \ufffd;50;;;;;;;;;;', ['titulo']],
  ['4111 1111 1111 1111;50;;;;;;;;;;', ['titulo']],
  ['Células;50;;;;;;;;;;;a mais', ['linha']],
  [
    ';;;boleto;;;amanhã;x;;;x;x',
    [
      'titulo',
      'valor',
      'formas_de_pagamento',
      'expira_em',
      'limite_de_pagamentos',
      'cliente_nome',
      'cliente_email',
      'cliente_documento',
    ],
  ],
]

test('every fault of 10,000 rows is told, and the rows without one are made', async () => {
  const { company, client } = await openClient()
  const rows = Array.from({ length: ROWS }, (_, i) => KINDS[i % KINDS.length]!)
  const { path, page } = await uploadFile(
    client,
    [HEADER, ...rows.map(([row], i) => row.replace('#', String(i)))].join('\r\n'),
  )

  const before = await client.get(`${path}/resultado.csv`)
  await confirmAndRun(client, path)
  const after = await client.get(`${path}/resultado.csv`)

  const right = rows.filter(([, wrong]) => wrong.length === 0).length
  expect(page).toContain(`Criar ${right.toLocaleString('pt-BR')} links`)
  const [told, done] = [readResult(before.body), readResult(after.body)]
  expect(told.map(({ wrong }) => wrong)).toEqual(rows.map(([, wrong]) => wrong))
  expect(told.map(({ line }) => line)).toEqual(rows.map((_, i) => i + 2))
  expect(done.map(({ url }) => url !== '')).toEqual(rows.map(([, wrong]) => wrong.length === 0))
  expect(new Set(done.map(({ url }) => url)).size).toBe(right + 1)
  expect(await linksOf(company)).toHaveLength(right)
})

test('10,000 rows are read, and one more is refused', async () => {
  const { client } = await openClient()
  const rows = (count: number) =>
    `titulo;valor\n${Array.from({ length: count }, (_, i) => `Aula ${i};50\n`).join('')}`

  const { page } = await uploadFile(client, rows(ROWS))
  const tooMany = await upload(client, rows(ROWS + 1))

  expect(page).toContain('Criar 10.000 links')
  expect(readFileErrors(tooMany.body)).toEqual([expect.stringMatching(/mais de 10\.000 linhas/)])
})

function readResult(csv: string) {
  const parsed = parseCsv(csv, ROWS + 2)
  const [, ...records] = parsed.kind === 'parsed' ? parsed.records : []
  return records.map(({ cells: [line, , , , url = '', faults = ''] }) => ({
    line: Number(line),
    url,
    wrong: faults === '' ? [] : faults.split(' · ').map((fault) => fault.split(':')[0]),
  }))
}
