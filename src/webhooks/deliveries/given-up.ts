// Tells a company by e-mail that a delivery was given up.
import type { Transaction } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import type { EventType } from '../../database/enums.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import { type NewMail, type Outbox, queueMail } from '../../mail/outbox.ts'
import type { FinishedAttempt } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

/**
 * Whose endpoint it is. Locked for the rest of the transaction: of what is given up at the same time only
 * the first is told. Before the delivery itself, as whoever removes the endpoint takes them.
 */
export async function lockEndpoint(tx: Transaction, endpointId: string) {
  const [endpoint] = await tx
    .select({ companyId: webhookEndpoints.companyId })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
    .for('no key update')
  return endpoint
}

export async function queueGivenUpMail(
  mail: Outbox,
  tx: Transaction,
  { companyId }: { companyId: string },
  { id, endpointId, attempt, url, body }: ClaimedDelivery,
  { outcome, statusCode, endedAt }: FinishedAttempt,
) {
  // Addresses hold secrets in their query, which mails must not spread.
  const { origin, pathname } = new URL(url)
  const { type, testMode }: { type: EventType; testMode: boolean } = JSON.parse(body)
  const data = {
    deliveryId: id,
    url: origin + pathname,
    eventType: type,
    attempts: attempt,
    outcome,
    statusCode,
    failedAt: endedAt.toISOString(),
    testMode,
  }
  const newMail: NewMail = { template: 'webhook-failed', subjectId: endpointId, data }
  await queueMail(mail, tx, { companyId, now: endedAt }, newMail)
}
