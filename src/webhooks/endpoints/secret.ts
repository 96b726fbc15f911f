// The secret of an endpoint, stored encrypted. The API shows it once, when it is created or rotated.

import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { webhookEndpoints } from '../../database/tables.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { newWebhookSecret } from '../signature.ts'
import { webhookTexts } from '../texts.ts'
import { buildEndpointCondition } from './endpoint.ts'
import { DEFAULT_OVERLAP_HOURS } from './schema.ts'

const NO_SECRET = Buffer.alloc(0)
const PLACE = 'webhook_endpoints.secret'
/** Each previous secret makes the signature header longer. */
const MAX_PREVIOUS_SECRETS = 4

type RotateSecretInput = {
  companyId: string
  id: string
  /** The time of the first request, also for a repetition; see keepPreviousSecrets. */
  now: Date
  /** Whether that request may have been carried out before. */
  isRepeated?: boolean
  overlapHours?: number
}

/** Returns the new secret, which is shown once; previous ones also sign until the overlap ends. Throws 404. */
export async function rotateSecret(
  db: Database,
  cipher: Cipher,
  {
    companyId,
    id,
    now,
    isRepeated = false,
    overlapHours = DEFAULT_OVERLAP_HOURS,
  }: RotateSecretInput,
) {
  const secret = newWebhookSecret()
  const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString()
  const encrypted = cipher.encrypt(secret, PLACE, id)
  return db.transaction(async (tx) => {
    const [endpoint] = await tx
      .select()
      .from(webhookEndpoints)
      .where(buildEndpointCondition(companyId, id))
      .for('no key update')
    if (!endpoint) throw notFoundError(webhookTexts.endpointNotFound)
    const previousSecret = keepPreviousSecrets(cipher, endpoint, { until, now, isRepeated })
    await tx
      .update(webhookEndpoints)
      .set({ secret: encrypted, previousSecret, previousSecretUntil: until })
      .where(eq(webhookEndpoints.id, id))
    return secret
  })
}

export function decryptPreviousSecrets(cipher: Cipher, endpointId: string, encrypted: Buffer) {
  return cipher.decrypt(encrypted, PLACE, endpointId).split(' ')
}

/**
 * Keeps several previous secrets: if a second rotation begins during an overlap, the receiver may use any of them,
 * since the answer of the first may have been lost or its secret not be in use yet.
 */
function keepPreviousSecrets(
  cipher: Cipher,
  { id, secret, previousSecret, previousSecretUntil }: typeof webhookEndpoints.$inferSelect,
  { until, now, isRepeated }: { until: string; now: Date; isRepeated: boolean },
) {
  if (!previousSecret || !previousSecretUntil) return secret
  // This rotation was carried out before, and its secret was never seen. Another one may end in the same millisecond.
  if (isRepeated && previousSecretUntil === until) return previousSecret
  if (previousSecretUntil <= now.toISOString()) return secret
  try {
    const kept = decryptPreviousSecrets(cipher, id, previousSecret)
    const current = cipher.decrypt(secret, PLACE, id)
    const all = [...kept.slice(0, MAX_PREVIOUS_SECRETS - 1), current]
    return cipher.encrypt(all.join(' '), PLACE, id)
  } catch {
    // A secret that the current key cannot decrypt signs nothing.
    return secret
  }
}

/** Gives a new secret to endpoints with one that was lost together with SECRET_KEY. */
export async function replaceLostEndpointSecrets(db: Database, cipher: Cipher) {
  const condition = eq(webhookEndpoints.secret, NO_SECRET)
  const lost = await db.select({ id: webhookEndpoints.id }).from(webhookEndpoints).where(condition)
  for (const { id } of lost) {
    await db
      .update(webhookEndpoints)
      .set({ secret: cipher.encrypt(newWebhookSecret(), PLACE, id) })
      .where(and(eq(webhookEndpoints.id, id), condition))
  }
}

/** For owners only. Throws 404, or 409 when the secret was encrypted with another SECRET_KEY. */
export async function revealSecret(db: Database, cipher: Cipher, companyId: string, id: string) {
  const [endpoint] = await db
    .select({ secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .where(buildEndpointCondition(companyId, id))
  if (!endpoint) throw notFoundError(webhookTexts.endpointNotFound)
  try {
    return cipher.decrypt(endpoint.secret, PLACE, id)
  } catch {
    throw new AppError(409, 'secret_unreadable', webhookTexts.secretUnreadable)
  }
}
