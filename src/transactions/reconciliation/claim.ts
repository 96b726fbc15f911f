// Claims the payments and refunds that are due to be checked. Each account has a limit, so that one with many due
// checks does not delay others. Checks that a payer waits for come first, and continue during a pause that applies to
// background work only.
import type { Database } from '../../database/connect.ts'
import {
  and,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lte,
  type SQL,
  sql,
} from '../../database/drizzle.ts'
import { OPEN_STATUSES, type ProviderName } from '../../database/enums.ts'
import { providerAccounts, refunds, transactions } from '../../database/tables.ts'
import { getLeaseEnd, selectDueIds } from '../../queue/lease.ts'
import { PAYER_WAITS_MS } from '../check-schedule.ts'
import type { RefundRow, TransactionRow } from '../transaction.ts'

/** An account at a provider, and how many more of its checks may run. */
type AccountCapacity = { companyId: string; provider: ProviderName; room: number }

type ClaimOptions = {
  /** For accounts that are not in `rooms`. */
  perAccount: number
  rooms: AccountCapacity[]
  /** For all accounts together. */
  limit: number
  now: Date
}

/** This many of the longest due are read. */
const MAX_SCANNED_DUE = 1_000
const MAX_OVERDUE = 100

export async function claimPayments(db: Database, claim: ClaimOptions): Promise<TransactionRow[]> {
  const [at, newSince] = [0, PAYER_WAITS_MS].map(
    (ms) => sql`${new Date(claim.now.getTime() - ms).toISOString()}::timestamptz`,
  )
  const isWaiting = sql`status = any(${`{${OPEN_STATUSES}}`}) and (created_at > ${newSince} or expires_at <= ${at})`
  const due = sql`select id, company_id, provider, check_at, coalesce(${isWaiting}, false) as is_waiting
    from ${transactions}`
  const { set, where } = buildClaim(transactions, due, claim)
  return db.update(transactions).set(set).where(where).returning()
}

/** Lists expired Pix of accounts with a provider that cannot be asked. */
export async function listOverduePix(
  db: Database,
  accounts: { companyId: string; provider: ProviderName }[],
  now: Date,
): Promise<TransactionRow[]> {
  if (accounts.length === 0) return []
  const away = accounts.map(({ companyId, provider }) => sql`(${companyId}::uuid, ${provider})`)
  return db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.status, 'pending'),
        isNull(transactions.holdReason),
        lte(transactions.expiresAt, now.toISOString()),
        sql`(${transactions.companyId}, ${transactions.provider}) in (${sql.join(away, sql`, `)})`,
      ),
    )
    .limit(MAX_OVERDUE)
}

export async function claimRefunds(
  db: Database,
  claim: ClaimOptions,
): Promise<(RefundRow & { provider: ProviderName })[]> {
  const due = sql`select r.id, r.company_id, t.provider, r.check_at, false as is_waiting from ${refunds} r
    join ${transactions} t on t.id = r.transaction_id`
  const { set, where } = buildClaim(refunds, due, claim)
  const provider = sql<ProviderName>`(select provider from ${transactions} t where t.id = transaction_id)`
  return db
    .update(refunds)
    .set(set)
    .where(where)
    .returning({ ...getTableColumns(refunds), provider })
}

function buildClaim(
  table: typeof transactions | typeof refunds,
  rows: SQL,
  { perAccount, rooms, limit, now }: ClaimOptions,
) {
  const at = sql`${now.toISOString()}::timestamptz`
  const named = sql`select * from unnest(
    ${sql.param(rooms.map(({ companyId }) => companyId))}::uuid[],
    ${sql.param(rooms.map(({ provider }) => provider))}::text[],
    ${sql.param(rooms.map(({ room }) => room))}::int[]
  ) as named (company_id, provider, room)`
  const due = sql`select due.*, coalesce(named.room, ${perAccount}::int) as room
    from (${rows}) due left join (${named}) named using (company_id, provider)
      left join ${providerAccounts} account using (company_id, provider)
    where due.check_at <= ${at} and coalesce(named.room, 1) > 0
      and (due.is_waiting or coalesce(account.paused_until, '-infinity') <= ${at})
    order by due.check_at limit ${MAX_SCANNED_DUE}`
  const first = sql`is_waiting desc, check_at`
  const ranked = sql`select id, check_at, is_waiting, room,
    row_number() over (partition by company_id, provider order by ${first}) as rank from (${due}) due`
  const chosen = sql`select id from (${ranked}) ranked where rank <= room order by ${first} limit ${limit}`
  // Checks that another process has claimed meanwhile are no longer due.
  const ours = selectDueIds(table, table.checkAt, now, sql`and ${table.id} in (${chosen})`)
  return { set: { checkAt: getLeaseEnd(now) }, where: inArray(table.id, ours) }
}
