// An endpoint gone, with all that is known of its deliveries.

import type { Database, Transaction } from '../../database/connect.ts'
import { eq, inArray } from '../../database/drizzle.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../database/tables.ts'
import { buildEndpointCondition, disableEndpoint, type NotFound } from './endpoint.ts'

const REMOVAL_BATCH_SIZE = 1_000

/** Removes the endpoint and all that is known of its deliveries; events stay. */
export async function removeEndpoint(
  db: Database,
  companyId: string,
  id: string,
  now: Date,
): Promise<{ kind: 'removed' } | NotFound> {
  // Disabled it is sent nothing more while its history goes; it is locked, and payments wait, for the last batch alone.
  const disabled = await disableEndpoint(db, companyId, id, now)
  if (disabled.kind === 'notFound') return disabled
  while ((await db.transaction((tx) => removeDeliveryBatch(tx, id))) === REMOVAL_BATCH_SIZE) {}
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(buildEndpointCondition(companyId, id))
      .for('update')
    await removeDeliveryBatch(tx, id)
    await tx.delete(webhookEndpoints).where(buildEndpointCondition(companyId, id))
    return { kind: locked.length > 0 ? 'removed' : 'notFound' }
  })
}

/** Locks before it deletes: an attempt that ends meanwhile waits, and then finds nothing to record. */
async function removeDeliveryBatch(tx: Transaction, endpointId: string) {
  const batch = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .limit(REMOVAL_BATCH_SIZE)
    .for('update')
  const ids = batch.map(({ id }) => id)
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, ids))
  await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, ids))
  return ids.length
}
