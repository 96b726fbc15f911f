// Whether our role can write what payments need: by its rights, by a row that is taken back, and by the room left.
import { statfs } from 'node:fs/promises'
import type { Database } from '../../database/connect.ts'
import { orm, pgCore, sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import * as tables from '../../database/tables.ts'
import { writeProbeRow } from '../../database/write-probe.ts'
import { readSystemError, toError } from '../../system-error.ts'
import { findDatabaseAdvice, getErrorReason, OWNER_ADVICE, WRITE_ADVICE } from '../failure.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const NO_SUCH_TABLE = '42P01'
const MAX_NAMED = 3
const OUR_TABLES = Object.values(tables).flatMap((each) =>
  orm.is(each, pgCore.PgTable) ? [orm.getTableName(each)] : [],
)

type Rights = { role: string; readOnly: boolean; mayCreate: boolean; closed: string[] }

export async function checkWriting(db: Database): Promise<Finding> {
  const { role, readOnly, mayCreate, closed } = await readRights(db)
  if (readOnly) return reportFailure('writing: this database is read-only', WRITE_ADVICE)
  if (!mayCreate) {
    const what = `writing: ${role} may create nothing in this database, and the service does not start`
    return reportFailure(what, OWNER_ADVICE)
  }
  if (closed.length > 0) {
    const named = [...closed.slice(0, MAX_NAMED), ...(closed.length > MAX_NAMED ? ['…'] : [])]
    const what = `writing: ${role} may not write ${closed.length} of the tables (${named.join(', ')})`
    return reportFailure(what, OWNER_ADVICE)
  }
  return tryWriting(db)
}

async function readRights(db: Database) {
  const { rows } = await db.execute<Rights>(sql`
    select current_user as role, current_setting('transaction_read_only')::boolean as "readOnly",
      has_database_privilege(current_database(), 'create') as "mayCreate",
      coalesce((
        select json_agg(relname order by relname) from pg_class
        where oid = any (select to_regclass(quote_ident(name)) from json_array_elements_text(${JSON.stringify(OUR_TABLES)}) name)
          and not (has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'update')
            and has_table_privilege(oid, 'delete'))
      ), '[]') as closed`)
  return requireFound(rows[0])
}

/** A disk may be full, whatever the rights are. */
async function tryWriting(db: Database): Promise<Finding> {
  const takenBack = new Error('taken back')
  const thrown = await db
    .transaction(async (tx) => {
      await writeProbeRow(tx)
      throw takenBack
    })
    .catch(toError)
  // Before the first migration there is nothing to write in.
  if (thrown === takenBack || readSystemError(thrown.cause).code === NO_SUCH_TABLE)
    return reportOk('writing: the database can be written')
  const advice = findDatabaseAdvice(thrown) ?? 'look at its disk and its log'
  return reportFailure(`writing: ${getErrorReason(thrown)}`, advice)
}

const LEAST_FREE_PERCENT = 10

/** Of the embedded Postgres alone: others have a monitor. */
export async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, blocks } = await statfs(folder)
  const percent = Math.floor((bavail / blocks) * 100)
  const what = `disk: ${percent} % of it are free where the data is`
  if (percent >= LEAST_FREE_PERCENT) return reportOk(what)
  return reportWarning(what, 'make room: when it is full nothing can be paid')
}
