// Hundreds of payments at a bank that fails in every way it can: codes paid in parts, twice, too late or
// with too much, money that the bank gives back on its own, news told often and out of order, answers that are
// lost, refunds by API, MEDs. In the end our book says of every Pix and its disputes what the bank's does.
// `SIMULATION_SEED` plays the same payments again.
import { expect, test } from 'vitest'
import { checkBook } from '../../src/commands/doctor/integrity.ts'
import { checkRefund } from '../../src/transactions/refunds/execute.ts'
import { listPixAtBank } from '../support/processes/consistency-checks.ts'
import { listLeftAtBank, listMedsAtBank } from '../support/simulation/disputes.ts'
import { openSimulation, PRICE_CENTS, playAll } from '../support/simulation/simulation.ts'
import { openTestApp } from '../support/test-app.ts'

/** At night 2,000. */
const PAYMENTS = Number(process.env.SIMULATION_PAYMENTS ?? 200)
const AT_A_TIME = 8
const DAY_MS = 24 * 3_600_000
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
  const { rows: disputed } = await db.$client.query(DISPUTES_SQL)
  expect(disputed).toEqual(listMedsAtBank(bank.book))
  const { rows: left } = await db.$client.query(LEFT_SQL)
  const approved = new Set(left.map(({ txid }) => txid))
  const leftAtBank = listLeftAtBank(bank.book).filter(({ txid }) => approved.has(txid))
  expect(left).toEqual(leftAtBank)
  const { rows: moved } = await db.$client.query(MOVED_SQL)
  expect(moved).toEqual(leftAtBank)
  expect(await checkBook(db)).toMatchObject({ status: 'ok' })
  for (const statement of NOTHING_SQL) {
    const { rows } = await db.$client.query(statement, [PRICE_CENTS])
    expect(rows, statement).toEqual([])
  }
  // All that can come of a sale did.
  expect(await listDistinct('transactions')).toEqual(expect.arrayContaining(ALL_STATUSES))
  expect((await listDistinct('disputes')).sort()).toEqual(['lost', 'open', 'won'])
}, 600_000)

/** Everybody is asked until nothing is left to ask: of what the bank shows nothing of, for a day. */
async function settle() {
  settleBank()
  for (let pending = await listPending(); pending.length > 0; pending = await listPending()) {
    await playAll(pending.length, AT_A_TIME, (i) => checkRefund(needs, pending[i]!))
    testApp.clock.offsetMs += DAY_MS
  }
  testApp.clock.offsetMs = 0
}

async function listDistinct(table: 'transactions' | 'disputes') {
  const { rows } = await db.$client.query(`select distinct status from ${table}`)
  return rows.map(({ status }) => status)
}

const ALL_STATUSES = 'approved canceled charged_back partially_refunded pending refunded'.split(' ')

const BOOKED_SQL = `
select end_to_end_id as id, incoming.amount_cents as cents, incoming.refunded_cents as refunded,
  coalesce(sum(refund.amount_cents), 0)::int as "byRows"
from incoming_payments incoming
left join refunds refund on refund.incoming_payment_id = incoming.id and refund.status = 'succeeded'
group by incoming.id order by 1`

const DISPUTES_SQL = `
select provider_reference as id, end_to_end_id as pix, reason, dispute.status,
  dispute.amount_cents as cents
from disputes dispute left join incoming_payments incoming on incoming.id = incoming_payment_id
order by 1`

/** What the company still has of each sale, and of what was too much of it. */
const LEFT_SQL = `
select pix_txid as txid, total_cents - payment.refunded_cents - charged_back_cents
  + sum(greatest(0, surplus_cents - incoming.refunded_cents - lost))::int as cents
from transactions payment
join incoming_payments incoming on incoming.transaction_id = payment.id
cross join lateral (select coalesce(sum(amount_cents), 0) as lost from disputes
  where incoming_payment_id = incoming.id and status = 'lost') disputed
where approved_at is not null group by payment.id order by 1`

