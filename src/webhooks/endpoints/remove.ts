import type { Database, Transaction } from '../../database/connect.ts'
import { eq, inArray } from '../../database/drizzle.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../database/tables.ts'
import { buildEndpointCondition, setEndpointDisabled } from './endpoint.ts'

const REMOVAL_BATCH_SIZE = 1_000

/** Removes the endpoint with its deliveries; events stay. Returns false when there is no such endpoint. */
export async function removeEndpoint(
  db: Database,
  companyId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  // It is disabled first, so that it gets no more deliveries. It is locked, and payments wait, only for the last batch.
  if (!(await setEndpointDisabled(db, companyId, id, now))) return false
  while ((await db.transaction((tx) => removeDeliveryBatch(tx, id))) === REMOVAL_BATCH_SIZE) {}
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(buildEndpointCondition(companyId, id))
      .for('update')
    await removeDeliveryBatch(tx, id)
    await tx.delete(webhookEndpoints).where(buildEndpointCondition(companyId, id))
    return locked.length > 0
  })
}

/** Locks before deleting: an attempt that ends meanwhile waits, and then finds no row to record. */
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
