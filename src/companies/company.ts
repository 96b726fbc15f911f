// A company that collects payments, with the settings its links and checkout start from.
import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../database/connect.ts'
import { asc, eq, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption.ts'
import type { PaymentMethod, ProviderName } from '../database/enums.ts'
import { newId } from '../database/id.ts'
import { memoizeByDb } from '../database/memoize.ts'
import { companies } from '../database/tables.ts'

export type Company = typeof companies.$inferSelect

type NewCompany = { name: string; taxId?: string | undefined; city?: string | undefined }

/** What a company sets for itself; what is absent stays. */
export type CompanyChanges = Partial<
  Pick<
    Company,
    | 'name'
    | 'taxId'
    | 'city'
    | 'color'
    | 'logoUrl'
    | 'supportEmail'
    | 'supportPhone'
    | 'askPhone'
    | 'defaultMaxInstallments'
    | 'defaultInterestMode'
    | 'interestRateBps'
    | 'interestFreeUpTo'
    | 'minInstallmentCents'
    | 'pixExpirySeconds'
    | 'mailReceipts'
    | 'mailPayments'
    | 'mailFailures'
    | 'noticeEmail'
  >
>

export async function createCompany(db: Db, cipher: Cipher, { name, taxId, city }: NewCompany) {
  const [company] = await db
    .insert(companies)
    .values({
      id: newId(),
      name,
      taxId: taxId ?? null,
      ...(city && { city }),
      redirectSecret: cipher.encrypt(randomBytes(32).toString('hex')),
    })
    .returning()
  return company!
}

export async function renameCompany(db: Db, id: string, name: string) {
  await db.update(companies).set({ name, updatedAt: sql`now()` }).where(eq(companies.id, id))
}

type UpdateCompanyResult = { kind: 'updated'; company: Company } | { kind: 'notFound' }

/** Seen by the checkout's next page, on every process. */
export async function updateCompany(
  db: Db,
  id: string,
  changes: CompanyChanges,
  now: Date,
): Promise<UpdateCompanyResult> {
  const [changed] = await db
    .update(companies)
    .set({ ...changes, updatedAt: now.toISOString() })
    .where(eq(companies.id, id))
    .returning()
  return changed ? { kind: 'updated', company: changed } : { kind: 'notFound' }
}

export async function listCompanies(db: Db) {
  return db.select().from(companies).orderBy(asc(companies.id))
}

export async function findCompany(db: Database, id: string) {
  const [company] = await companyByIdQuery(db).execute({ id })
  return company
}

type PaymentChannel = { provider: ProviderName; testMode: boolean }

/** Who moves what is paid to a company by this method, and whether that is pretended. */
export function getPaymentChannel(company: Company, method: PaymentMethod): PaymentChannel {
  return method === 'pix'
    ? { provider: company.pixProvider, testMode: company.pixTestMode }
    : { provider: company.cardProvider, testMode: company.cardTestMode }
}

const companyByIdQuery = memoizeByDb((db: Database) =>
  db
    .select()
    .from(companies)
    .where(eq(companies.id, sql.placeholder('id')))
    .prepare('company_by_id'),
)
