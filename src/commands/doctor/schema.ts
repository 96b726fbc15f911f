// Checks that the schema belongs to this version and is complete, which it is not after an interrupted restore.
import type { Database } from '../../database/connect.ts'
import { findMissingParts, listStrayMigrations } from '../../database/migrations/parts.ts'
import { readSchemaState } from '../../database/migrations/state.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MAX_NAMED = 3
const COMPARE_ADVICE =
  'compare "pg_dump --schema-only" with that of an empty database that this version has started on'

/** `usable`: whether the data can be read. */
export async function checkSchema(db: Database): Promise<{ usable: boolean; findings: Finding[] }> {
  const { pending, ahead } = await readSchemaState(db)
  if (pending > 0) {
    const advice = 'run "migrate", or restart the service'
    return { usable: false, findings: [reportFailure(`migrations: ${pending} to be run`, advice)] }
  }
  if (ahead) {
    const what = 'migrations: a newer version has migrated this database'
    return { usable: true, findings: [reportWarning(what, 'run that version everywhere')] }
  }
  const { expected, missing } = await findMissingParts(db)
  const { edited, unrecorded } = await listStrayMigrations(db)
  const findings: Finding[] = []
  if (missing.length > 0) {
    findings.push(
      reportFailure(
        `migrations: up to date, but ${missing.length} of ${expected} indexes, constraints, functions and triggers are missing or changed (${nameSome(missing)})`,
        'create them as in a healthy installation, or restore the backup again into an empty database and read the errors of pg_restore: without them a payment may be booked twice',
      ),
    )
  }
  if (edited.length > 0) {
    const what = `migrations: up to date, but ${nameSome(edited)} ran here with another text than this version has`
    findings.push(reportWarning(what, COMPARE_ADVICE))
  }
  if (unrecorded.length > 0) {
    const what = `migrations: later ones ran, but drizzle.__drizzle_migrations has no row of ${nameSome(unrecorded)}`
    findings.push(reportWarning(what, COMPARE_ADVICE))
  }
  if (findings.length === 0) findings.push(reportOk('migrations: up to date'))
  return { usable: true, findings }
}

function nameSome(names: string[]) {
  return names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', …' : '')
}
