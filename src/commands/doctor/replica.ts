// Where reports and tables are read, if not where they are written: that it answers, follows, and keeps up.
import { connectDatabase, type Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { isReplicaOf } from '../../database/sealing/replica.ts'
import { getErrorReason } from '../failure.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

const MAX_LAG_S = 60

type ReplicaState = { standby: boolean; foreign: boolean; lagS: number }

/** @param primary where `databaseReadUrl` is to be a replica of. */
export async function checkReplica(
  { databaseReadUrl }: { databaseReadUrl: string | undefined },
  primary: Database,
) {
  if (!databaseReadUrl) return []
  const db = connectDatabase(databaseReadUrl, { max: 1 })
  try {
    // Where all that came has been replayed there is no lag, however long ago the last of it was. One that was
    // just started has replayed more than came: what it had.
    const { rows } = await db.execute<Omit<ReplicaState, 'foreign'>>(sql`
      select pg_is_in_recovery() as standby, case
        when pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn() then 0
        else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
      end::float8 as "lagS"`)
    const foreign = !(await isReplicaOf(primary, db))
    return [judgeReplica({ ...requireFound(rows[0]), foreign })]
  } catch (error) {
    const advice = 'check DATABASE_READ_URL; until it answers there are no reports and no tables'
    return [reportFailure(`replica: ${getErrorReason(error)}`, advice)]
  } finally {
    await db.$client.end()
  }
}

export function judgeReplica({ standby, foreign, lagS }: ReplicaState): Finding {
  if (foreign)
    return reportFailure(
      'replica: it is that of another database than DATABASE_URL names',
      'name a standby of the primary in DATABASE_READ_URL, and the same database there, or leave it out',
    )
  if (!standby)
    return reportWarning(
      'replica: it is no replica, but a Postgres of its own',
      'name a standby of the primary in DATABASE_READ_URL, or leave it out',
    )
  const what = `replica: ${Math.round(lagS)} s behind`
  if (lagS <= MAX_LAG_S) return reportOk(what)
  return reportWarning(what, 'reports and tables are as old as that; look at its disk and network')
}
