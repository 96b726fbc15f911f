// Chooses the provider that takes a company's new payments, for each method. In the live environment its account
// needs a tested connection, unless the caller sets `untested`.

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
import { getCapabilities } from './capabilities.ts'
import { providerAccountTexts } from './texts.ts'

type ChooseProviderInput = {
  companyId: string
  method: PaymentMethod
  /** Null, in the real environment alone: nobody can pay by this method. */
  provider: ProviderName | null
  /** Whether to go live although the last test of the connection did not go well. */
  untested?: boolean
  now: Date
}

/** From now on, new payments by this method go there. */
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
  if (provider && !getCapabilities(provider).methods.includes(method)) {
    throw conflictError('method_not_supported', providerAccountTexts.methodNotSupported)
  }
  if (testMode ? !provider : provider && isSandbox(provider)) {
    throw conflictError('wrong_environment', providerAccountTexts.sandboxElsewhere)
  }
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
