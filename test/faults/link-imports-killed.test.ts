// A file of 10,000 links is being made by two processes, which are killed again and again, and one in the
// worst moment: each row is made once.
import { afterEach, expect, test } from 'vitest'
import { createCompany } from '../../src/companies/company.ts'
import { readLinkFile } from '../../src/dashboard/link-imports/file.ts'
import { newId } from '../../src/database/id.ts'
import { createCipher } from '../../src/database/sealing/encryption.ts'
import {
  confirmLinkImport,
  createLinkImport,
  MAX_IMPORT_ROWS,
} from '../../src/payment-links/import/link-import.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { openServices, SECRET_KEY } from '../support/processes/service.ts'

const { db, url } = await openDatabase()
const SOON = { timeout: 60_000, interval: 20 }
const ROUNDS = 4
const PEOPLE = 1_000
const { start, killAll } = openServices(url, { LOG_LEVEL: 'warn' })

afterEach(killAll)

/** A file of so many links, for people of whom each has several, not confirmed. */
async function uploadFile(count: number) {
  const now = new Date()
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const { test: company } = await createCompany(db, cipher, { name: 'Escola' })
  const rows = Array.from(
    { length: count },
    (_, i) => `Aluno ${i};50,00;Pessoa ${i % PEOPLE};p${i % PEOPLE}@exemplo.com.br`,
  )
  const text = ['titulo;valor;cliente_nome;cliente_email', ...rows].join('\n')
  const file = await readLinkFile(Buffer.from(text), { company, now })
  if (file.kind === 'refused') throw new Error(file.messages.join(' '))
  const given = { companyId: company.id, userId: newId(), fileName: 'a.csv' }
  const { id } = await createLinkImport(db, { ...given, ...file, repeated: new Map() }, now)
  const confirm = () => confirmLinkImport(db, { companyId: company.id, id, ticked: [] }, now)
  return { id, companyId: company.id, confirm }
}

async function readOne<Row>(text: string, values: unknown[]) {
  const { rows } = await db.$client.query(text, values)
  return rows[0] as Row
}

async function countCreated(id: string) {
  const text = 'select created_count as count, status from link_imports where id = $1'
  return readOne<{ count: number; status: string }>(text, [id])
}

async function readBooks({ id, companyId }: { id: string; companyId: string }) {
  return readOne<Record<string, number>>(
    `select
      (select count(*)::int from payment_links where company_id = $2) as links,
      (select count(distinct title)::int from payment_links where company_id = $2) as titles,
      (select count(distinct link_id)::int from link_import_rows where import_id = $1) as rows,
      (select count(*)::int from link_import_rows where import_id = $1 and input is not null) as waiting,
      (select count(*)::int from customers where company_id = $2) as people`,
    [id, companyId],
  )
}

test('two processes that are killed again and again make each row once', async () => {
  const file = await uploadFile(MAX_IMPORT_ROWS)
  await file.confirm()

  const deaths: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { count } = await countCreated(file.id)
    const both = await Promise.all([start(), start()])
    const target = Math.min(count + 1_000, MAX_IMPORT_ROWS)
    await expect
      .poll(async () => (await countCreated(file.id)).count, SOON)
      .toBeGreaterThanOrEqual(target)
    await Promise.all(both.map((service) => service.end('SIGKILL')))
    const books = await readBooks(file)
    expect(books).toMatchObject({ titles: books.links, rows: books.links })
    deaths.push(books.links ?? 0)
  }
  await start()
  await expect.poll(async () => (await countCreated(file.id)).status, SOON).toBe('done')

  expect(deaths[0]).toBeLessThan(MAX_IMPORT_ROWS)
  expect(await readBooks(file)).toEqual({
    ...{ links: MAX_IMPORT_ROWS, titles: MAX_IMPORT_ROWS, rows: MAX_IMPORT_ROWS },
    ...{ waiting: 0, people: PEOPLE },
  })
  expect(await countCreated(file.id)).toMatchObject({ count: MAX_IMPORT_ROWS })
})

test('killed between the links and the rows that name them, none is left behind', async () => {
  const file = await uploadFile(300)
  const victim = await start()
  const holder = await db.$client.connect()
  await holder.query('set idle_in_transaction_session_timeout = 0')
  await holder.query('begin; lock table link_import_rows in exclusive mode')
  await file.confirm()
  const somebodyWaits = async () => {
    const text = `select count(*)::int as count from pg_locks where relation = 'link_import_rows'::regclass and not granted`
    return (await readOne<{ count: number }>(text, [])).count
  }
  await expect.poll(somebodyWaits, SOON).toBe(1)

  await victim.end('SIGKILL')
  await holder.query('rollback')
  holder.release(true)
  await expect.poll(somebodyWaits, SOON).toBe(0)
  await start()
  await expect.poll(async () => (await countCreated(file.id)).status, SOON).toBe('done')

  expect(await readBooks(file)).toMatchObject({ links: 300, titles: 300, rows: 300, waiting: 0 })
})
