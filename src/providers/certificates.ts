// Lists companies' certificates for their banks: payments stop when a certificate expires.
import type { Database } from '../database/connect.ts'
import { and, eq, getTableColumns, inArray } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { DAY_MS } from '../database/instant.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { decryptAccountConfig } from './accounts.ts'
import { getAdapter, REAL_PROVIDERS, type RealProvider } from './registry.ts'

export type AccountCertificate = { companyId: string; provider: RealProvider; until: Date }

const WITH_CERTIFICATE = REAL_PROVIDERS.filter((name) => getAdapter(name).findCertificateEnd)

/** The days before the expiry at which people are warned; banks take days to issue a new certificate. */
export const CERTIFICATE_NOTICE_DAYS = 30

/**
 * Lists readable certificates that payments depend on, first to expire first.
 * @param companyId optional
 */
export async function listCertificates(
  db: Database,
  cipher: Cipher,
  companyId?: string,
): Promise<AccountCertificate[]> {
  const isUsed = and(
    inArray(providerAccounts.provider, WITH_CERTIFICATE),
    eq(companies.pixProvider, providerAccounts.provider),
  )
  const accounts = await db
    .select(getTableColumns(providerAccounts))
    .from(providerAccounts)
    .innerJoin(companies, eq(companies.id, providerAccounts.companyId))
    .where(companyId === undefined ? isUsed : and(isUsed, eq(companies.id, companyId)))
  const certificates = accounts.flatMap((account) => {
    const { companyId, provider } = account
    const { findCertificateEnd } = getAdapter(provider)
    const until = findCertificateEnd?.(decryptAccountConfig(cipher, account))
    return until ? [{ companyId, provider, until }] : []
  })
  return certificates.sort((a, b) => a.until.getTime() - b.until.getTime())
}

/** Returns the certificates that have expired or soon will. */
export function keepEnding(certificates: AccountCertificate[], now: Date) {
  const noticeEnd = new Date(now.getTime() + CERTIFICATE_NOTICE_DAYS * DAY_MS)
  return certificates.filter(({ until }) => until <= noticeEnd)
}
