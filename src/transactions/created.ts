// `transaction.created`: for who has to name a payment, a Pix by its txid, before it is paid. Most payments come to
// nothing, so that none is told of, or written down, unless an endpoint of the company asks for it.

import type { Transaction } from '../database/connect.ts'
import { and, inArray, sql } from '../database/drizzle.ts'
import { webhookEndpoints } from '../database/tables.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { toTransactionEventData } from './serialize.ts'
import type { TransactionRow } from './transaction.ts'

const TYPE = 'transaction.created'

type CreatedPayment = { row: TransactionRow; link: LinkRow; checkoutUrl: string }

/** In the transaction that writes the payments. */
export async function publishCreated(tx: Transaction, created: CreatedPayment[]) {
  const asking = await listAskingCompanies(tx, created)
  for (const { row, link, checkoutUrl } of created) {
    const { companyId, testMode } = row
    if (!asking.has(companyId)) continue
    const data = toTransactionEventData(row, link, checkoutUrl)
    const now = new Date(row.createdAt)
    await recordEvent(tx, { companyId, type: TYPE, testMode, data, now })
  }
}

async function listAskingCompanies(tx: Transaction, created: CreatedPayment[]) {
  if (created.length === 0) return new Set()
  const companyIds = [...new Set(created.map(({ row }) => row.companyId))]
  const { companyId, events } = webhookEndpoints
  const rows = await tx
    .selectDistinct({ companyId })
    .from(webhookEndpoints)
    .where(and(inArray(companyId, companyIds), sql`${TYPE} = any(${events})`))
  return new Set(rows.map((row) => row.companyId))
}
