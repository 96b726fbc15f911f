// One cell of a table, as a spreadsheet reads it.
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendCsv } from '../../src/http/csv.ts'
import { AppError } from '../../src/http/errors.ts'

async function write(value: string | number | null) {
  const app = Fastify()
  async function* rows() {
    yield [{ value }]
  }
  const columns = [
    { heading: 'Texto', value: (row: { value: string | number | null }) => row.value },
  ]
  app.get('/', (_request, reply) =>
    sendCsv(reply, columns, rows(), { companyId: 'a', name: 'tabela.csv' }),
  )
  const { body } = await app.inject('/')
  return body
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
  ...[
    '21/11/2026',
    '21/11/2026 14:05:09',
    '1990,50',
    '0,05',
    '529.982.247-25',
    '12.345.678/0001-95',
  ],
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
  ['-1990,50', '-1990,50'],
  ['bolo, -1', 'bolo, -1'],
  ['\t=1+1', "'\t=1+1"],
  ['-1990', '-1990'],
  ['000123456789012345', '"=""000123456789012345"""'],
  ['007', '"=""007"""'],
  ['1234567890123456', '"=""1234567890123456"""'],
  ['123456789012345', '123456789012345'],
  ['12E34', '"=""12E34"""'],
  ['', ''],
  ['0,50', '0,50'],
  ['0', '0'],
  [1234567890123456, '1234567890123456'],
  [-5, '-5'],
  [0, '0'],
  [null, ''],
])('%j is the cell %j', async (value, cell) => {
  expect(await write(value)).toBe(`\uFEFFTexto\r\n${cell}\r\n`)
})

/** Tables that do not end until they are told to, for the company that the address names. */
function openTables() {
  const app = Fastify()
  app.setErrorHandler(({ statusCode, message, headers }: AppError, _request, reply) =>
    reply.code(statusCode).headers(headers).send(message),
  )
  const end = Promise.withResolvers<void>()
  const taken: string[] = []
  async function* rows(fails: boolean) {
    if (fails) throw new AppError(500, 'internal', 'no database')
    yield [{ value: 1 }]
    await end.promise
  }
  const columns = [{ heading: 'N', value: (row: { value: number }) => row.value }]
  app.get<{ Params: { companyId: string } }>('/:companyId', ({ params, query }, reply) =>
    sendCsv(reply, columns, rows('fails' in Object(query)), {
      ...{ ...params, name: 'tabela.csv' },
      recordTaking: async () => void taken.push(params.companyId),
    }),
  )
  const ask = async (url: string) => (await app.inject(url)).statusCode
  const askAll = (count: number, toUrl: (n: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, n) => ask(toUrl(n))))
  return { app, end: () => end.resolve(), ask, askAll, taken }
}

test('twenty tables are under way at once, and another once one of them has ended', async () => {
  const { app, end, ask, askAll } = openTables()
  const failed = await askAll(20, (n) => `/${n}?fails`)

  const answered = askAll(20, (n) => `/${n % 4}`)
  const refused = await app.inject('/b')
  end()

  expect(new Set(failed)).toEqual(new Set([500]))
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
  expect(new Set(await answered)).toEqual(new Set([200]))
  await expect.poll(() => ask('/b')).toBe(200)
})

test('one company has five of them at most, and leaves the others their places', async () => {
  const { app, end, ask, askAll } = openTables()

  const answered = askAll(5, () => '/a')
  const refused = await app.inject('/a')
  const other = ask('/b')
  end()

  expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '5' } })
  expect(refused.body).toContain('Baixe no máximo 5 tabelas ao mesmo tempo')
  expect(await other).toBe(200)
  expect(new Set(await answered)).toEqual(new Set([200]))
  await expect.poll(() => ask('/a')).toBe(200)
})

test('of a table that is refused, or of which only the headers are asked for, nobody says that it was taken', async () => {
  const { app, end, askAll, taken } = openTables()
  await app.inject({ method: 'HEAD', url: '/a' })

  const answered = askAll(6, () => '/a')
  end()

  expect((await answered).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
  expect(taken).toEqual(['a', 'a', 'a', 'a', 'a'])
})

test('whoever asks for the headers of a table alone holds no place, and nothing more of it is read', async () => {
  const { app, end, ask, askAll } = openTables()

  for (let n = 0; n < 6; n++) {
    const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/a' })
    expect([statusCode, headers['content-disposition'], body]).toEqual([
      ...[200, 'attachment; filename="tabela.csv"', ''],
    ])
    expect(headers).not.toHaveProperty('content-length')
  }
  const answered = askAll(5, () => '/a')
  end()

  expect(new Set(await answered)).toEqual(new Set([200]))
  await expect.poll(() => ask('/a')).toBe(200)
})
