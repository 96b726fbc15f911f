// Looks at an account's list in place of asking about each open Pix that may have been paid, so that payments that come
// near each other share one call. Looks of an account are some seconds apart, in all processes: the first one is made at
// once, and what comes before the next one may be made waits for it. What a look does not show is asked about alone; a
// list that failed or lacked a paid Pix is not used for a while.
import type { Database } from '../../database/connect.ts'
import { and, eq, inArray, sql } from '../../database/drizzle.ts'
import { isSandbox, type ProviderName } from '../../database/enums.ts'
import { isPast, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import { providerAccounts, transactions } from '../../database/tables.ts'
import { type AccountKey, findAccount, isAccount } from '../../providers/accounts.ts'
import { getProfile } from '../../providers/registry.ts'
import type { PayNeeds } from '../needs.ts'
import { settle } from '../settle.ts'
import { findStepInstant, toNotifiedStep } from '../steps.ts'
import { reloadTransaction, type TransactionRow } from '../transaction.ts'
import { readAccountNow } from './account-lists.ts'
import type { PaymentAccount } from './contradicted.ts'

const LOOK_INTERVAL_MS = 10 * SECOND_MS
const UNUSED_MS = 15 * MINUTE_MS
const NOTIFIES_MS = 10 * MINUTE_MS
const JUST_LISTED_MS = MINUTE_MS

/** `unread`: the list could not be read. `later`: another look was made just now, and the next one may be made at `at`. */
type Look = { kind: 'read' | 'unread' } | { kind: 'later'; at: string }

/** The lists that lacked a paid Pix, and until when they are not used. */
const unused = new Map<string, number>()
const running = new Map<string, Promise<Look>>()

/** Whether a look shows when it is paid. */
export function isLookedAt(row: TransactionRow, now: Date) {
  const { status, method, pixBrCode, providerReference, holdReason, expiresAt } = row
  const isOpen = status === 'pending' && method === 'pix' && holdReason === null
  const isCharged = pixBrCode !== null && providerReference !== null && !isPast(expiresAt, now)
  const isUsed = (unused.get(buildKey(row)) ?? 0) <= now.getTime()
  return isOpen && isCharged && isListed(row.provider) && isUsed
}

function isListed(provider: ProviderName) {
  const { lists } = getProfile(provider)
  return lists === 'received' || lists === 'everything'
}

/** Whether a list has approved it a moment ago: its first notification is then no news. */
export async function isJustListed({ db, now }: PayNeeds, row: TransactionRow) {
  const isRecent = now().getTime() - Date.parse(row.updatedAt) < JUST_LISTED_MS
  if (row.status !== 'approved' || !isRecent || !isListed(row.provider)) return false
  const listed = {
    kind: 'settled',
    details: { status: 'approved', source: 'reconciliation' },
  } as const
  const [isSettled, isNotified] = await Promise.all(
    [listed, toNotifiedStep(row)].map((step) => findStepInstant(db, row.id, step)),
  )
  return isSettled !== undefined && isNotified === undefined
}

/** With `joins`, a running look of this process counts too: nothing has been announced since it began. */
export async function lookAtAccount(
  needs: PayNeeds,
  { companyId, provider }: PaymentAccount,
  { joins = false } = {},
): Promise<Look> {
  const key = buildKey({ companyId, provider })
  const current = running.get(key)
  if (current && joins) return current
  if (isSandbox(provider)) return { kind: 'unread' }
  const look = startLook(needs, { companyId, provider }).finally(() => {
    if (running.get(key) === look) running.delete(key)
  })
  if (!current) running.set(key, look)
  return look
}

async function startLook(needs: PayNeeds, account: AccountKey): Promise<Look> {
  const now = needs.now()
  const at = new Date(now.getTime() - LOOK_INTERVAL_MS).toISOString()
  const { listTriedAt, pausedUntil } = providerAccounts
  const [claimed] = await needs.db
    .update(providerAccounts)
    .set({ listTriedAt: now.toISOString() })
    .where(
      and(
        isAccount(account),
        sql`coalesce(${listTriedAt}, '-infinity') <= ${at}::timestamptz`,
        sql`coalesce(${pausedUntil}, '-infinity') <= ${now.toISOString()}::timestamptz`,
      ),
    )
    .returning()
  if (claimed) {
    if (await readAccountNow(needs, claimed)) return { kind: 'read' }
    stopLooking(account, now)
    return { kind: 'unread' }
  }
  const row = await findAccount(needs.db, account.companyId, account.provider)
  const isPaused = !!row?.pausedUntil && !isPast(row.pausedUntil, now)
  if (!row?.listTriedAt || isPaused) return { kind: 'unread' }
  const nextMs = Date.parse(row.listTriedAt) + LOOK_INTERVAL_MS
  return { kind: 'later', at: new Date(nextMs).toISOString() }
}

/** Schedules open payments for the next look. */
export async function waitForLook(db: Database, rows: readonly TransactionRow[], at: string) {
  const ids = rows.map(({ id }) => id)
  await db
    .update(transactions)
    .set({ checkAt: at })
    .where(and(inArray(transactions.id, ids), eq(transactions.status, 'pending')))
}

/**
 * Looks for a payment whose check is due. `lacked`: the list does not show it, and its charge must be asked about. What
 * was not notified is not looked for at an account that notifies, and once without more at another one.
 */
export async function lookForPayment(
  needs: PayNeeds,
  row: TransactionRow,
): Promise<'enough' | 'lacked' | 'unread'> {
  if (!isLookedAt(row, needs.now())) return 'unread'
  const isNotified = await findStepInstant(needs.db, row.id, toNotifiedStep(row))
  if (!isNotified && (await isNotifying(needs, row))) return leaveOpen(needs, row)
  const isFirst = !isNotified && row.checks === 0
  const look = await lookAtAccount(needs, row, { joins: true })
  if (look.kind === 'later' && isFirst) {
    await waitForLook(needs.db, [row], look.at)
    return 'enough'
  }
  if (look.kind !== 'read') return 'unread'
  const current = await reloadTransaction(needs.db, row.id)
  if (!isLookedAt(current, needs.now())) return 'enough'
  // The list shows more than it can settle.
  if (isPast(current.checkAt, needs.now())) return 'unread'
  return isFirst ? leaveOpen(needs, current) : 'lacked'
}

/** Whether the account has notified us a moment ago. */
async function isNotifying({ db, now }: PayNeeds, { companyId, provider }: PaymentAccount) {
  if (isSandbox(provider)) return false
  const account = await findAccount(db, companyId, provider)
  const since = new Date(now().getTime() - NOTIFIES_MS).toISOString()
  return !!account?.notifiedAt && account.notifiedAt > since
}

/** As if the provider had said that it is not paid yet. */
async function leaveOpen(needs: PayNeeds, row: TransactionRow) {
  const { providerReference: reference, pixBrCode, expiresAt } = row
  if (!reference || !pixBrCode || !expiresAt) return 'lacked'
  const outcome = { status: 'pending', reference, pixBrCode, expiresAt } as const
  await settle(needs, row, { kind: 'answer', outcome, source: 'reconciliation' })
  return 'enough'
}

/** After a payment was found that the account's list lacked: it may show payments late, or never. */
export function stopLooking(account: PaymentAccount, now: Date) {
  unused.set(buildKey(account), now.getTime() + UNUSED_MS)
}

function buildKey({ companyId, provider }: PaymentAccount) {
  return `${companyId} ${provider}`
}
