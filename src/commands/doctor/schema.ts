// The schema: that it is of this version, and whole, which a restore that broke off leaves it not.
import type { Database } from '../../database/connect.ts'
import { findMissingParts, listStrayMigrations } from '../../database/migrations/parts.ts'
import { readSchemaState } from '../../database/migrations/state.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MAX_NAMED = 3

/** `usable`: whether the data can be looked at. */
export async function checkSchema(db: Database): Promise<{ usable: boolean; findings: Finding[] }> {
  const { pending, ahead } = await readSchemaState(db)
  if (pending > 0) {
    const advice = 'run "migrate", or restart the service'
    return { usable: false, findings: [reportFailure(`migrations: ${pending} to be run`, advice)] }
  }
  if (ahead) {
    const what = 'migrations: a newer version has been here'
    return { usable: true, findings: [reportWarning(what, 'run that version everywhere')] }
  }
  const { edited, unrecorded } = await listStrayMigrations(db)
  const found = [
    judgeParts(await findMissingParts(db)),
    judgeHashes(edited),
    judgeRecord(unrecorded),
  ].filter((finding) => finding !== undefined)
  const findings = found.length > 0 ? found : [reportOk('migrations: up to date')]
  return { usable: true, findings }
}

function judgeHashes(edited: string[]) {
  if (edited.length === 0) return undefined
  return reportWarning(
    `migrations: up to date, but ${edited.join(', ')} ran here with another text than this version has`,
    'compare "pg_dump --schema-only" with that of an empty database that this version has started on',
  )
}

function judgeRecord(unrecorded: string[]) {
  if (unrecorded.length === 0) return undefined
  const more = unrecorded.length > MAX_NAMED ? ', …' : ''
  const named = unrecorded.slice(0, MAX_NAMED).join(', ')
  return reportWarning(
    `migrations: later ones ran, but drizzle.__drizzle_migrations has no row of ${named}${more}`,
    'a start runs none that is older than the last: see that what they make is there, as "pg_dump --schema-only" of an empty database that this version has started on has it',
  )
}

function judgeParts({ expected, missing }: Awaited<ReturnType<typeof findMissingParts>>) {
  if (missing.length === 0) return undefined
  const more = missing.length > MAX_NAMED ? ', …' : ''
  return reportFailure(
    `migrations: up to date, but ${missing.length} of ${expected} indexes, constraints, functions and triggers are missing or changed (${missing.slice(0, MAX_NAMED).join(', ')}${more})`,
    'make them as a sound installation has them, or restore the backup anew into an empty database and read what pg_restore could not make: without them a payment may be booked twice',
  )
}
