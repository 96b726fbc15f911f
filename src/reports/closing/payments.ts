// The payments of a month, one row each: those that were approved in it, and then those from before of which
// something went back in it. Read a page at a time, so that a month of any size fits.

import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { PaymentMethod } from '../../database/enums.ts'
import { MIN_UUID } from '../../database/id.ts'
import { getMonthDays, getMonthInstants } from './month.ts'

export type ClosingPayment = {
  id: string
  approvedAt: string
  payerName: string
  payerTaxId: string | null
  linkTitle: string
  externalReference: string | null
  tags: string[]
  method: PaymentMethod
  installments: number
  /** Of this month alone, like all that follows; nothing where it was approved before. */
  grossCents: number
  refundedCents: number
  lostCents: number
  feeCents: number | null
  netCents: number | null
  expectedOn: string | null
  endToEndId: string | null
  providerReference: string | null
}

const PAYMENTS_PER_PAGE = 500

export async function* streamClosingPayments(
  db: Database,
  companyId: string,
  month: string,
): AsyncGenerator<ClosingPayment[]> {
  yield* streamPart(db, month, {
    begin: { approvedAt: '-infinity', id: MIN_UUID },
    selectIds: (after) => selectApproved(companyId, month, after),
    order: sql`payment.approved_at, payment.id`,
    isApproved: true,
  })
  yield* streamPart(db, month, {
    begin: { approvedAt: '-infinity', id: MIN_UUID },
    selectIds: (after) => selectReturned(companyId, month, after),
    order: sql`payment.id`,
    isApproved: false,
  })
}

type Place = { approvedAt: string; id: string }

type Part = {
  begin: Place
  selectIds: (after: Place) => SQL
  order: SQL
  /** In this month. */
  isApproved: boolean
}

async function* streamPart(db: Database, month: string, { begin, ...part }: Part) {
  let after: Place | undefined = begin
  while (after) {
    const rows: PaymentRow[] = await readPage(db, month, part, after)
    if (rows.length > 0) yield rows.map(({ place: _, ...row }) => toClosingPayment(row, part))
    const last = rows.length < PAYMENTS_PER_PAGE ? undefined : rows.at(-1)
    after = last && { approvedAt: last.place, id: last.id }
  }
}

type PaymentRow = Omit<ClosingPayment, 'approvedAt' | 'netCents'> & {
  approvedMs: number
  /** To the microsecond. */
  place: string
}

async function readPage(
  db: Database,
  month: string,
  { selectIds, order }: Omit<Part, 'begin'>,
  after: Place,
) {
  const { from, to } = getMonthDays(month)
  const { rows } = await db.execute<PaymentRow>(sql`
    select payment.id, (extract(epoch from payment.approved_at) * 1000)::float8 as "approvedMs",
      payment.approved_at::text as place, payer_name as "payerName", payer_tax_id as "payerTaxId",
      coalesce(payment.link_title, link.title) as "linkTitle",
      payment.external_reference as "externalReference", payment.tags,
      payment.method, payment.installments, total_cents as "grossCents", returned.refunded as "refundedCents",
      returned.lost as "lostCents", fee_cents as "feeCents", case when payout_parts = 1 then expected_on::text end as "expectedOn",
      pix_end_to_end_id as "endToEndId",
      provider_reference as "providerReference"
    from (${selectIds(after)}) page
    join transactions payment on payment.id = page.id
    join payment_links link on link.id = payment.payment_link_id
    cross join lateral (
      select coalesce(sum(refunded_cents), 0)::float8 as refunded, coalesce(sum(lost_cents), 0)::float8 as lost
      from payment_returns
      where transaction_id = payment.id and day >= ${from} and day < ${to}
    ) returned
    order by ${order}`)
  return rows
}

function selectApproved(companyId: string, month: string, after: Place) {
  const { from, to } = getMonthInstants(month)
  return sql`
    select id from transactions
    where company_id = ${companyId} and approved_at >= ${from} and approved_at < ${to}
      and approved_at >= ${after.approvedAt}::timestamptz
      and (approved_at, id) > (${after.approvedAt}::timestamptz, ${after.id}::uuid)
    order by approved_at, id limit ${PAYMENTS_PER_PAGE}`
}

function selectReturned(companyId: string, month: string, after: Place) {
  const [days, instants] = [getMonthDays(month), getMonthInstants(month)]
  return sql`
    select moved.transaction_id as id
    from payment_returns moved join transactions earlier on earlier.id = moved.transaction_id
    where moved.company_id = ${companyId} and moved.day >= ${days.from} and moved.day < ${days.to}
      and moved.transaction_id > ${after.id}::uuid
      and not (earlier.approved_at >= ${instants.from} and earlier.approved_at < ${instants.to})
    group by moved.transaction_id
    order by moved.transaction_id limit ${PAYMENTS_PER_PAGE}`
}

function toClosingPayment(
  { approvedMs, ...row }: Omit<PaymentRow, 'place'>,
  { isApproved }: Pick<Part, 'isApproved'>,
): ClosingPayment {
  const approvedAt = new Date(approvedMs).toISOString()
  const grossCents = isApproved ? row.grossCents : 0
  const feeCents = isApproved ? row.feeCents : 0
  const kept = grossCents - row.refundedCents - row.lostCents
  const netCents = feeCents === null ? null : kept - feeCents
  return { ...row, approvedAt, grossCents, feeCents, netCents }
}
