// The steps of a payment that rows and events do not show: why we asked for the verdict, and what went wrong. A charge
// that is approved or declined at once has none; the dashboard makes one history of everything.
import type { Database, Db } from '../database/connect.ts'
import { and, asc, desc, eq, sql } from '../database/drizzle.ts'
import { OPEN_STATUSES, type StepKind } from '../database/enums.ts'
import { newIdAt } from '../database/id.ts'
import { transactionSteps } from '../database/tables.ts'
import { ProviderDown } from '../providers/provider.ts'
import type { WorkNeeds } from '../queue/interval.ts'
import { getRetentionStart, type PurgeOptions, purgeAgedRows } from '../queue/purge.ts'

export type StepRow = typeof transactionSteps.$inferSelect

/** Why we asked for a verdict. */
const VERDICT_SOURCES = [
  'charge',
  'notification',
  'reconciliation',
  'refund',
  'payer',
  'company',
] as const
export type VerdictSource = (typeof VERDICT_SOURCES)[number]

export type NewStep = {
  transactionId: string
  kind: StepKind
  /** Shown to the company's users: no secrets and no card data. */
  details?: Record<string, string | number>
  /** Not recorded again if it exists with the same details, as after a repeated check. */
  once?: boolean
  now: Date
}

export async function recordStep(db: Db, { transactionId, kind, now, ...more }: NewStep) {
  const { details = {}, once = false } = more
  // Steps are listed by their ids, which contain their own instant.
  const at = now.toISOString()
  if (once && (await findStepInstant(db, transactionId, { kind, details }))) return
  const id = newIdAt(Date.parse(at))
  await db.insert(transactionSteps).values({ id, transactionId, kind, details, createdAt: at })
}

/** Returns when such a step was first recorded; undefined when it was not. */
export async function findStepInstant(
  db: Db,
  transactionId: string,
  { kind, details = {} }: Pick<NewStep, 'kind' | 'details'>,
): Promise<string | undefined> {
  const [first] = await db
    .select({ createdAt: transactionSteps.createdAt })
    .from(transactionSteps)
    .where(
      and(
        eq(transactionSteps.transactionId, transactionId),
        eq(transactionSteps.kind, kind),
        sql`${transactionSteps.details} = ${JSON.stringify(details)}::jsonb`,
      ),
    )
    .orderBy(asc(transactionSteps.id))
    .limit(1)
  return first?.createdAt
}

/** For use outside a transaction. It never disturbs a payment: a failure is only logged. */
export async function tryRecordStep(
  { db, log, now }: WorkNeeds,
  transactionId: string,
  step: Omit<NewStep, 'transactionId' | 'now'>,
) {
  await recordStep(db, { ...step, transactionId, now: now() }).catch((err) => {
    log.warn({ err, transactionId }, 'a step of a payment could not be written')
  })
}

/** Newest first. */
export async function listSteps(db: Db, transactionId: string, limit: number): Promise<StepRow[]> {
  return db
    .select()
    .from(transactionSteps)
    .where(eq(transactionSteps.transactionId, transactionId))
    .orderBy(desc(transactionSteps.id))
    .limit(limit)
}

/** Deletes one batch of steps older than their retention, of payments that are not checked any more. */
export async function purgeSteps(db: Database, now: Date, { retention, after }: PurgeOptions) {
  const start = getRetentionStart(now, retention.stepsDays)
  return purgeAgedRows(db, transactionSteps, { start, isOver: IS_OVER, after })
}

// A subquery for each row, since Postgres may plan an `exists` as a scan of the whole other table.
const IS_OVER = sql`(
  select 1 from transactions payment
  where payment.id = transaction_steps.transaction_id
    and (payment.check_at is not null or payment.status = any(${`{${OPEN_STATUSES}}`})) limit 1
) is null and (
  select 1 from refunds refund
  where refund.transaction_id = transaction_steps.transaction_id and refund.status = 'pending' limit 1
) is null`

/** Returns why we asked for the verdict of this step. */
export function getVerdictSource({ details }: StepRow): VerdictSource | undefined {
  return VERDICT_SOURCES.find((source) => source === details.source)
}

/** Returns one word for why a provider gave no verdict, since its own message may contain anything. */
export function classifyProviderError(error: unknown): 'unavailable' | 'timeout' | 'unclear' {
  if (error instanceof ProviderDown) return 'unavailable'
  return isTimeout(error) ? 'timeout' : 'unclear'
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : ''
  return /timeout|timedout/i.test(`${error.name} ${code}`) || isTimeout(error.cause)
}
