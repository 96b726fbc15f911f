// One cell of a table, as a spreadsheet reads it.
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendCsv } from '../../src/http/csv.ts'

async function write(value: string | number | null) {
  const app = Fastify()
  async function* rows() {
    yield [{ value }]
  }
  const columns = [
    { heading: 'Texto', value: (row: { value: string | number | null }) => row.value },
  ]
  app.get('/', (_request, reply) => sendCsv(reply, columns, rows(), 'tabela.csv'))
  const { body } = await app.inject('/')
  return body
}

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
  ['-1990,50', '-1990,50'],
  ['bolo, -1', 'bolo, -1'],
  ['\t=1+1', "'\t=1+1"],
  ['-1990', '-1990'],
  ['000123456789012345', '"=""000123456789012345"""'],
  ['007', '"=""007"""'],
  ['1234567890123456', '"=""1234567890123456"""'],
  ['123456789012345', '123456789012345'],
  ['12E34', '"=""12E34"""'],
  ['0,50', '0,50'],
  ['0', '0'],
  [1234567890123456, '1234567890123456'],
  [-5, '-5'],
  [0, '0'],
  [null, ''],
])('%j is the cell %j', async (value, cell) => {
  expect(await write(value)).toBe(`\uFEFFTexto\r\n${cell}\r\n`)
})
