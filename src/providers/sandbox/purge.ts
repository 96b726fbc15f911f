import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { OPEN_STATUSES, SANDBOX_NAMES } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import {
  getRetentionStart,
  PURGE_BATCH_SIZE,
  type PurgeOptions,
  type PurgeResult,
} from '../../queue/purge.ts'

/** Deletes one batch of charges older than their retention, with their refunds. */
export async function purgeSandboxCharges(
  db: Database,
  now: Date,
  { retention }: PurgeOptions,
): Promise<PurgeResult> {
  const start = getRetentionStart(now, retention.sandboxDays)
  const { rows } = await db.execute<{ gone: number }>(sql`
    with old as materialized (
      select reference from sandbox_charges
      where created_at < ${start}::timestamptz and (
        select 1 from transactions payment
        where payment.provider = any(${`{${SANDBOX_NAMES}}`}) and payment.provider_reference = sandbox_charges.reference
          and (payment.check_at is not null or payment.status = any(${`{${OPEN_STATUSES}}`})) limit 1
      ) is null
      order by created_at limit ${PURGE_BATCH_SIZE}
      for update skip locked
    ),
    refunds_gone as (
      delete from sandbox_refunds where charge_reference in (select reference from old)
    ),
    gone as (
      delete from sandbox_charges where reference in (select reference from old) returning reference
    )
    select count(*)::int as gone from gone`)
  return { kind: requireFound(rows[0]).gone < PURGE_BATCH_SIZE ? 'done' : 'more' }
}
