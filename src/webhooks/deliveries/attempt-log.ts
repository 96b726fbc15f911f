// What became of the webhooks of one payment, attempt by attempt.
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, sql } from '../../database/drizzle.ts'
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  events,
  webhookAttempts,
} from '../../database/tables.ts'
import { TRANSACTION_ID_SQL } from '../events/log.ts'

export type ListedWebhookAttempt = Awaited<ReturnType<typeof listWebhookAttempts>>[number]

/**
 * Up to `limit` attempts, newest first; a delivery that none was made of yet is there with nulls. Where
 * it went is what the attempt kept, or else where the endpoint is now.
 */
export async function listWebhookAttempts(
  db: Database,
  { companyId, transactionId, limit }: { companyId: string; transactionId: string; limit: number },
) {
  return db
    .select({
      deliveryId: deliveries.id,
      status: deliveries.status,
      /** How many there are by now: of the last one hangs whether there will be another. */
      attempts: deliveries.attempts,
      dueAt: deliveries.dueAt,
      createdAt: deliveries.createdAt,
      eventType: events.type,
      url: sql<string>`coalesce(${webhookAttempts.url}, ${endpoints.url})`,
      number: webhookAttempts.number,
      startedAt: webhookAttempts.startedAt,
      durationMs: webhookAttempts.durationMs,
      outcome: webhookAttempts.outcome,
      statusCode: webhookAttempts.statusCode,
    })
    .from(events)
    .innerJoin(deliveries, eq(deliveries.eventId, events.id))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .leftJoin(webhookAttempts, eq(webhookAttempts.deliveryId, deliveries.id))
    .where(and(eq(events.companyId, companyId), sql`${TRANSACTION_ID_SQL} = ${transactionId}`))
    .orderBy(desc(sql`coalesce(${webhookAttempts.startedAt}, ${deliveries.createdAt})`))
    .limit(limit)
}
