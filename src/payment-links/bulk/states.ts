// Locks many links in one order, and writes their states in one statement.

import type { Transaction } from '../../database/connect.ts'
import { asc, inArray, sql } from '../../database/drizzle.ts'
import { type BulkLinkState, paymentLinks } from '../../database/tables.ts'
import { emitPassedExpiries } from '../events.ts'
import type { LinkRow } from '../payment-link.ts'

/** Locks links for a change, in the order of their ids, so that two bulk changes cannot deadlock; payments continue. */
export async function lockLinks(tx: Transaction, ids: string[], now: Date): Promise<LinkRow[]> {
  if (ids.length === 0) return []
  const links = await tx
    .select()
    .from(paymentLinks)
    .where(inArray(paymentLinks.id, ids))
    .orderBy(asc(paymentLinks.id))
    .for('no key update')
  await emitPassedExpiries(tx, ids, now)
  return links
}

type LinkState = BulkLinkState & { id: string }

export async function setLinkStates(tx: Transaction, states: LinkState[], now: Date) {
  if (states.length === 0) return
  await tx.execute(sql`
    update payment_links link
    set status = state.status, updated_at = ${now.toISOString()}::timestamptz,
      completed_from = case when state.status = 'archived' and link.status in ('active', 'inactive')
        then link.status else link.completed_from end,
      tags = array(select jsonb_array_elements_text(state.tags))
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as state (id uuid, status text, tags jsonb)
    where link.id = state.id`)
}
