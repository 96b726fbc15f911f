import { expect, test } from 'vitest'
import { decodeCsv, parseCsv } from '../../../src/dashboard/link-imports/csv.ts'

function parse(text: string) {
  const parsed = parseCsv(text, 100)
  return parsed.kind === 'parsed' ? parsed.records.map(({ cells }) => cells) : parsed
}

test('what our tables mark as text for a spreadsheet is read as that text', () => {
  expect(parse('a;b\n"=""000123""";"=""03/2026"""\n="007";="1"x')).toEqual([
    ['a', 'b'],
    ['000123', '03/2026'],
    ['007', '="1"x'],
  ])
})

/** Rows and cells as they are expected, a line each, with bars between. */
test.each([
  ['semicolons', 'a;b\n1;2', 'a|b\n1|2'],
  ['commas', 'a,b\r\n1,2\r\n', 'a|b\n1|2'],
  ['commas within semicolons', 'a;b\n1,5;2', 'a|b\n1,5|2'],
  ['tabs', 'a\tb\n1,5\t2;3', 'a|b\n1,5|2;3'],
  ['a separator that it names', 'sep=,\r\na;b,c\n1,2', 'a;b|c\n1|2'],
  ['a bare carriage return', 'a;b\r1;2\r', 'a|b\n1|2'],
  ['an empty cell at the end', 'a;b\n1;', 'a|b\n1|'],
  ['an empty cell in quotes', 'a;b\n"";2', 'a|b\n|2'],
  ['a quote inside a bare cell', 'a;b\n5" de tela;2', 'a|b\n5" de tela|2'],
  ['a header in quotes', '"a;x",b\n1,2', 'a;x|b\n1|2'],
])('a file with %s is read', (_, text, records) => {
  expect(parse(text)).toEqual(records.split('\n').map((row) => row.split('|')))
})

test('a cell in quotes has separators, quotes and breaks; of nothing there are no rows', () => {
  expect(parse('a;b\n"x;""y""\r\nz";2')).toEqual([
    ['a', 'b'],
    ['x;"y"\r\nz', '2'],
  ])
  expect(parse('')).toEqual([])
})

test('lines are counted as a spreadsheet counts its rows', () => {
  const parsed = parseCsv('a;b\n"duas\nlinhas";1\n\n;;\nx;2', 100)

  expect(parsed).toMatchObject({
    records: [{ line: 1 }, { line: 2 }, { line: 5, cells: ['x', '2'] }],
  })
})

test.each([
  ['that never ends', 'a;b\n1;2\n"x;3\ny;4', 3],
  ['that ends before its cell', 'a;b\n"x"y;2', 2],
])('a quote %s is reported with its line', (_, text, line) => {
  expect(parse(text)).toEqual({ kind: 'broken', line })
})

test('a row with more cells than any spreadsheet has is not read to its end', () => {
  const row = (cells: number) => Array(cells).fill('x').join(';')

  expect(parseCsv(row(16_384), 100)).toMatchObject({ kind: 'parsed', separator: ';' })
  expect(parseCsv(`a;b\n${row(16_385)}`, 100)).toEqual({ kind: 'tooWide', line: 2 })
})

test.each([
  ['UTF-8', Buffer.from('título;ação “x” €'), false],
  ['UTF-8 with a mark', Buffer.from('\ufefftítulo;ação “x” €'), false],
  ['Texto Unicode of Excel', Buffer.from('\ufefftítulo;ação “x” €', 'utf16le'), false],
  ['UTF-16 of other machines', Buffer.from('\ufefftítulo;ação “x” €', 'utf16le').swap16(), false],
  ['Windows-1252', Buffer.from('t\xedtulo;a\xe7\xe3o \x93x\x94 \x80', 'latin1'), true],
])('%s is read as what it is', (_, bytes, isWindows1252) => {
  expect(decodeCsv(bytes)).toEqual({ kind: 'decoded', text: 'título;ação “x” €', isWindows1252 })
})
