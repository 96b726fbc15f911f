// Builds the services with which a short command charges and asks providers.

import type { FastifyBaseLogger } from 'fastify'
import { CHALLENGE_PATH } from '../checkout/payment/sandbox-routes.ts'
import { openAccounts } from '../providers/open-accounts.ts'
import { createSandboxProvider } from '../providers/sandbox/sandbox.ts'
import type { PayNeeds } from '../transactions/needs.ts'
import type { CommandContext } from './context.ts'

/** Time stands still during the command. */
export async function withPayNeeds<T>(
  { db, cipher, config, mail, now }: CommandContext,
  log: FastifyBaseLogger,
  work: (needs: PayNeeds) => Promise<T>,
): Promise<T> {
  const { checkoutUrl, allowPrivate } = config
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const sandbox = createSandboxProvider({ db, challengeUrl })
  const shared = { db, log, now: () => now }
  const providers = openAccounts({ ...shared, cipher, sandbox, allowPrivate })
  try {
    return await work({ ...shared, providers, checkoutUrl, mail })
  } finally {
    await providers.close()
  }
}
