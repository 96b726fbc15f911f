// What grows with every payment goes when its time is over, and no sooner; what is still to be done stays.

import { v7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { purgeFailedCalls } from '../../src/api/failed-calls.ts'
import { purgeIdempotencyKeys } from '../../src/api/idempotency.ts'
import { purgeCardAttempts } from '../../src/checkout/payment/card-testing.ts'
import { purgeAbuseReports } from '../../src/checkout/report/report.ts'
import { purgeAuditEntries } from '../../src/companies/audit.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/connect.ts'
import { newId } from '../../src/database/id.ts'
import { purgeMails } from '../../src/mail/outbox.ts'
import { purgeSandboxCharges } from '../../src/providers/sandbox/purge.ts'
import { PURGE_BATCH_SIZE, type PurgeBatch, startPurge } from '../../src/queue/purge.ts'
import { purgeSteps } from '../../src/transactions/steps.ts'
import { purgeEvents } from '../../src/webhooks/events/log.ts'
import { openPayments } from '../support/payments.ts'
import { explainStatements, listPlanNodes } from '../support/postgres/query-plans.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { newMerchant, addPayment } = openPayments(testApp)
const merchant = await newMerchant()
const { addEvents, addStep, addCharge, addAuditEntry, addReport } = openAgedRows(
  db,
  merchant.companyId,
)

const { retention } = readConfig({})
const NOW = new Date('2036-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const daysAgo = (days: number, ms = 0) => new Date(NOW.getTime() - days * DAY_MS - ms)
const run = (text: string, values: unknown[] = []) => db.$client.query(text, values)
const count = async (table: string) =>
  Number((await run(`select count(*) from ${table}`)).rows[0].count)

const EMPTIED = [
  ...['webhook_attempts', 'webhook_deliveries', 'events', 'webhook_endpoints'],
  ...['transaction_steps', 'sandbox_refunds', 'sandbox_charges'],
  ...['mails', 'audit_entries', 'abuse_reports'],
]

// To truncate costs a file for each index.
beforeEach(async () => {
  for (const table of EMPTIED) await run(`delete from ${table}`)
})

const addPaid = (more: Parameters<typeof addPayment>[2] = {}) =>
  addPayment(merchant, daysAgo(3_000).toISOString(), { checkAt: null, ...more })

test.each<[string, string, PurgeBatch, number, (at: Date) => Promise<unknown>]>([
  ['an event', 'events', purgeEvents, 180, (at) => addEvents([at], 'delivered')],
  ['a step', 'transaction_steps', purgeSteps, 730, async (at) => addStep(at, await addPaid())],
  ['a charge of the sandbox', 'sandbox_charges', purgeSandboxCharges, 365, (at) => addCharge(at)],
  ['an entry of the audit log', 'audit_entries', purgeAuditEntries, 1_826, addAuditEntry],
  [
    'a report of a link',
    'abuse_reports',
    purgeAbuseReports,
    1_826,
    (at) => addReport(at, merchant.linkId),
  ],
])('%s is there for as long as it is kept, and not a moment longer', async (...given) => {
  const [, table, purge, days, add] = given
  await add(daysAgo(days))

  const early = await purge(db, NOW, { retention })
  const before = await count(table)
  await purge(db, new Date(NOW.getTime() + 1), { retention })

  expect(early).toEqual({ kind: 'done' })
  expect(before).toBe(1)
  expect(await count(table)).toBe(0)
})

test('another time is kept where it is set', async () => {
  await addEvents([daysAgo(31), daysAgo(31, 1)])

  await purgeEvents(db, NOW, { retention: { ...retention, eventsDays: 31 } })

  expect(await count('events')).toBe(1)
})

test('an event goes with its deliveries and their attempts, a charge with its refunds', async () => {
  await addEvents([daysAgo(181)], 'delivered')
  await addCharge(daysAgo(366))

  await purgeEvents(db, NOW, { retention })
  await purgeSandboxCharges(db, NOW, { retention })

  const left = ['events', 'webhook_deliveries', 'webhook_attempts', 'sandbox_refunds'].map(count)
  expect(await Promise.all(left)).toEqual([0, 0, 0, 0])
})

test('an event that is still to be sent stays, however old it is', async () => {
  const [waiting] = await addEvents([daysAgo(900)], 'pending')

  await purgeEvents(db, NOW, { retention })

  expect((await run('select id from events')).rows).toEqual([{ id: waiting }])
  expect(await count('webhook_attempts')).toBe(1)
})

test('what waits for a disabled endpoint does so for as long as events are kept', async () => {
  await addEvents([daysAgo(180), daysAgo(180, 1)], 'pending')
  await run('update webhook_endpoints set disabled_at = $1', [daysAgo(200)])

  await purgeEvents(db, NOW, { retention })

  expect([await count('events'), await count('webhook_deliveries')]).toEqual([1, 1])
  expect(await count('webhook_attempts')).toBe(1)
})

test.each([
  ['is open', { status: 'pending' as const, approvedAt: null }],
  ['is asked about', { checkAt: NOW.toISOString() }],
])('what is known of a payment that %s stays', async (_, more) => {
  const providerReference = `sbx_${newId()}`
  const id = await addPaid({ ...more, providerReference })
  await addStep(daysAgo(900), id)
  await addCharge(daysAgo(900), providerReference)

  await purgeSteps(db, NOW, { retention })
  await purgeSandboxCharges(db, NOW, { retention })

  expect([await count('transaction_steps'), await count('sandbox_charges')]).toEqual([1, 1])
})

test('the steps of a payment stay while its refund is under way', async () => {
  const id = await addPaid()
  await addStep(daysAgo(900), id)
  await run(
    `insert into refunds (id, company_id, transaction_id, amount_cents, status)
    values ($1, $2, $3, 100, 'pending')`,
    [newId(), merchant.companyId, id],
  )

  await purgeSteps(db, NOW, { retention })

  expect(await count('transaction_steps')).toBe(1)
})

test('much is worked off batch by batch, past what stays', async () => {
  const staying = Array.from({ length: PURGE_BATCH_SIZE }, () => daysAgo(900))
  await addEvents(staying, 'pending')
  await addEvents(Array.from({ length: PURGE_BATCH_SIZE + 1 }, () => daysAgo(800)))
  const left: number[] = []
  const kinds: string[] = []

  for (let after: string | undefined; kinds.at(-1) !== 'done'; ) {
    const purged = await purgeEvents(db, NOW, { retention, after })
    after = purged.kind === 'more' ? purged.after : undefined
    kinds.push(purged.kind)
    left.push((await count('events')) - staying.length)
  }

  expect(left).toEqual([PURGE_BATCH_SIZE + 1, 1, 0])
  expect(kinds).toEqual(['more', 'more', 'done'])
})

test('several processes may purge at once', async () => {
  await addEvents(
    Array.from({ length: 2 * PURGE_BATCH_SIZE }, () => daysAgo(200)),
    'delivered',
  )

  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3].map(() => purgeEvents(db, NOW, { retention })))
  }

  expect(await count('events')).toBe(0)
})

