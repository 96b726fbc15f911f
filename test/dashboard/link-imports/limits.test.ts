// A file as large as one may be, with every kind of fault in it.
import { expect, test } from 'vitest'
import {
  openLinkImports,
  readFaults,
  readFileErrors,
} from '../../support/dashboard/link-imports.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, upload, checkFile, confirm, linksOf } = openLinkImports(testApp)

const ROWS = 1_000
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

test('every fault of 1,000 rows is told, and the rows without one are made', async () => {
  const { company, client } = await openClient()
  const rows = Array.from({ length: ROWS }, (_, i) => KINDS[i % KINDS.length]!)
  const file = [HEADER, ...rows.map(([row], i) => row.replace('#', String(i)))].join('\r\n')

  const page = await checkFile(client, file)
  const made = await confirm(client, page, { repetidas: 'todas' })

  const told = readFaults(page)
  const right = rows.filter(([, wrong]) => wrong.length === 0).length
  expect(rows.map((_, i) => told.filter(([line]) => line === String(i + 2)))).toEqual(
    rows.map(([, wrong], i) => wrong.map((column) => [String(i + 2), column, expect.any(String)])),
  )
  expect(made.statusCode).toBe(303)
  expect(await linksOf(company)).toHaveLength(right)
})

test('1,000 rows are made at once, and a file of one more is refused', async () => {
  const { company, client } = await openClient()
  const buildFile = (count: number) =>
    `titulo;valor\n${Array.from({ length: count }, (_, i) => `Aula ${i};50\n`).join('')}`

  const page = await checkFile(client, buildFile(ROWS))
  await confirm(client, page)
  const tooMany = await upload(client, buildFile(ROWS + 1))

  expect(page).toContain('Criar 1.000 links')
  expect((await linksOf(company)).map(({ title }) => title)).toEqual(
    Array.from({ length: ROWS }, (_, i) => `Aula ${i}`),
  )
  expect(readFileErrors(tooMany.body)).toEqual([expect.stringMatching(/mais de 1\.000 linhas/)])
})
