// A workbook, as a reader of another hand opens it.
import Fastify from 'fastify'
import readWorkbook from 'read-excel-file/node'
import { expect, test } from 'vitest'
import {
  centsColumn,
  countColumn,
  dayColumn,
  instantColumn,
  textColumn,
} from '../../../src/http/tables/columns.ts'
import { sendTable } from '../../../src/http/tables/send.ts'

type Sold = {
  title: string | null
  cents: number | null
  count: number | null
  day: string | null
  at: string | null
}

const COLUMNS = [
  textColumn('Título', ({ title }: Sold) => title),
  centsColumn('Valor', ({ cents }: Sold) => cents),
  countColumn('Parcelas', ({ count }: Sold) => count),
  dayColumn('Dia', ({ day }: Sold) => day),
  instantColumn('Pago em', ({ at }: Sold) => at),
]
const NOTHING: Sold = { title: null, cents: null, count: null, day: null, at: null }

async function download(rows: Sold[]) {
  const app = Fastify()
  async function* pages() {
    for (let i = 0; i < rows.length; i += 250) yield rows.slice(i, i + 250)
  }
  app.get('/', (_request, reply) =>
    sendTable(reply, COLUMNS, pages(), { companyId: 'a', name: 'vendas', format: 'xlsx' }),
  )
  return app.inject('/')
}

async function readRows(file: Buffer) {
  const [sheet] = await readWorkbook(file)
  return sheet!.data
}

test('numbers are numbers, days are days and everything else is the text that it was', async () => {
  const titles = ['=1+1', '+5511987654321', '00123', '529.982.247-25', '03/2026', '1,5', '-5', '@a']
  const rows = titles.map((title) => ({ ...NOTHING, title }))
  const sold = {
    title: 'Bolo <de> "festa" & 🎂\ncom velas',
    cents: -123_456,
    count: 12,
    day: '2026-02-03',
    at: '2026-01-01T15:00:00.000Z',
  }

  const answer = await download([sold, ...rows, { ...NOTHING, day: 'Total' }])

  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': 'attachment; filename="vendas.xlsx"',
  })
  expect(await readRows(answer.rawPayload)).toEqual([
    ['Título', 'Valor', 'Parcelas', 'Dia', 'Pago em'],
    [sold.title, -1234.56, 12, new Date('2026-02-03'), new Date('2026-01-01T12:00:00Z')],
    ...titles.map((title) => [title, null, null, null, null]),
    [null, null, null, 'Total', null],
  ])
})

test('ten thousand rows are one workbook, and of more it is said what to do', async () => {
  const most = await download(Array(10_000).fill(NOTHING))
  const more = await download(Array(10_001).fill(NOTHING))

  expect(most.statusCode).toBe(200)
  expect(more.statusCode).toBe(422)
  expect(more.json().message).toContain('até 10.000 linhas')
})
