// What the database holds before anything is measured: one company, its keys, its links. The control
// gets a copy of the same database, so both work on the same tables, triggers and amounts of rows.
import { randomBytes } from 'node:crypto'
import { hashApiKey, newApiKey } from '../../src/api/key-text.ts'
import { type Company, createCompany } from '../../src/companies/company.ts'
import { connectDatabase, type Database } from '../../src/database/connect.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { newId, newSlug } from '../../src/database/id.ts'
import { migrateDatabase } from '../../src/database/migrations/run.ts'
import { apiKeys, customers } from '../../src/database/tables.ts'
import { createPaymentLink } from '../../src/payment-links/payment-link.ts'
import { NewPaymentLink } from '../../src/payment-links/schema.ts'
import { createDatabase } from './server.ts'

export type Seeded = Awaited<ReturnType<typeof seedDatabase>>
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
/** Enough for 200,000 requests in a minute: each may be used 100 times. */
const KEYS = 2_000

export const DATABASES = ['vintem_bench', 'vintem_bench_control'] as const

export async function seedDatabase(serverUrl: string) {
  const secretKey = randomBytes(32)
  const [service, controls] = DATABASES
  const serviceUrl = await createDatabase(serverUrl, service)
  await migrateDatabase(serviceUrl)

  const db = connectDatabase(serviceUrl)
  const { test: company } = await createCompany(db, createCipher(secretKey), {
    name: 'Padaria Sol',
  })
  const companyId = company.id
  const customerId = newId()
  const customer = { id: customerId, companyId, name: 'Ana Souza', taxId: '12345678909' }
  await db.insert(customers).values(customer)
  const links = await addLinks(db, company)
  const secrets = await addKeys(db, companyId)
  // What autovacuum does in the minute after; to tables as small as the others it does nothing.
  await db.$client.query('vacuum analyze payment_links, api_keys')
  await db.$client.end()

  const controlUrl = await createDatabase(serverUrl, controls, service)
  return { serviceUrl, controlUrl, secretKey, companyId, customerId, links, secrets }
}

/** The first is made as any other link is, the rest are copies of it under their own id and slug. */
async function addLinks(db: Database, company: Company) {
  const input = NewPaymentLink.parse(linkBody)
  const made = { id: newId(), now: new Date() }
  const { link } = await createPaymentLink(db, company, input, made)
  const { id, slug } = link
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
  select made.* from payment_links first, json_array_elements($2) copy,
    json_populate_record(first, copy) made
  where first.id = $1`

async function addKeys(db: Database, companyId: string) {
  const secrets = Array.from({ length: KEYS }, () => newApiKey(true))
  const rows = secrets.map((secret) => {
    const stored = { secretHash: hashApiKey(secret), lastFour: secret.slice(-4) }
    return { id: newId(), companyId, name: 'Bench', ...stored }
  })
  await db.insert(apiKeys).values(rows)
  return secrets
}