test('one kind goes after the other, and one that fails holds up no other', async () => {
  const asked: string[] = []
  const warnings: string[] = []
  const through = Promise.withResolvers<void>()
  const batches = ['more', 'more', 'done'] as const
  let nth = 0
  const stop = startPurge(
    {
      db,
      log: { warn: (_: unknown, text?: string) => warnings.push(text ?? '') },
      now: () => NOW,
      retention,
    },
    {
      broken: async () => {
        asked.push('broken')
        throw new Error('no such table')
      },
      many: async (_db, _now, { after }) => {
        asked.push(`many after ${after}`)
        const kind = batches[nth++] ?? 'done'
        return kind === 'more' ? { kind, after: `${nth}` } : { kind }
      },
      last: async (_db, now) => {
        asked.push(`last at ${now.toISOString()}`)
        through.resolve()
        return { kind: 'done' }
      },
    },
  )

  await through.promise
  await stop()

  expect(asked).toEqual([
    'broken',
    'many after undefined',
    'many after 1',
    'many after 2',
    `last at ${NOW.toISOString()}`,
  ])
  expect(warnings).toEqual(['old broken cannot be purged for now'])
})

test('stopping the purge takes one batch at most', async () => {
  let batches = 0
  const first = Promise.withResolvers<void>()
  const endless: PurgeBatch = async () => {
    batches++
    first.resolve()
    return { kind: 'more' }
  }
  const log = { warn() {} }
  const stop = startPurge({ db, log, now: () => NOW, retention }, { endless })

  await first.promise
  await stop()

  expect(batches).toBe(1)
})

