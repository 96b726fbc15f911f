// The secret that signs a payer's return to a company's page, one for each environment. It is shown to
// whoever makes the company or rotates it, and to nobody after that.
import { randomBytes } from 'node:crypto'
import type { Db } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import type { Cipher } from '../database/sealing/encryption.ts'
import { companies } from '../database/tables.ts'

const PLACE = 'companies.redirect_secret'

/** Of the environment whose row has this id. */
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
  /** What the company was last changed at when this was asked for; absent: whatever it was. */
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
