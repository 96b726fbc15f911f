// What the database holds before anything is measured: one company, its keys, its links. The control
// gets a copy of the same database, so both work on the same tables, triggers and amounts of rows.
import { randomBytes } from 'node:crypto'
import { issueApiKey } from '../../src/companies/api-key.ts'
import { createCompany } from '../../src/companies/company.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { newId, newSlug } from '../../src/database/id.ts'
import { migrate } from '../../src/database/migrate.ts'
import { insertRows } from '../../src/database/rows.ts'
import { sealWith } from '../../src/database/seal.ts'
import { customers, paymentLinks } from '../../src/database/tables.ts'
import { ask } from '../support/ask.ts'

export type Seeded = Awaited<ReturnType<typeof seed>>
export type SeededLink = { id: string; slug: string }

export const LINKS = 100_000
export const AMOUNT_CENTS = 1_990

const BATCH = 2_000
const ISSUED_AT_ONCE = 20
const [SERVICE, CONTROL] = ['vintem_bench', 'vintem_bench_control']

/** @param keys how many API keys: each may be used 100 times in a minute */
export async function seed(serverUrl: string, { keys }: { keys: number }) {
  const secretKey = randomBytes(32)
  const [serviceUrl, controlUrl] = [at(serverUrl, SERVICE), at(serverUrl, CONTROL)]
  await ask(serverUrl, `create database ${SERVICE}`)
  await migrate(serviceUrl)

  const db = connect(serviceUrl)
  const { id: companyId } = await createCompany(db, sealWith(secretKey), { name: 'Padaria Sol' })
  const customerId = await addCustomer(db, companyId)
  const links = await addLinks(db, companyId)
  const secrets = await issueKeys(db, companyId, keys)
  await db.$client.query('vacuum analyze')
  await db.$client.end()

  await ask(serverUrl, `create database ${CONTROL} template ${SERVICE}`)
  return { serviceUrl, controlUrl, secretKey, companyId, customerId, links, secrets }
}

async function addCustomer(db: Database, companyId: string) {
  const id = newId()
  await db.insert(customers).values({ id, companyId, name: 'Ana Souza', taxId: '12345678909' })
  return id
}

async function addLinks(db: Database, companyId: string) {
  const links: SeededLink[] = []
  const insert = insertRows(db, paymentLinks)
  for (let start = 0; start < LINKS; start += BATCH) {
    const rows = Array.from({ length: BATCH }, () => linkOf(companyId))
    await insert(rows)
    links.push(...rows.map(({ id, slug }) => ({ id, slug })))
  }
  return links
}

function linkOf(companyId: string): typeof paymentLinks.$inferSelect {
  const now = new Date().toISOString()
  return {
    id: newId(),
    companyId,
    slug: newSlug(),
    title: 'Bolo de cenoura com cobertura',
    description: 'Para vinte pessoas, entregue no sábado.',
    amountCents: AMOUNT_CENTS,
    methods: ['pix', 'credit_card'],
    maxInstallments: 3,
    interestMode: 'absorb',
    status: 'active',
    tags: ['bolos', 'encomenda'],
    redirectUrl: 'https://padaria.example.com/obrigado',
    linkedCustomerId: null,
    expiresAt: null,
    maxPayments: null,
    externalReference: 'pedido-1990',
    metadata: { pedido: '1990' },
    inactiveMessage: null,
    expiryToldFor: null,
    createdAt: now,
    updatedAt: now,
  }
}

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
