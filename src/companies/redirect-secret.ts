// The secret that signs a payer's return to a company's page, one for each environment. It is shown once, when it is
// rotated; the first one of an environment is never shown.
import { randomBytes } from 'node:crypto'
import type { Db } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { companies } from '../database/tables.ts'

const PLACE = 'companies.redirect_secret'

/** Creates a secret for this environment, encrypted. */
export function encryptNewRedirectSecret(cipher: Cipher, companyId: string) {
  return cipher.encrypt(randomBytes(32).toString('hex'), PLACE, companyId)
}

/** Throws when the secret was encrypted with another key. */
export function decryptRedirectSecret(
  cipher: Cipher,
  { id, redirectSecret }: Pick<typeof companies.$inferSelect, 'id' | 'redirectSecret'>,
) {
  return cipher.decrypt(redirectSecret, PLACE, id)
}

type Rotation = {
  companyId: string
  /** The company's `updatedAt` that the person saw; when absent, it is not compared. */
  version?: string
  now: Date
}

/** Replaces the secret; the old one signs no later returns. */
export async function rotateRedirectSecret(
  db: Db,
  cipher: Cipher,
  { companyId, version, now }: Rotation,
): Promise<{ kind: 'rotated'; redirectSecret: string } | { kind: 'changed' }> {
  const redirectSecret = encryptNewRedirectSecret(cipher, companyId)
  const isUnchanged = version === undefined ? undefined : eq(companies.updatedAt, version)
  const rotated = await db
    .update(companies)
    .set({ redirectSecret, updatedAt: now.toISOString() })
    .where(and(eq(companies.id, companyId), isUnchanged))
    .returning({ id: companies.id })
  if (rotated.length === 0) return { kind: 'changed' }
  return {
    kind: 'rotated',
    redirectSecret: decryptRedirectSecret(cipher, { id: companyId, redirectSecret }),
  }
}
