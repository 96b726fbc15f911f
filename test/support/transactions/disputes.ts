// Payments at a bank that tells of disputes.
import type { LinkRow } from '../../../src/payment-links/payment-link.ts'
import type { ProviderDispute } from '../../../src/providers/provider.ts'
import type { DisputeRow } from '../../../src/transactions/disputes/schema.ts'
import { openCheckout } from '../payer.ts'
import { openAccountsAtBank } from '../providers/accounts.ts'
import type { TestApp } from '../test-app.ts'

let references = 0

export function openDisputes(testApp: TestApp) {
  const { db } = testApp
  const { read, listEventTypes } = openCheckout(testApp)
  const { bank, paid, waiting } = openAccountsAtBank(testApp)

  /** Of all of it, open, unless told otherwise. */
  function buildDispute(more: Partial<ProviderDispute>): ProviderDispute {
    const at = testApp.clock.now().toISOString()
    return {
      ...{ reference: `med${references++}`, kind: 'med', endToEndId: null, reason: 'MED_FRAUDE' },
      ...{ amountCents: 10_000, status: 'open', openedAt: at, closedAt: null, respondBy: null },
      ...more,
    }
  }

  async function disputesOf(transactionId: string): Promise<DisputeRow[]> {
    return db.query.disputes.findMany({
      where: (dispute, { eq }) => eq(dispute.transactionId, transactionId),
      orderBy: (dispute, { asc }) => asc(dispute.id),
    })
  }

  /** Their bodies, in order. */
  async function eventsOf({ id }: Pick<LinkRow, 'id'>) {
    const { rows } = await db.$client.query(
      `select body::json as body from events
        where body::json #>> '{data,paymentLink,id}' = $1 order by id`,
      [id],
    )
    return rows.map(({ body }) => body)
  }

  return { bank, waiting, paid, buildDispute, disputesOf, eventsOf, read, listEventTypes }
}
