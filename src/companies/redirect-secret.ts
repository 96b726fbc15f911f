// The secret that signs a payer's return to a company's page, one for each environment. It is shown to
// whoever makes the company or rotates it, and to nobody after that.
import { randomBytes } from 'node:crypto'
import type { Db } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
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

/** From the next return on, the old one signs nothing. */
export async function rotateRedirectSecret(db: Db, cipher: Cipher, companyId: string, now: Date) {
  const redirectSecret = sealNewRedirectSecret(cipher, companyId)
  await db
    .update(companies)
    .set({ redirectSecret, updatedAt: now.toISOString() })
    .where(eq(companies.id, companyId))
  return decryptRedirectSecret(cipher, { id: companyId, redirectSecret })
}
