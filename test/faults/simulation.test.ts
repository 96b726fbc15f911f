// Two thousand payments at a bank that fails in every way it can: codes paid in parts, twice, too late or
// with too much, money that the bank gives back on its own, news told often and out of order, answers that are
// lost, refunds by API. In the end our book says of every Pix what the bank's does. `SIMULATION_SEED` plays
// the same payments again.
import { expect, test } from 'vitest'
import { checkRefund } from '../../src/transactions/refunds/execute.ts'
import { listPixAtBank } from '../support/processes/consistency-checks.ts'
import { openSimulation, PRICE_CENTS, playAll } from '../support/simulation.ts'
import { openTestApp } from '../support/test-app.ts'

const PAYMENTS = 2_000
const AT_A_TIME = 8
const seed = Number(process.env.SIMULATION_SEED ?? Math.floor(Math.random() * 1e9))

const testApp = await openTestApp()
const { db, bank, needs, play, check, settleBank, listPending } = await openSimulation(testApp)

test(`after ${PAYMENTS} payments our book is the bank's (SIMULATION_SEED=${seed})`, async () => {
  process.stdout.write(`SIMULATION_SEED=${seed}\n`)

  const ids = await playAll(PAYMENTS, AT_A_TIME, (i) => play(seed + i * 7_919))
  await settle()
  await playAll(ids.length, AT_A_TIME, (i) => check(ids[i]!))

  const { rows: booked } = await db.$client.query(BOOKED_SQL)
  expect(booked).toEqual(listPixAtBank({ bank }))
  for (const statement of NOTHING_SQL) {
    const { rows } = await db.$client.query(statement, [PRICE_CENTS])
    expect(rows, statement).toEqual([])
  }
  // All that can come of a sale did.
  const statuses = ['approved', 'canceled', 'partially_refunded', 'pending', 'refunded']
  expect(await listStatuses()).toEqual(expect.arrayContaining(statuses))
}, 300_000)

/** Everybody is asked until nothing is left to ask. */
async function settle() {
  settleBank()
  for (let pending = await listPending(); pending.length > 0; pending = await listPending()) {
    await playAll(pending.length, AT_A_TIME, (i) => checkRefund(needs, pending[i]!))
  }
}

async function listStatuses() {
  const { rows } = await db.$client.query('select distinct status from transactions')
  return rows.map(({ status }) => status)
}

const BOOKED_SQL = `
select end_to_end_id as id, incoming.amount_cents as cents, incoming.refunded_cents as refunded,
  coalesce(sum(refund.amount_cents), 0)::int as "byRows"
from incoming_payments incoming
left join refunds refund on refund.incoming_payment_id = incoming.id and refund.status = 'succeeded'
group by incoming.id order by 1`

const KEPT = 'amount_cents - surplus_cents - greatest(refunded_cents - surplus_cents, 0)'
const TOTALS = `select payment.*, brought, kept, surplus, gone, pix from transactions payment
  join lateral (
    select sum(amount_cents - surplus_cents)::int as brought, sum(${KEPT})::int as kept,
      count(*) filter (where surplus_cents > 0)::int as surplus,
      sum(amount_cents - refunded_cents)::int as gone, count(*)::int as pix
    from incoming_payments where transaction_id = payment.id
  ) sums on pix > 0`
const countEvents = (type: string) => `(select count(*)::int from events
  where type = '${type}' and body::jsonb #>> '{data,transaction,id}' = told.id::text)`

/** What there must be none of; $1 is the price. */
const NOTHING_SQL = [
  // A sale is approved when, and only when, it was paid.
  `select id from (${TOTALS}) told where approved_at is not null and brought < $1`,
  `select id from (${TOTALS}) told where approved_at is null and (kept >= $1 or surplus > 0)`,
  `select id from transactions told where approved_at is not null and $1 > 0
    and not exists (select from incoming_payments where transaction_id = told.id)`,
  // What has gone back of the sale is what its Pix say.
  `select id from (${TOTALS}) told where approved_at is not null
    and refunded_cents <> greatest($1 - kept, 0)`,
  `select id from (${TOTALS}) told where approved_at is not null and status <> case
    when refunded_cents = 0 then 'approved' when refunded_cents = $1 then 'refunded'
    else 'partially_refunded' end`,
  `select id from (${TOTALS}) told where approved_at is null and $1 > 0
    and (status = 'canceled') <> (gone = 0)`,
  // Each event once.
  `select id from transactions told where $1 > 0
    and ${countEvents('transaction.approved')} <> (approved_at is not null)::int`,
  `select id from (${TOTALS}) told where approved_at is not null and $1 > 0
    and ${countEvents('transaction.overpaid')} <> surplus`,
]