/** The same by the book of money. */
const MOVED_SQL = `
select pix_txid as txid, sum(cents)::int as cents
from movements join transactions payment on payment.id = transaction_id
group by payment.id order by 1`

const LOST = `(select coalesce(sum(amount_cents), 0) from disputes
  where incoming_payment_id = incoming.id and status = 'lost')`
/** Of the sale. Refunds and disputes take the surplus first, in the order in which they came. */
const KEPT = `amount_cents - surplus_cents - greatest(refunded_cents + ${LOST} - surplus_cents, 0)`
const UNREFUNDED = 'amount_cents - surplus_cents - greatest(refunded_cents - surplus_cents, 0)'
const TOTALS = `select payment.*, brought, kept, unrefunded, surplus, left_of_it, pix from transactions payment
  join lateral (
    select sum(amount_cents - surplus_cents)::int as brought, sum(${KEPT})::int as kept,
      sum(${UNREFUNDED})::int as unrefunded,
      count(*) filter (where surplus_cents > 0)::int as surplus,
      sum(amount_cents - refunded_cents)::int - (select coalesce(sum(amount_cents), 0) from disputes
        where transaction_id = payment.id and status = 'lost') as left_of_it, count(*)::int as pix
    from incoming_payments incoming where transaction_id = payment.id
  ) sums on pix > 0`

/** What was lost before the sale was paid is no part of it, and is not told to be too much. */
const NOTHING_LOST_BEFORE = `payment.id::text not in (select about from (
  select body::jsonb #>> '{data,transaction,id}' as about,
    min(id::text) filter (where type = 'dispute.closed') as closed,
    min(id::text) filter (where type = 'transaction.approved') as approved
  from events group by 1
) told where closed < approved)`

/** Of whom an event was not told so many times; each event is read once. */
const buildMistoldSql = (type: string, from: string, times: string, about = 'transaction') => `
  select id from (${from}) told left join (
    select body::jsonb #>> '{data,${about},id}' as about, count(*)::int as count
    from events where type = '${type}' group by 1
  ) counted on about = told.id::text
  where $1 > 0 and coalesce(count, 0) <> ${times}`

/** What there must be none of; $1 is the price. */
const NOTHING_SQL = [
  // A sale is approved when, and only when, it was paid.
  `select id from (${TOTALS}) told where approved_at is not null and brought < $1`,
  `select id from (${TOTALS}) told where approved_at is null and (left_of_it >= $1 or surplus > 0)`,
  `select id from transactions told where approved_at is not null and $1 > 0
    and not exists (select from incoming_payments where transaction_id = told.id)`,
  // What has gone back of the sale is what its Pix say.
  `select id from (${TOTALS}) told where approved_at is not null
    and (refunded_cents + charged_back_cents <> greatest($1 - kept, 0)
      or refunded_cents < greatest($1 - unrefunded, 0))`,
  `select id from (${TOTALS}) told where approved_at is not null and status <> case
    when charged_back_cents > 0 and charged_back_cents >= $1 - refunded_cents then 'charged_back'
    when refunded_cents = 0 then 'approved' when refunded_cents = $1 then 'refunded'
    else 'partially_refunded' end`,
  `select id from (${TOTALS}) told where approved_at is null and $1 > 0
    and (status = 'canceled') <> (left_of_it = 0)`,
  // Each event once; also those of a dispute that was over when we heard of it.
  buildMistoldSql('transaction.approved', 'table transactions', '(approved_at is not null)::int'),
  buildMistoldSql('transaction.overpaid', `${TOTALS} where ${NOTHING_LOST_BEFORE}`, 'surplus'),
  buildMistoldSql(
    'transaction.charged_back',
    'table transactions',
    "(status = 'charged_back')::int",
  ),
  buildMistoldSql('dispute.opened', 'table disputes', '1', 'dispute'),
  buildMistoldSql('dispute.closed', 'table disputes', "(status <> 'open')::int", 'dispute'),
]
