// Chooses the provider of a company's new payments, for each method. In the live environment its account needs a
// successful connection test, unless the caller sets `untested`.

import type { Database, Transaction } from '../database/connect.ts'
import { and, eq } from '../database/drizzle.ts'
import {
  isSandbox,
  type PaymentMethod,
  type ProviderName,
  type RealProvider,
} from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { companies, providerAccounts } from '../database/tables.ts'
import { conflictError } from '../http/errors.ts'
import { getProfile } from './registry.ts'
import { providerAccountTexts } from './texts.ts'

type ChooseProviderInput = {
  companyId: string
  method: PaymentMethod
  /** Null (only in the live environment): the method is not offered. */
  provider: ProviderName | null
  /** Whether to go live although the last connection test failed. */
  untested?: boolean
  now: Date
}

/** New payments by this method use the provider from now on. */
export async function chooseProvider(
  db: Database,
  { companyId, method, provider, untested = false, now }: ChooseProviderInput,
) {
  await db.transaction(async (tx) => {
    const { testMode } = await lockCompany(tx, companyId)
    requireFittingProvider({ method, provider, testMode })
    if (provider && !isSandbox(provider)) {
      await requireReadyAccount(tx, { companyId, provider, untested: untested || testMode })
    }
    const chosen = method === 'pix' ? { pixProvider: provider } : { cardProvider: provider }
    await tx
      .update(companies)
      .set({ ...chosen, updatedAt: now.toISOString() })
      .where(eq(companies.id, companyId))
  })
}

type FittingInput = Pick<ChooseProviderInput, 'method' | 'provider'> & { testMode: boolean }

function requireFittingProvider({ method, provider, testMode }: FittingInput) {
  if (provider && !getProfile(provider).methods.includes(method)) {
    throw conflictError('method_not_supported', providerAccountTexts.methodNotSupported)
  }
  if (testMode ? !provider : provider && isSandbox(provider)) {
    throw conflictError('wrong_environment', providerAccountTexts.sandboxElsewhere)
  }
}

/** Locks the company until the end of the transaction, so that changes of its providers take turns. */
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

type RequiredAccount = {
  companyId: string
  provider: RealProvider
  untested: boolean
}

async function requireReadyAccount(
  tx: Transaction,
  { companyId, provider, untested }: RequiredAccount,
) {
  const [account] = await tx
    .select()
    .from(providerAccounts)
    .where(and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.provider, provider)))
  if (!account) throw conflictError('account_missing', providerAccountTexts.missing)
  const tested = account.testedAt !== null && account.testFailure === null
  if (!tested && !untested) throw conflictError('account_untested', providerAccountTexts.untested)
}
