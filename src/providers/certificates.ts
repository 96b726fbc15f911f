// The certificates of their banks that companies have given us: they end one day, and payments with them.
import type { Database } from '../database/connect.ts'
import { and, eq, getTableColumns } from '../database/drizzle.ts'
import type { Cipher } from '../database/sealing/encryption.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { decryptAccountConfig } from './accounts.ts'
import { readIdentityTerm } from './pix-api/certificate.ts'
import { pixApiConfig } from './pix-api/config.ts'

export type AccountCertificate = { companyId: string; until: Date }

/** Those that payments go by and that can be read, the first to end first. */
export async function listCertificates(
  db: Database,
  cipher: Cipher,
): Promise<AccountCertificate[]> {
  const accounts = await db
    .select(getTableColumns(providerAccounts))
    .from(providerAccounts)
    .innerJoin(companies, eq(companies.id, providerAccounts.companyId))
    .where(and(eq(providerAccounts.provider, 'pix-api'), eq(companies.pixProvider, 'pix-api')))
  const certificates = accounts.flatMap((account) => {
    const until = findCertificateEnd(decryptAccountConfig(cipher, account))
    return until ? [{ companyId: account.companyId, until }] : []
  })
  return certificates.sort((a, b) => a.until.getTime() - b.until.getTime())
}

function findCertificateEnd(config: unknown) {
  const { data } = pixApiConfig.safeParse(config)
  if (!data) return undefined
  try {
    return readIdentityTerm(data)?.until
  } catch {
    return undefined
  }
}
