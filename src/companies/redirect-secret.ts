// The secret that signs a payer's return to a company's page, one for each environment. It is shown once, when the
// company is created or the secret is rotated.
import { randomBytes } from 'node:crypto'
import type { Db } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import type { Cipher } from '../database/sealing/encryption.ts'
import { companies } from '../database/tables.ts'

const PLACE = 'companies.redirect_secret'

/** Seals a new secret for the environment with this id. */
export function sealNewRedirectSecret(cipher: Cipher, companyId: string) {
  return cipher.encrypt(randomBytes(32).toString('hex'), PLACE, companyId)
}

/** Throws when it was encrypted under another key. */
export function decryptRedirectSecret(
  cipher: Cipher,
  { id, redirectSecret }: Pick<typeof companies.$inferSelect, 'id' | 'redirectSecret'>,
) {
  return cipher.decrypt(redirectSecret, PLACE, id)
}

type Rotation = {
  companyId: string
  /** The company's `updatedAt` when the person asked; without it, it is not compared. */
  version?: string
  now: Date
}

/** From the next return on, the old one signs nothing. */
export async function rotateRedirectSecret(
  db: Db,
  cipher: Cipher,
  { companyId, version, now }: Rotation,
): Promise<{ kind: 'rotated'; redirectSecret: string } | { kind: 'changed' }> {
  const redirectSecret = sealNewRedirectSecret(cipher, companyId)
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
