// Records when a key was last used, to the minute. No request waits for the write.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, inArray, isNull, lt, or } from '../database/drizzle.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { apiKeys } from '../database/tables.ts'
import { createUnawaitedWriter } from '../queue/unawaited.ts'
import type { ActiveKey } from './api-key.ts'

const PRECISION_MS = MINUTE_MS
const MAX_KEYS_A_STATEMENT = 1_000

type KeyUsageNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'>; now: () => Date }
export type NoteUse = (key: ActiveKey) => void

export function trackKeyUsage(app: FastifyInstance, { db, log, now }: KeyUsageNeeds): NoteUse {
  const uses = createUnawaitedWriter<string>({
    write: (ids) => writeUse(db, ids, now()),
    maxItems: MAX_KEYS_A_STATEMENT,
    log,
    failure: 'the last use of keys could not be written',
  })
  app.addHook('onClose', uses.close)

  return function noteUse({ id, lastUsedAt }) {
    const isRecent = lastUsedAt && now().getTime() - Date.parse(lastUsedAt) < PRECISION_MS
    if (!isRecent) uses.add(id)
  }
}

/** Updates the keys in the order of their ids, so that two processes cannot deadlock. */
async function writeUse(db: Database, ids: string[], now: Date) {
  const before = new Date(now.getTime() - PRECISION_MS).toISOString()
  const inOrder = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(inArray(apiKeys.id, ids), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))),
    )
    .orderBy(apiKeys.id)
    .for('no key update')
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now.toISOString() })
    .where(inArray(apiKeys.id, inOrder))
}
