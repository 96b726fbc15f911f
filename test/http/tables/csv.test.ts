// One cell of a table, as a spreadsheet reads it.
import { expect, test } from 'vitest'
import { textColumn } from '../../../src/http/tables/columns.ts'
import { formatCsvCell, generateCsv } from '../../../src/http/tables/csv.ts'

async function write(value: string) {
  async function* rows() {
    yield [{ value }]
  }
  const columns = [textColumn('Texto', (row: { value: string }) => row.value)]
  let table = ''
  for await (const lines of generateCsv(columns, rows())) table += lines
  return table
}

test.each([
  ...['03/2026', '1/2', '2026-01-02', '1-2', '1.5', '31.12.26', '1/2/26', '2026-01-02 10:30'],
  ...[
    '1:30',
    '10:30:59',
    '10:30 pm',
    '8 a',
    '1 1/2',
    '10%',
    '5,5 %',
    '1,50e3',
    '1,5',
    ',50',
    '007,50',
  ],
  ...[
    '1.500',
    '1990,50',
    '21/11/2026',
    '21/11/2026 14:05:09',
    '1.500.000,00',
    'mai/26',
    'Março 2026',
    '5 mai',
    '5-mai-26',
    'MARÇO/2026',
    'dez2026',
  ],
])('a spreadsheet leaves %j the text that it is', async (text) => {
  expect(await write(text)).toBe(`\uFEFFTexto\r\n"=""${text}"""\r\n`)
})

test.each([
  ...['529.982.247-25', '12.345.678/0001-95'],
  ...[
    '(11) 98765-4321',
    '01310-100',
    'pedido 1/2',
    'maio',
    'marca 12',
    'novembro de 2026',
    '10.0.0.1',
  ],
])('%j is written as it is', async (text) => {
  expect(await write(text)).toBe(`\uFEFFTexto\r\n${text}\r\n`)
})

test.each([
  ['bolo', 'bolo'],
  ['bolo, café', 'bolo, café'],
  ['bolo;café', '"bolo;café"'],
  ['bolo "bom"', '"bolo ""bom"""'],
  ['bolo\ncafé', '"bolo\ncafé"'],
  ['bolo\rcafé', '"bolo\rcafé"'],
  ['bolo\r\ncafé', '"bolo\r\ncafé"'],
  ['\r=1+1', '"\'\r=1+1"'],
  ['bolo,=1+1', "bolo,'=1+1"],
  ['bolo;@soma', '"bolo;\'@soma"'],
  ['bolo;"=1+1', '"bolo;""\'=1+1"'],
  ['bolo,\t1', "bolo,'\t1"],
  ['＝1+1', "'＝1+1"],
  ['bolo,＋1', "bolo,'＋1"],
  ['－1', "'－1"],
  ['＠soma', "'＠soma"],
  ['-5,=1', "'-5,'=1"],
  ['-1990,50', "'-1990,50"],
  ['bolo, -1', 'bolo, -1'],
  ['\t=1+1', "'\t=1+1"],
  ['-1990', "'-1990"],
  ['000123456789012345', '"=""000123456789012345"""'],
  ['007', '"=""007"""'],
  ['1234567890123456', '"=""1234567890123456"""'],
  ['123456789012345', '123456789012345'],
  ['12E34', '"=""12E34"""'],
  ['', ''],
  ['0', '0'],
])('%j is the cell %j', async (value, cell) => {
  expect(await write(value)).toBe(`\uFEFFTexto\r\n${cell}\r\n`)
})

test.each([
  ...([
    ['cents', 1990, '19,90'],
    ['cents', 5, '0,05'],
    ['cents', 0, '0,00'],
    ['cents', 20_000_000, '200000,00'],
    ['cents', -1990, '-19,90'],
    ['count', 12, '12'],
    ['count', -5, '-5'],
    ['day', '2026-02-03', '03/02/2026'],
    ['instant', '2026-01-01T02:30:05.000Z', '31/12/2025 23:30:05'],
  ] as const),
])('of the kind %s the cell of %s is %s', (kind, value, cell) => {
  expect(formatCsvCell({ kind, value })).toBe(cell)
  expect(formatCsvCell({ kind, value: null })).toBe('')
})
