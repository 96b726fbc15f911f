// The secret of an endpoint, stored encrypted. The API shows it once, when it is created or rotated.

import type { Database } from '../../database/connect.ts'
import { and, eq } from '../../database/drizzle.ts'
import { HOUR_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
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
  /** The time of the request, the same when it is repeated: see below. */
  now: Date
  /** Whether that request may have been carried out before. */
  isRepeated?: boolean
  overlapHours?: number
}

/** Answers the new secret, which is shown once; those before sign too while they overlap. Throws 404. */
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
  const sealed = cipher.encrypt(secret, PLACE, id)
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
      .set({ secret: sealed, previousSecret, previousSecretUntil: until })
      .where(eq(webhookEndpoints.id, id))
    return secret
  })
}

/** The secrets of before that sign too, the first of them longest in use. */
export function decryptPreviousSecrets(cipher: Cipher, endpointId: string, sealed: Buffer) {
  return cipher.decrypt(sealed, PLACE, endpointId).split(' ')
}

/**
 * While one rotation overlaps, the answer of the next may have been lost, or the secret of the first not
 * be in use yet: the receiver has any of them, and none is cut off.
 */
function keepPreviousSecrets(
  cipher: Cipher,
  { id, secret, previousSecret, previousSecretUntil }: typeof webhookEndpoints.$inferSelect,
  { until, now, isRepeated }: { until: string; now: Date; isRepeated: boolean },
) {
  if (!previousSecret || !previousSecretUntil) return secret
  // This very rotation, carried out again: nobody saw its secret. Another one may end in the same millisecond.
  if (isRepeated && previousSecretUntil === until) return previousSecret
  if (previousSecretUntil <= now.toISOString()) return secret
  try {
    const kept = decryptPreviousSecrets(cipher, id, previousSecret)
    const current = cipher.decrypt(secret, PLACE, id)
    const all = [...kept.slice(0, MAX_PREVIOUS_SECRETS - 1), current]
    return cipher.encrypt(all.join(' '), PLACE, id)
  } catch {
    // A secret that the current key cannot open signs nothing.
    return secret
  }
}

/** Gives a new secret to endpoints that lost theirs together with a lost SECRET_KEY. */
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

/** For owners only. Throws 404, or 409 when the secret was encrypted under another SECRET_KEY. */
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