test.each<[string, PurgeBatch]>([
  ['events', purgeEvents],
  ['transaction_steps', purgeSteps],
  ['sandbox_charges', purgeSandboxCharges],
  ['audit_entries', purgeAuditEntries],
  ['abuse_reports', purgeAbuseReports],
  ['mails', purgeMails],
  ['idempotency_keys', purgeIdempotencyKeys],
  ['card_attempts', purgeCardAttempts],
  ['failed_calls', purgeFailedCalls],
])('what is old of %s is found by an index', async (table, purge) => {
  const plans = await explainStatements(db, new RegExp(`delete from "?${table}`, 'i'), () =>
    purge(db, NOW, { retention }),
  )

  const nodes = plans.flatMap(listPlanNodes)
  expect(plans).toHaveLength(1)
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  expect(nodes.some((node) => node['Index Name'] !== undefined)).toBe(true)
})

function openAgedRows(db: Database, companyId: string) {
  const run = (text: string, values: unknown[] = []) => db.$client.query(text, values)

  /** One at each of these instants, with a delivery where one is told. */
  async function addEvents(ats: Date[], delivery?: 'pending' | 'delivered') {
    const endpointId = newId()
    await run(
      `insert into webhook_endpoints (id, company_id, url, events, secret)
      values ($1, $2, 'https://loja.example/hook', '{transaction.approved}', 'x')`,
      [endpointId, companyId],
    )
    const ids = ats.map((at) => v7({ msecs: at.getTime() }))
    await run(
      `insert into events (id, company_id, type, body, created_at)
      select id, $3, 'transaction.approved', '{}', at from unnest($1::uuid[], $2::timestamptz[]) row (id, at)`,
      [ids, ats, companyId],
    )
    if (!delivery) return ids
    await run(
      `insert into webhook_deliveries (id, event_id, endpoint_id, status, due_at)
      select gen_random_uuid(), event_id, $2, $3, case when $3 = 'pending' then now() end
      from unnest($1::uuid[]) event_id`,
      [ids, endpointId, delivery],
    )
    await run(
      `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, outcome)
      select id, 1, now(), 1, 'delivered' from webhook_deliveries where event_id = any($1)`,
      [ids],
    )
    return ids
  }

  async function addStep(at: Date, transactionId: string) {
    const id = v7({ msecs: at.getTime() })
    await run(
      `insert into transaction_steps (id, transaction_id, kind, details, created_at)
      values ($1, $2, 'notified', '{}', $3)`,
      [id, transactionId, at],
    )
    return id
  }

  async function addCharge(at: Date, reference = `sbx_${newId()}`) {
    await run(
      `insert into sandbox_charges (reference, scenario, status, amount_cents, created_at)
      values ($1, 'ok', 'approved', 1000, $2)`,
      [reference, at],
    )
    await run(
      `insert into sandbox_refunds (reference, charge_reference, amount_cents) values ($1, $2, 100)`,
      [newId(), reference],
    )
    return reference
  }

  async function addAuditEntry(at: Date) {
    await run(
      `insert into audit_entries (id, company_id, actor, action, details, created_at)
      values ($1, $2, 'ana', 'sign_in', '{}', $3)`,
      [v7({ msecs: at.getTime() }), companyId, at],
    )
  }

  async function addReport(at: Date, linkId: string) {
    await run(
      'insert into abuse_reports (id, payment_link_id, reason, created_at) values ($1, $2, $3, $4)',
      [v7({ msecs: at.getTime() }), linkId, 'fraud', at],
    )
  }

  return { addEvents, addStep, addCharge, addAuditEntry, addReport }
}
