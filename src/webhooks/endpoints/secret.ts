// The secret of an endpoint is kept encrypted. The API shows it once, to whoever made or rotated it.

import type { Database } from '../../database/connect.ts'
import { and, eq, sql } from '../../database/drizzle.ts'
import { HOUR_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { newWebhookSecret } from '../signature.ts'
import { webhookTexts } from '../texts.ts'
import { buildEndpointCondition } from './endpoint.ts'
import { DEFAULT_OVERLAP_HOURS } from './schema.ts'

const NO_SECRET = Buffer.alloc(0)

type RotateSecretInput = {
  companyId: string
  id: string
  /** Of the request that asks for it, also when it is repeated: see below. */
  now: Date
  overlapHours?: number
}

/** The new secret is shown once; the one before signs too while they overlap. */
export async function rotateSecret(
  db: Database,
  cipher: Cipher,
  { companyId, id, now, overlapHours = DEFAULT_OVERLAP_HOURS }: RotateSecretInput,
): Promise<{ kind: 'rotated'; secret: string } | { kind: 'notFound' }> {
  const secret = newWebhookSecret()
  const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString()
  const { previousSecret, previousSecretUntil } = webhookEndpoints
  const sealed = cipher.encrypt(secret, 'webhook_endpoints.secret', id)
  // A rotation that is already there was this very one, whose answer was lost: nobody saw its secret,
  // and the one that the receiver knows must not give way to it.
  const before = sql`case when ${previousSecretUntil} = ${until}::timestamptz then ${previousSecret} else ${webhookEndpoints.secret} end`
  const rotated = await db
    .update(webhookEndpoints)
    .set({ secret: sealed, previousSecret: before, previousSecretUntil: until })
    .where(buildEndpointCondition(companyId, id))
    .returning({ id: webhookEndpoints.id })
  return rotated.length > 0 ? { kind: 'rotated', secret } : { kind: 'notFound' }
}

/** Gives a secret to every endpoint that a migration copied: nobody has seen one, and it is disabled. */
export async function completeEndpoints(db: Database, cipher: Cipher) {
  const condition = eq(webhookEndpoints.secret, NO_SECRET)
  const copied = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(condition)
  for (const { id } of copied) {
    await db
      .update(webhookEndpoints)
      .set({ secret: cipher.encrypt(newWebhookSecret(), 'webhook_endpoints.secret', id) })
      .where(and(eq(webhookEndpoints.id, id), condition))
  }
}

/** For owners alone. Throws 404, or 409 where today's SECRET_KEY is not the one that encrypted it. */
export async function revealSecret(db: Database, cipher: Cipher, companyId: string, id: string) {
  const [endpoint] = await db
    .select({ secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .where(buildEndpointCondition(companyId, id))
  if (!endpoint) throw notFoundError(webhookTexts.endpointNotFound)
  try {
    return cipher.decrypt(endpoint.secret, 'webhook_endpoints.secret', id)
  } catch {
    throw new AppError(409, 'secret_unreadable', webhookTexts.secretUnreadable)
  }
}
