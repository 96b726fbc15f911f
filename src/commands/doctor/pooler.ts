// Whether somebody stands between us and Postgres, and does what we need of him.
import type { PoolClient } from 'pg'
import { connectDatabase, type Database } from '../../database/connect.ts'
import { isSameDatabase } from '../../database/migrations/same-database.ts'
import { keepsNamedStatements, LOST_STATEMENTS_ADVICE } from '../../database/named-statements.ts'
import type { DataSource } from '../../database/open.ts'
import { listMissingRoleSettings, ownsSession } from '../../database/session.ts'
import { getErrorReason } from '../failure.ts'
import { type Finding, reportFailure, reportOk, reportWarning } from './finding.ts'

type Urls = Pick<DataSource, 'url' | 'directUrl'>

export async function checkPooler(db: Database, { url, directUrl }: Urls): Promise<Finding[]> {
  const wrong = await checkSameDatabase({ url, directUrl })
  if (wrong) return [wrong]
  if (await withSession(db, ownsSession)) return [reportOk('pooler: none stands between')]
  if (!(await keepsNamedStatements(url)))
    return [reportFailure('pooler: prepared statements are lost', LOST_STATEMENTS_ADVICE)]
  return [await checkDirectUrl({ url, directUrl }), await checkRoleSettings(db)]
}

/** What is wrong with DATABASE_DIRECT_URL, if anything: the service would not start. */
async function checkSameDatabase(urls: Urls) {
  try {
    if (await isSameDatabase(urls)) return undefined
    return reportFailure(
      'pooler: DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
      'name the Postgres behind that pooler, and the same database there',
    )
  } catch (error) {
    const advice = 'name the Postgres behind that pooler; the service does not start without it'
    return reportFailure(`pooler: ${getErrorReason(error)}`, advice)
  }
}

async function checkDirectUrl({ url, directUrl }: Urls) {
  if (directUrl !== url && (await isDirect(directUrl)))
    return reportOk('pooler: changes are heard from Postgres itself')
  return reportWarning(
    `pooler: ${directUrl === url ? 'DATABASE_DIRECT_URL is not set' : 'DATABASE_DIRECT_URL names a pooler too'}`,
    'name Postgres itself there; where the pooler lends by transaction, nothing is kept in memory without',
  )
}

async function isDirect(url: string) {
  const db = connectDatabase(url, { max: 1 })
  try {
    return await withSession(db, ownsSession)
  } finally {
    await db.$client.end()
  }
}

async function checkRoleSettings(db: Database) {
  const missing = await withSession(db, listMissingRoleSettings)
  if (missing.length === 0) return reportOk('pooler: our role has its settings')
  const advice = `run, as somebody who may: ${missing.join('; ')}`
  return reportWarning('pooler: our role lacks settings that statements need', advice)
}

async function withSession<T>(db: Database, read: (session: PoolClient) => Promise<T>) {
  const session = await db.$client.connect()
  try {
    return await read(session)
  } finally {
    session.release()
  }
}
