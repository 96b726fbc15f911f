// The schema: that it is of this version, and whole, which a restore that broke off leaves it not.
import type { Database } from '../../database/connect.ts'
import { findMissingParts, listEditedMigrations } from '../../database/migrations/parts.ts'
import { readSchemaState } from '../../database/migrations/state.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MAX_NAMED = 3

/** `usable`: whether the data can be looked at. */
export async function checkSchema(db: Database): Promise<{ usable: boolean; finding: Finding }> {
  const { pending, ahead } = await readSchemaState(db)
  if (pending > 0) {
    const advice = 'run "migrate", or restart the service'
    return { usable: false, finding: reportFailure(`migrations: ${pending} to be run`, advice) }
  }
  if (ahead) {
    const what = 'migrations: a newer version has been here'
    return { usable: true, finding: reportWarning(what, 'run that version everywhere') }
  }
  const missing = judgeParts(await findMissingParts(db))
  if (missing.status === 'fail') return { usable: true, finding: missing }
  return { usable: true, finding: judgeHashes(await listEditedMigrations(db)) ?? missing }
}

function judgeHashes(edited: string[]) {
  if (edited.length === 0) return undefined
  return reportWarning(
    `migrations: up to date, but ${edited.join(', ')} ran here with another text than this version has`,
    'compare "pg_dump --schema-only" with that of an empty database that this version has started on',
  )
}

function judgeParts({ expected, missing }: Awaited<ReturnType<typeof findMissingParts>>) {
  if (missing.length === 0) return reportOk('migrations: up to date')
  const more = missing.length > MAX_NAMED ? ', …' : ''
  return reportFailure(
    `migrations: up to date, but ${missing.length} of ${expected} indexes, constraints, functions and triggers are missing or changed (${missing.slice(0, MAX_NAMED).join(', ')}${more})`,
    'make them as a sound installation has them, or restore the backup anew into an empty database and read what pg_restore could not make: without them a payment may be booked twice',
  )
}
