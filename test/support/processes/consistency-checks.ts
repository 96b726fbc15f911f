// What our database says of payments and refunds, held against what the providers say; and a database that
// keeps somebody waiting.
import { expect, onTestFinished } from 'vitest'
import { checkBook } from '../../../src/commands/doctor/integrity.ts'
import type { Database } from '../../../src/database/connect.ts'
import { parseTxid } from '../../../src/transactions/txid.ts'
import type { FakeAcquirer } from '../providers/acquirers.ts'
import type { FakeBank } from '../providers/bank/fake.ts'
import { type BankPix, sumDevolutions } from '../providers/bank/ledger.ts'

export const SOON = { timeout: 15_000 }

type PaymentRow = { id: string; status: string; pix_txid: string; pix_br_code: string | null }
type HeardHook = { headers: Record<string, unknown> }
type FakeProviders = { bank: FakeBank; acquirers: FakeAcquirer[] }

export function openConsistencyChecks(db: Database, providers: FakeProviders) {
  const rowsOf = createRowReader(db)

  /** The one row that a table may have. */
  async function theOnly(table: 'transactions' | 'refunds') {
    const rows = await rowsOf<PaymentRow>(`select * from ${table}`)
    expect(rows).toHaveLength(1)
    return rows[0]!
  }

  async function stepsOf(transactionId: string) {
    const text = 'select kind, details from transaction_steps where transaction_id = $1 order by id'
    const steps = await rowsOf<{ kind: string; details: object }>(text, transactionId)
    return steps.map(({ kind, details }) => ({ kind, ...details }))
  }

  async function makeDue() {
    await db.$client.query(MAKE_DUE_SQL)
  }

  async function isQuiet() {
    return (await rowsOf(DUE_SQL)).length === 0
  }

  /** Nothing changes any more, also after everybody was asked once more. */
  async function becomeStill() {
    for (const _ of ['once', 'once more']) {
      await makeDue()
      await expect.poll(isQuiet, SOON).toBe(true)
    }
  }

  /** These events and no other, each of them heard; and all that was paid is ours and theirs. */
  async function expectPublished({ hits }: { hits: HeardHook[] }, types: string[]) {
    await becomeStill()
    const told = await rowsOf<{ type: string }>('select type from events order by id')
    expect(told.map(({ type }) => type)).toEqual(types)
    await expectSame(hits)
  }

  /** The payments that providers took, ours, those in the book, and those that were told of and heard of are the same. */
  async function expectSame(hits: HeardHook[]) {
    expect(await checkBook(db)).toMatchObject({ status: 'ok' })
    const ours = await readIds(rowsOf, 'select id from transactions where approved_at is not null')
    const heard = hits.map(({ headers }) => String(headers['webhook-id']))

    expect(ours).toEqual(listPaidAtProviders(providers))
    expect(await readIds(rowsOf, PUBLISHED_IDS_SQL)).toEqual(ours)
    expect([...new Set(heard)].sort()).toEqual(await readIds(rowsOf, 'select id from events'))
    expect(await rowsOf(REFUNDED_CENTS_SQL)).toEqual([{ cents: sumRefundedAtProviders(providers) }])
    expect(await rowsOf(INCOMING_SQL)).toEqual(listPixAtBank(providers))
    return ours.length
  }

  const read = { rowsOf, theOnly, stepsOf }
  return { ...read, ...createLocks(db), makeDue, becomeStill, expectPublished, expectSame }
}

/** All that is waited for is due at once, and a card's charge without a trace is given up. */
const MAKE_DUE_SQL = `
update transactions set created_at = created_at - interval '2 minutes' where status = 'processing';
update transactions set check_at = now() where check_at is not null or approved_at is not null;
update refunds set check_at = now() where status = 'pending';
update idempotency_keys set leased_until = now() where leased_until is not null;
update webhook_deliveries set due_at = now(), leased_until = null where status = 'pending'`

const DUE_SQL = `
select from transactions where check_at <= now() or status = 'processing' and hold_reason is null
union all select from refunds where status = 'pending'
union all select from webhook_deliveries where status = 'pending'`

const PUBLISHED_IDS_SQL = `select body::json #>> '{data,transaction,id}' as id from events
where type = 'transaction.approved'`

/** Each with what our own refunds of it come to. */
const INCOMING_SQL = `
select end_to_end_id as id, incoming.amount_cents as cents, incoming.refunded_cents as refunded,
  coalesce(sum(refund.amount_cents), 0)::int as "byRows"
from incoming_payments incoming
left join refunds refund on refund.incoming_payment_id = incoming.id and refund.status = 'succeeded'
where provider = 'pix-api' group by incoming.id order by 1`

const REFUNDED_CENTS_SQL = `select coalesce(sum(amount_cents), 0)::int as cents from refunds
where status = 'succeeded'`

function createRowReader(db: Database) {
  return async <T extends object>(text: string, ...values: unknown[]): Promise<T[]> =>
    (await db.$client.query<T>(text, values)).rows
}

function createLocks(db: Database) {
  /** Holds a lock until the returned function is called. */
  async function hold(lock: string) {
    const holder = await db.$client.connect()
    onTestFinished(() => holder.release(true))
    await holder.query('begin')
    await holder.query(lock)
    return async function release() {
      await holder.query('rollback')
    }
  }

  /** @param what a pattern of the statement that is meant, such as `insert into events` */
  async function somebodyWaits(what = '') {
    // Workers always take turns to claim, by an advisory lock: they are not who is meant.
    const waiting = `select from pg_locks join pg_stat_activity using (pid)
      where not granted and locktype <> 'advisory' and replace(query, '"', '') ~ $1`
    const { rows } = await db.$client.query(waiting, [what])
    return rows.length > 0
  }

  return { hold, somebodyWaits }
}

type ReadRows = ReturnType<typeof createRowReader>

async function readIds(rowsOf: ReadRows, text: string) {
  return (await rowsOf<{ id: string }>(text)).map(({ id }) => id).sort()
}

/** Every Pix in the bank's book, and what has gone back of it without a MED. */
export function listPixAtBank({ bank }: Pick<FakeProviders, 'bank'>) {
  return bank.book.pix
    .map((pix) => {
      const refunded = sumRefunds(pix)
      const cents = Math.round(Number(pix.valor) * 100)
      return { id: pix.endToEndId, cents, refunded, byRows: refunded }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** One of a card stands twice where it was charged twice. */
function listPaidAtProviders({ bank, acquirers }: FakeProviders) {
  return [
    ...new Set(bank.book.pix.map(({ txid }) => parseTxid(txid))),
    ...acquirers.flatMap((acquirer) => acquirer.listPaid()).map(({ id }) => id),
  ].sort()
}

function sumRefundedAtProviders({ bank, acquirers }: FakeProviders) {
  const atBank = bank.book.pix.reduce((sum, pix) => sum + sumRefunds(pix), 0)
  const paid = acquirers.flatMap((acquirer) => acquirer.listPaid())
  return paid.reduce((sum, { refundedCents }) => sum + refundedCents, atBank)
}

/** Without what the payer's bank asked back (MED). */
function sumRefunds(pix: BankPix) {
  const refunds = pix.devolucoes.filter(({ natureza }) => !natureza.startsWith('MED_'))
  return sumDevolutions({ ...pix, devolucoes: refunds })
}
