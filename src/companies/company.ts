// A company that collects payments, with the default settings of its links and checkout.
import type { Database, Db } from '../database/connect.ts'
import { asc, eq, isNull, type SQL, sql } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import type { PaymentMethod, ProviderName } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { newId } from '../database/id.ts'
import { COMPLETION_LOCK } from '../database/locks.ts'
import { companies } from '../database/tables.ts'
import { getKeys } from '../record.ts'
import { encryptNewRedirectSecret } from './redirect-secret.ts'

export type Company = typeof companies.$inferSelect

type NewCompany = { name: string; taxId?: string | undefined; city?: string | undefined }

/** The columns that are no settings. */
type FixedColumn =
  | ('id' | 'testOf' | 'testMode' | 'createdAt' | 'updatedAt')
  | ('pixProvider' | 'cardProvider' | 'redirectSecret')
  // Written together with the logo (logo.ts).
  | 'logoUrl'

/** The settings that a company may change; absent fields stay. */
export type CompanyChanges = Partial<Omit<Company, FixedColumn>>

/** Both environments of a company. */
export type CompanyPair = { real: Company; test: Company }

/**
 * Creates both environments. The test environment uses the sandbox; the live one cannot be paid before a provider is
 * chosen.
 */
export async function createCompany(
  db: Db,
  cipher: Cipher,
  { name, taxId, city }: NewCompany,
): Promise<CompanyPair> {
  const id = newId()
  const [row] = await db
    .insert(companies)
    .values({
      id,
      name,
      taxId: taxId ?? null,
      ...(city && { city }),
      redirectSecret: encryptNewRedirectSecret(cipher, id),
    })
    .returning()
  const real = requireFound(row)
  return { real, test: await createTestCompany(db, cipher, real) }
}

async function createTestCompany(db: Db, cipher: Cipher, real: Company): Promise<Company> {
  const { testMode: _, ...shared } = real
  const id = newId()
  const [test] = await db
    .insert(companies)
    .values({
      ...shared,
      ...{ id, testOf: real.id, pixProvider: 'sandbox', cardProvider: 'sandbox' },
      redirectSecret: encryptNewRedirectSecret(cipher, id),
    })
    .returning()
  return requireFound(test)
}

/** Gives a new redirect secret to companies with one that was lost together with SECRET_KEY. */
export async function replaceLostRedirectSecrets(db: Database, cipher: Cipher) {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${COMPLETION_LOCK})`)
    const unsigned = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.redirectSecret, NO_SECRET))
    for (const { id } of unsigned) {
      const secret = { redirectSecret: encryptNewRedirectSecret(cipher, id) }
      await tx.update(companies).set(secret).where(eq(companies.id, id))
    }
  })
}

type UpdateCompanyResult = { kind: 'updated'; company: Company } | { kind: 'notFound' }

/** Changes both environments, by the `id` of either; checkouts show the change at once. */
export async function updateCompany(
  db: Db,
  id: string,
  changes: CompanyChanges & Partial<Pick<Company, 'logoUrl'>>,
  now: Date,
): Promise<UpdateCompanyResult> {
  const changed = await db
    .update(companies)
    .set({ ...changes, updatedAt: now.toISOString() })
    .where(isOfPair(id))
    .returning()
  const company = changed.find((one) => one.id === id)
  return company ? { kind: 'updated', company } : { kind: 'notFound' }
}

/** Changes them unless another person changed one of these settings meanwhile: `company` is the state that was read. */
export async function updateUnchangedCompany(
  db: Database,
  company: Company,
  changes: CompanyChanges,
  now: Date,
): Promise<UpdateCompanyResult | { kind: 'changed' }> {
  return db.transaction(async (tx) => {
    const pair = await tx
      .select()
      .from(companies)
      .where(isOfPair(company.id))
      .orderBy(companies.id)
      .for('no key update')
    const current = pair.find(({ id }) => id === company.id)
    const isSame = getKeys(changes).every((name) => current?.[name] === company[name])
    return isSame ? updateCompany(tx, company.id, changes, now) : { kind: 'changed' }
  })
}

/** Lists the real environments, oldest first. */
export async function listCompanies(db: Db) {
  return db.select().from(companies).where(isNull(companies.testOf)).orderBy(asc(companies.id))
}

export async function findCompany(db: Db, id: string) {
  const [company] = await db.select().from(companies).where(eq(companies.id, id))
  return company
}

export async function findCompanyPair(db: Db, id: string): Promise<CompanyPair | undefined> {
  const rows = await db.select().from(companies).where(isOfPair(id))
  const [test, real] = [true, false].map((is) => rows.find(({ testMode }) => testMode === is))
  return real && test && { real, test }
}

/** Returns the id of the live environment, which users, brand and settings belong to. */
export function getRealId({ id, testOf }: Company) {
  return testOf ?? id
}

/** The same in SQL, for a row of `companies`. */
export const REAL_COMPANY_ID = sql<string>`coalesce(${companies.testOf}, ${companies.id})`

/** The same in SQL, for the id of either environment. */
export function realIdSql(id: unknown): SQL<string> {
  return sql`(select coalesce(test_of, id) from companies where id = ${id})`
}

export async function findRealId(db: Db, id: string) {
  const { rows } = await db.execute<{ id: string | null }>(sql`select ${realIdSql(id)} as id`)
  return rows[0]?.id ?? undefined
}

/** Returns the environment for resources that name none: test, until the company can be paid. */
export function getUsualCompany({ real, test }: CompanyPair): Company {
  return real.pixProvider || real.cardProvider ? real : test
}

/** Returns the company's provider for this method; null when the method is not offered. */
export function getMethodProvider(company: Company, method: PaymentMethod): ProviderName | null {
  return method === 'pix' ? company.pixProvider : company.cardProvider
}

/** Lists which of these methods the company offers, in their order. */
export function listOfferedMethods(company: Company, methods: readonly PaymentMethod[]) {
  return methods.filter((method) => getMethodProvider(company, method) !== null)
}

const NO_SECRET = Buffer.alloc(0)

function isOfPair(id: string) {
  return sql`coalesce(test_of, id) = ${realIdSql(id)}`
}
