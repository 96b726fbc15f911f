import { z } from 'zod'
import type { Database } from '../../database/connect.ts'
import { newId } from '../../database/id.ts'
import { abuseReports } from '../../database/tables.ts'
import { removeControls, textField } from '../../http/text.ts'
import { getRetentionStart, type PurgeOptions, purgeAgedRows } from '../../queue/purge.ts'

const MAX_DETAILS_LENGTH = 1_000

/** A payer's report about a link through "Denunciar este link". */
export const AbuseReport = z.object({
  reason: z.enum(['fraud', 'unrecognized', 'not_delivered', 'other']),
  // Invisible characters are removed and not refused: a number copied on a phone has bidi controls.
  details: z
    .string()
    .transform((text) => removeControls(text.replaceAll('\t', ' ')))
    .pipe(textField({ max: MAX_DETAILS_LENGTH, lines: true }))
    .default(''),
})

export async function recordAbuseReport(
  db: Database,
  paymentLinkId: string,
  report: z.output<typeof AbuseReport>,
) {
  const { reason, details } = report
  await db
    .insert(abuseReports)
    .values({ id: newId(), paymentLinkId, reason, details: details || null })
}

export async function purgeAbuseReports(
  db: Database,
  now: Date,
  { retention, after }: PurgeOptions,
) {
  const start = getRetentionStart(now, retention.auditDays)
  return purgeAgedRows(db, abuseReports, { start, after })
}
