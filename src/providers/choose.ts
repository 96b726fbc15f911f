// Who moves a company's money from now on, method by method. Going live is a step of its own: it takes
// an account whose connection was tried.

import type { Database, Transaction } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import type { PaymentMethod, ProviderName } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { conflictError } from '../http/errors.ts'
import { getCapabilities } from './capabilities.ts'
import { providerAccountTexts } from './texts.ts'

type ChooseProviderInput = {
  companyId: string
  method: PaymentMethod
  provider: ProviderName
  /** Whether to go live although the last test of the connection did not go well. */
  untested?: boolean
  /** What whoever chooses believes them to be, tests or real; refused where they are not. */
  testMode?: boolean
  now: Date
}

/** From now on, new payments by this method go there. */
export async function chooseProvider(
  db: Database,
  { companyId, method, provider, untested = false, testMode: expected, now }: ChooseProviderInput,
) {
  await db.transaction(async (tx) => {
    await lockCompany(tx, companyId)
    if (!getCapabilities(provider).methods.includes(method)) {
      throw conflictError('method_not_supported', providerAccountTexts.methodNotSupported)
    }
    const testMode =
      provider === 'sandbox' || (await requireReadyAccount(tx, companyId, provider, untested))
    if (expected !== undefined && expected !== testMode) {
      throw conflictError('account_changed', providerAccountTexts.changed)
    }
    const chosen =
      method === 'pix'
        ? { pixProvider: provider, pixTestMode: testMode }
        : { cardProvider: provider, cardTestMode: testMode }
    await tx
      .update(companies)
      .set({ ...chosen, updatedAt: now.toISOString() })
      .where(eq(companies.id, companyId))
  })
}

/** The company, held until the end of the transaction: what it chooses is changed one by one. */
export async function lockCompany(tx: Transaction, companyId: string) {
  const [company] = await tx
    .select()
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('no key update')
  return requireFound(company)
}

export function isProviderChosen(
  { pixProvider, cardProvider }: typeof companies.$inferSelect,
  provider: ProviderName,
) {
  return pixProvider === provider || cardProvider === provider
}

/** Whether the account is one for tests. */
async function requireReadyAccount(
  tx: Transaction,
  companyId: string,
  provider: Exclude<ProviderName, 'sandbox'>,
  untested: boolean,
) {
  const [account] = await tx
    .select()
    .from(providerAccounts)
    .where(and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.provider, provider)))
  if (!account) throw conflictError('account_missing', providerAccountTexts.missing)
  const tested = account.testedAt !== null && account.testFailure === null
  if (!account.testMode && !tested && !untested) {
    throw conflictError('account_untested', providerAccountTexts.untested)
  }
  return account.testMode
}
