// Deletes old events with their deliveries, once none is left to send. Deliveries that wait for a disabled endpoint are
// deleted too, since it may never be enabled again.
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { events } from '../../database/tables.ts'
import {
  COUNT_WALKED_SQL,
  getRetentionStart,
  type PurgeOptions,
  selectAgedRows,
  toPurgeResult,
  type WalkedRows,
} from '../../queue/purge.ts'

export async function purgeEvents(db: Database, now: Date, { retention, after }: PurgeOptions) {
  const start = getRetentionStart(now, retention.eventsDays)
  const { rows } = await db.execute<WalkedRows>(sql`
    with ${selectAgedRows(events, { start, isOver: IS_OVER, after })},
    delivery as materialized (
      select id from webhook_deliveries where event_id in (select id from old)
    ),
    attempts_gone as (
      delete from webhook_attempts where delivery_id in (select id from delivery)
    ),
    deliveries_gone as (delete from webhook_deliveries where id in (select id from delivery)),
    gone as (delete from events where id in (select id from old))
    ${COUNT_WALKED_SQL}`)
  return toPurgeResult(rows)
}

// A subquery for each row, since Postgres may plan an `exists` as a scan of the whole other table.
const IS_OVER = sql`(
  select 1 from webhook_deliveries waiting
  join webhook_endpoints endpoint on endpoint.id = waiting.endpoint_id
  where waiting.event_id = events.id and waiting.due_at is not null
    and endpoint.disabled_at is null limit 1
) is null`
