// A database of the version before companies had two environments, filled with what it left: a company that
// was only tried out, one that has gone live, one that has by half.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { listMigrations } from '../../../src/database/migrations/files.ts'
import { runMigrations } from '../../../src/database/migrations/run.ts'
import { runStatement } from '../postgres/statement.ts'
import { type CompanyName, openOlderRows, openOlderSettings } from './rows.ts'

/** How many migrations there were. */
const BEFORE = 10

type OlderRows = ReturnType<typeof openOlderRows> & ReturnType<typeof openOlderSettings>

export async function openOlderDatabase() {
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  await runStatement(inject('server'), `create database ${name}`)
  const url = Object.assign(new URL(inject('server')), { pathname: `/${name}` }).href
  const client = new pg.Pool({ connectionString: url })
  client.on('error', () => {})
  afterAll(async () => {
    await client.end()
    await runStatement(inject('server'), `drop database ${name} with (force)`)
  })
  await runMigrations(url, listMigrations().slice(0, BEFORE))
  const olderRows = openOlderRows(client)
  const rows = { ...olderRows, ...openOlderSettings(olderRows) }
  await fillNewcomer(rows)
  await fillLive(rows)
  await fillMixed(rows)
  return { url, client, idOf: rows.idOf, ...openSights(client, rows.idOf) }
}

/** Tried out and nothing more; an account for real money waits to be chosen. */
async function fillNewcomer(rows: OlderRows) {
  const {
    addAccount,
    addCompany,
    addCustomer,
    addDelivery,
    addEndpoint,
    addEvent,
    addLink,
    addPayment,
    addPeople,
  } = rows
  await addCompany('newcomer')
  await addPeople('newcomer')
  await addLink('newcomer', 'first link')
  await addCustomer('newcomer', 'Ana Newcomer')
  const paid = { link: 'first link', customer: 'Ana Newcomer', testMode: true }
  await addPayment('newcomer', 'first payment', paid)
  await addEndpoint('newcomer', 'first endpoint')
  await addEvent('newcomer', 'first event', { testMode: true })
  await addDelivery('first event', 'first endpoint', 'pending')
  await addAccount('newcomer', 'pix-api', false)
}

/** Pix and cards live; what was tried out before, and since, lies among what is real. */
async function fillLive(rows: OlderRows) {
  const {
    addAccount,
    addCompany,
    addCustomer,
    addDelivery,
    addEndpoint,
    addEvent,
    addLink,
    addPayment,
    addPeople,
    idOf,
    insert,
  } = rows
  await addCompany('live', {
    ...{ pix_provider: 'pix-api', pix_test_mode: false },
    ...{ card_provider: 'pix-api', card_test_mode: false },
  })
  await addPeople('live')
  await addAccount('live', 'pix-api', false)
  await addAccount('live', 'mercadopago', true)
  for (const who of ['Both Bia', 'Real Rui', 'Tried Tom', 'Named Nina', 'Idle Ivo']) {
    await addCustomer('live', who)
  }
  await addLink('live', 'sold', { linked_customer_id: idOf('Both Bia') })
  await addLink('live', 'open', { linked_customer_id: idOf('Named Nina') })
  await addLink('live', 'closed', { status: 'inactive', linked_customer_id: idOf('Tried Tom') })
  await addLink('live', 'over', { expires_at: '2026-01-01' })
  await addLink('live', 'unpaid')
  for (const [name, link, customer, testMode] of [
    ['sold for real', 'sold', 'Both Bia', false],
    ['sold to Rui', 'sold', 'Real Rui', false],
    ['sold in a test', 'sold', 'Both Bia', true],
    ['open in a test', 'open', 'Tried Tom', true],
    ['closed in a test', 'closed', 'Tried Tom', true],
    ['over in a test', 'over', 'Tried Tom', true],
  ] as const) {
    await addPayment('live', name, { link, customer, testMode })
  }
  const report = { id: idOf('report'), payment_link_id: idOf('open'), reason: 'scam' }
  await insert('abuse_reports', report)
  await addEndpoint('live', 'hook of both')
  await addEndpoint('live', 'hook of real')
  await addEvent('live', 'real event', { testMode: false })
  await addEvent('live', 'test event', { testMode: true })
  await addEvent('live', 'old test event', { testMode: true })
  await addDelivery('real event', 'hook of both', 'pending')
  await addDelivery('real event', 'hook of real', 'delivered')
  await addDelivery('test event', 'hook of both', 'pending')
  await addDelivery('old test event', 'hook of both', 'delivered')
}

/** Pix is live; the cards are Mercado Pago's, in tests. */
async function fillMixed(rows: OlderRows) {
  const { addAccount, addCompany } = rows
  await addCompany('mixed', {
    ...{ pix_provider: 'pix-api', pix_test_mode: false },
    ...{ card_provider: 'mercadopago', card_test_mode: true },
  })
  await addAccount('mixed', 'pix-api', false)
  await addAccount('mixed', 'mercadopago', true)
}

/** Where things are by now. */
function openSights(client: pg.Pool, idOf: OlderRows['idOf']) {
  async function findRow(table: string, id: string) {
    const { rows } = await client.query(`select * from ${table} where id = $1`, [id])
    return rows[0]
  }

  /** The two rows of a company, by their own word. */
  async function findPair(name: CompanyName) {
    const { rows } = await client.query(
      'select * from companies where name = $1 order by test_mode',
      [name],
    )
    const [real, tests, ...others] = rows
    if (others.length > 0 || real.test_of !== null || tests.test_of !== real.id) {
      throw new Error(`${name} is no pair`)
    }
    return { real, tests }
  }

  /** Whether each of these stands in the real environment, in the other, or with another company. */
  async function environmentsOf(name: CompanyName, table: string, whats: string[]) {
    const { real, tests } = await findPair(name)
    const environments: Record<string, string> = { [real.id]: 'real', [tests.id]: 'test' }
    const found: Record<string, string | undefined> = {}
    for (const what of whats) {
      found[what] = environments[(await findRow(table, idOf(what))).company_id]
    }
    return found
  }

  return { findRow, findPair, environmentsOf }
}
