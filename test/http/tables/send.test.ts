// Tables as answers: how many are sent at once, and what happens when a receiver leaves.
import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/http/errors.ts'
import { countColumn, textColumn } from '../../../src/http/tables/columns.ts'
import { sendTable } from '../../../src/http/tables/send.ts'

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
  const columns = [countColumn('N', (row: { value: number }) => row.value)]
  app.get<{ Params: { companyId: string } }>('/:companyId', ({ params, query }, reply) =>
    sendTable(reply, columns, rows('fails' in Object(query)), {
      ...params,
      name: 'tabela',
      format: 'csv',
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

test('a table that is refused, or asked for its headers alone, does not count as taken', async () => {
  const { app, end, askAll, taken } = openTables()
  await app.inject({ method: 'HEAD', url: '/a' })

  const answered = askAll(6, () => '/a')
  end()

  expect((await answered).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
  expect(taken).toEqual(['a', 'a', 'a', 'a', 'a'])
})

test('a request for the headers of a table alone holds no place, and nothing more of it is read', async () => {
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

test('a table is read as fast as it is taken, and no further once who takes it has left', async () => {
  const read = { pages: 0, isOver: false }
  async function* rows() {
    try {
      for (; read.pages < 1_000; read.pages++) yield [{ text: 'x'.repeat(100_000) }]
    } finally {
      read.isOver = true
    }
  }
  const app = Fastify()
  onTestFinished(() => app.close())
  const columns = [textColumn('T', (row: { text: string }) => row.text)]
  const table = { companyId: 'padaria', name: 'tabela', format: 'csv' } as const
  app.get('/', (_request, reply) => sendTable(reply, columns, rows(), table))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  const [answer] = await once(get({ port }), 'response')
  let before = 0
  const standsStill = () => {
    const isSame = read.pages === before
    before = read.pages
    return isSame
  }
  await expect.poll(standsStill, { interval: 100 }).toBe(true)
  const readAhead = read.pages
  answer.destroy()

  await expect.poll(() => read.isOver).toBe(true)
  expect(readAhead).toBeLessThan(500)
})
