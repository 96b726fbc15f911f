// Whether the Postgres that reports are read at holds what the one that is written to does: what another one
// holds would be told as this company's, or nothing would, as if nothing had come in.
import { isOutage } from '../../outage.ts'
import { readSystemError } from '../../system-error.ts'
import type { Database } from '../connect.ts'
import { orm, sql } from '../drizzle.ts'
import { readCanary } from './canary.ts'

const UNDEFINED_TABLE = '42P01'

/** Throws the sentence to show where they are of two installations; one that is away keeps nobody from paying. */
export async function requireReplica(primary: Database, replica: Database) {
  try {
    if (await isReplicaOf(primary, replica)) return
  } catch (error) {
    if (isOutage(error)) return
    throw new Error(`DATABASE_READ_URL: ${readCause(error).message}`, { cause: error })
  }
  throw new Error(
    'Refused: DATABASE_READ_URL leads to another database than DATABASE_URL; name a standby of its Postgres, and the same database there, or leave it out.',
  )
}

/** By what a standby shares with its primary, or else by what a copy that is kept up by other means does. */
export async function isReplicaOf(primary: Database, replica: Database): Promise<boolean> {
  const [own, its] = [await readIdentity(primary), await readIdentity(replica)]
  if (own !== undefined && own === its) return true
  const known = await readCanaryIfAny(primary)
  return known !== undefined && known === (await readCanaryIfAny(replica))
}

/** Of this Postgres and of this database in it; undefined where it is not for our role to know. */
async function readIdentity(db: Database): Promise<string | undefined> {
  const reading = db.execute<{ identity: string }>(
    sql`select concat_ws(' ', system_identifier, current_database()) as identity from pg_control_system()`,
  )
  return reading.then(
    ({ rows }) => rows[0]?.identity,
    () => undefined,
  )
}

async function readCanaryIfAny(db: Database) {
  try {
    return await readCanary(db)
  } catch (error) {
    if (readCause(error).code === UNDEFINED_TABLE) return undefined
    throw error
  }
}

/** Its own message is the whole statement. */
function readCause(error: unknown) {
  return readSystemError(error instanceof orm.DrizzleQueryError ? error.cause : error)
}
