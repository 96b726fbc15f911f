// The secret of an endpoint is kept sealed. The API shows it once, to whoever made or rotated it.

import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import type { Seal } from '../../database/encryption.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { newWebhookSecret } from '../signature.ts'
import { webhookTexts } from '../texts.ts'
import { theEndpoint } from './endpoint.ts'
import { DEFAULT_OVERLAP_HOURS } from './schema.ts'

type RotationOrder = {
  companyId: string
  id: string
  /** Of the request that asks for it, also when it is repeated: see below. */
  now: Date
  overlapHours?: number
}

/** The new secret, shown once; the one before signs too while they overlap. Null: not found. */
export async function rotateSecret(
  db: Database,
  seal: Seal,
  { companyId, id, now, overlapHours = DEFAULT_OVERLAP_HOURS }: RotationOrder,
) {
  const secret = newWebhookSecret()
  const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString()
  const { previousSecret, previousSecretUntil } = webhookEndpoints
  // A rotation that is already there was this very one, whose answer was lost: nobody saw its secret,
  // and the one that the receiver knows must not give way to it.
  const before = sql`case when ${previousSecretUntil} = ${until}::timestamptz then ${previousSecret} else ${webhookEndpoints.secret} end`
  const rotated = await db
    .update(webhookEndpoints)
    .set({ secret: seal.close(secret), previousSecret: before, previousSecretUntil: until })
    .where(theEndpoint(companyId, id))
    .returning({ id: webhookEndpoints.id })
  return rotated.length > 0 ? secret : null
}

/** For owners alone. Throws 404, or 409 where today's SECRET_KEY is not the one that sealed it. */
export async function revealSecret(db: Database, seal: Seal, companyId: string, id: string) {
  const [endpoint] = await db
    .select({ secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .where(theEndpoint(companyId, id))
  if (!endpoint) throw notFound(webhookTexts.endpointNotFound)
  try {
    return seal.open(endpoint.secret)
  } catch {
    throw new AppError(409, 'secret_unreadable', webhookTexts.secretUnreadable)
  }
}
