// What the database holds before anything is measured: one company, its keys, its links. The control
// gets a copy of the same database, so both work on the same tables, triggers and amounts of rows.
import { randomBytes } from 'node:crypto'
import { issueApiKey } from '../../src/api/api-key.ts'
import { type Company, createCompany } from '../../src/companies/company.ts'
import { connectDatabase, type Database } from '../../src/database/connect.ts'
import { newId, newSlug } from '../../src/database/id.ts'
import { migrateDatabase } from '../../src/database/migrate.ts'
import { createCipher } from '../../src/database/sealing/encryption.ts'
import { customers } from '../../src/database/tables.ts'
import { createPaymentLink } from '../../src/payment-links/payment-link.ts'
import { NewPaymentLink } from '../../src/payment-links/schema.ts'
import { runStatement } from '../support/statement.ts'

export type Seeded = Awaited<ReturnType<typeof seed>>
export type SeededLink = { id: string; slug: string }

export const LINKS = 100_000

/** As a company's program would send it. */
export const linkBody = {
  title: 'Bolo de cenoura com cobertura',
  description: 'Para vinte pessoas, entregue no sábado.',
  amountCents: 1_990,
  methods: ['pix', 'credit_card'],
  maxInstallments: 3,
  tags: ['bolos', 'encomenda'],
  redirectUrl: 'https://padaria.example.com/obrigado',
  externalReference: 'pedido-1990',
  metadata: { pedido: '1990' },
}

const BATCH = 5_000
const ISSUED_AT_ONCE = 20
const [SERVICE, CONTROL] = ['vintem_bench', 'vintem_bench_control']

/** @param keys how many API keys: each may be used 100 times in a minute */
export async function seed(serverUrl: string, { keys }: { keys: number }) {
  const secretKey = randomBytes(32)
  const [serviceUrl, controlUrl] = [at(serverUrl, SERVICE), at(serverUrl, CONTROL)]
  await runStatement(serverUrl, `create database ${SERVICE}`)
  await migrateDatabase(serviceUrl)

  const db = connectDatabase(serviceUrl)
  const { test: company } = await createCompany(db, createCipher(secretKey), {
    name: 'Padaria Sol',
  })
  const companyId = company.id
  const customerId = await addCustomer(db, companyId)
  const links = await addLinks(db, company)
  const secrets = await issueKeys(db, companyId, keys)
  // What autovacuum does a minute later; to tables as small as the others are it does nothing.
  await db.$client.query('vacuum analyze payment_links, api_keys')
  await db.$client.end()

  await runStatement(serverUrl, `create database ${CONTROL} template ${SERVICE}`)
  return { serviceUrl, controlUrl, secretKey, companyId, customerId, links, secrets }
}

async function addCustomer(db: Database, companyId: string) {
  const id = newId()
  await db.insert(customers).values({ id, companyId, name: 'Ana Souza', taxId: '12345678909' })
  return id
}

/** The first is made as any other link is, the rest are copies of it under their own id and slug. */
async function addLinks(db: Database, company: Company) {
  const input = NewPaymentLink.parse(linkBody)
  const { id, slug } = await createPaymentLink(db, company, input, {
    id: newId(),
    now: new Date(),
  })
  const links: SeededLink[] = [{ id, slug }]
  while (links.length < LINKS) {
    const length = Math.min(BATCH, LINKS - links.length)
    const copies = Array.from({ length }, () => ({ id: newId(), slug: newSlug() }))
    await db.$client.query(COPY, [id, JSON.stringify(copies)])
    links.push(...copies)
  }
  return links
}

const COPY = `insert into payment_links
  select (json_populate_record(first, copy)).*
  from payment_links first, json_array_elements($2) copy where first.id = $1`

async function issueKeys(db: Database, companyId: string, count: number) {
  const secrets: string[] = []
  while (secrets.length < count) {
    const some = Array.from({ length: ISSUED_AT_ONCE }, () => issueApiKey(db, companyId, 'Bench'))
    secrets.push(...(await Promise.all(some)).map(({ key }) => key))
  }
  return secrets
}

function at(serverUrl: string, database: string) {
  return new URL(`/${database}`, serverUrl).href
}
