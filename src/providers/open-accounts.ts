// Keeps companies' accounts at providers open, so that tokens and connections are reused. The account's row is read
// each time, and a changed account is opened again.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { isSandbox } from '../database/enums.ts'
import type { Metrics } from '../http/metrics.ts'
import { type AccountRow, findAccount, openAccount, recordUnreadable } from './accounts.ts'
import { measureProvider } from './measured.ts'
import { type Provider, ProviderDown, type Providers } from './provider.ts'

type OpenAccountsNeeds = {
  db: Database
  cipher: Cipher
  sandbox: Provider
  log: FastifyBaseLogger
  now: () => Date
  /** Allows accounts at http and at private addresses; off by default. */
  allowPrivate?: boolean
  metrics?: Metrics | undefined
}

const MAX_OPEN_ACCOUNTS = 1_000

class AccountMissing extends Error {}

/** Whether an account could not be opened because it was removed, which waiting does not solve. */
export function isAccountMissing(error: unknown) {
  return error instanceof ProviderDown && error.cause instanceof AccountMissing
}

/** `close` closes every connection. */
export function openAccounts(needs: OpenAccountsNeeds): Providers & { close(): Promise<void> } {
  const { db, log, metrics } = needs
  const measure = (provider: Provider) => (metrics ? measureProvider(provider, metrics) : provider)
  const sandbox = measure(needs.sandbox)
  const opened = new Map<string, { updatedAt: string; account: Provider }>()

  return {
    async open(companyId, name) {
      if (isSandbox(name)) return sandbox
      const key = `${companyId} ${name}`
      const row = await findAccount(db, companyId, name)
      const known = opened.get(key)
      if (row && known?.updatedAt === row.updatedAt) return known.account
      evictAccount(key)
      if (!row) {
        const cause = new AccountMissing()
        throw new ProviderDown(`The company has no account at ${name}`, { cause })
      }
      if (opened.size >= MAX_OPEN_ACCOUNTS) {
        const [oldest = key] = opened.keys()
        evictAccount(oldest)
      }
      const account = measure(openRow(row))
      opened.set(key, { updatedAt: row.updatedAt, account })
      return account
    },

    async close() {
      await Promise.all([...opened.values()].map(({ account }) => account.close?.()))
    },
  }

  function openRow(row: AccountRow) {
    try {
      const onUnreadable = (field: string) => noteUnreadable(row, field)
      return openAccount(needs.cipher, row, { ...needs, onUnreadable })
    } catch (cause) {
      throw new ProviderDown('The account cannot be opened: is SECRET_KEY what it was?', { cause })
    }
  }

  /** Runs beside the check of the payment, which does not wait for it. */
  function noteUnreadable(row: AccountRow, field: string) {
    recordUnreadable(db, row, { field, now: needs.now() }).catch((err) => {
      log.warn({ err, field }, 'an unreadable answer could not be recorded')
    })
  }

  /** The connections end after the running calls. */
  function evictAccount(key: string) {
    const known = opened.get(key)
    opened.delete(key)
    known?.account.close?.().catch((err) => log.warn({ err }, 'an account could not be closed'))
  }
}
