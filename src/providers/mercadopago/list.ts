// Lists the charges that changed at Mercado Pago since an instant, Pix and cards alike: paid, refunded or disputed.
// Orders can be searched by their creation only, so the payments behind them are, by their last change
// (https://www.mercadopago.com.br/developers/en/reference/payments/_payments_search/get).
import { z } from 'zod'
import { DAY_MS, SECOND_MS } from '../../database/instant.ts'
import { toRecord } from '../../http/fields.ts'
import type { JsonClient } from '../json-client.ts'
import type { ListedCharge, ListWindow, PixListing } from '../received.ts'
import { computeKeptCents } from './payout.ts'
import { ChangedPayment } from './schema.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 100
/** A payment may be listed some seconds after its change. */
const LAG_MS = 30 * SECOND_MS

const ChangedPayments = z.object({
  results: z.array(z.unknown()).max(PAGE_SIZE),
  paging: z.object({ total: z.number() }).nullish().catch(null),
})

const STATUSES = new Map<string, ListedCharge['status']>([
  ['approved', 'paid'],
  ['refunded', 'paid'],
  ['charged_back', 'disputed'],
  ['in_mediation', 'disputed'],
  ['cancelled', 'unpaid'],
  ['rejected', 'unpaid'],
])

export async function listMercadoPagoCharges(
  client: JsonClient,
  { from }: ListWindow,
  now: Date,
): Promise<PixListing> {
  const period = {
    range: 'date_last_updated',
    begin_date: from,
    // A payment that changes meanwhile comes first then, and moves no other to a page that was read.
    end_date: new Date(now.getTime() + DAY_MS).toISOString(),
    ...{ sort: 'date_last_updated', criteria: 'desc', limit: String(PAGE_SIZE) },
  }
  const charges: ListedCharge[] = []
  for (let offset = 0, isLast = false; !isLast; ) {
    if (offset >= MAX_PAGES * PAGE_SIZE)
      throw new Error('Mercado Pago lists more than is read at once')
    const query = { ...period, offset: String(offset) }
    const { status, body } = await client.get('/v1/payments/search', query)
    if (status !== 200) throw new Error(`Mercado Pago could not list its payments: ${status}`)
    const { results, paging } = ChangedPayments.parse(body)
    charges.push(...results.flatMap(toListedCharge))
    // Pages may be smaller than asked for.
    offset += results.length
    isLast = results.length === 0 || (results.length < PAGE_SIZE && offset >= (paging?.total ?? 0))
  }
  return { pix: [], charges, until: new Date(now.getTime() - LAG_MS).toISOString() }
}

/** A payment without our id is not ours. */
function toListedCharge(result: unknown): ListedCharge[] {
  const { external_reference: id } = toRecord(result)
  if (typeof id !== 'string') return []
  const payment = ChangedPayment.safeParse(result).data
  if (!payment) return [{ transactionId: id, status: 'unreadable', refundedCents: 0 }]
  const status = STATUSES.get(payment.status)
  if (!status) return []
  const refundedCents = payment.transaction_amount_refunded ?? 0
  const whole = payment.status === 'refunded' ? payment.transaction_amount : 0
  const feeCents = refundedCents === 0 ? computeKeptCents(payment) : undefined
  const more = { refundedCents: Math.max(refundedCents, whole), feeCents }
  return [{ transactionId: id, status, ...more }]
}
