// When a key was last used, true to the minute. No caller waits for it to be written: the keys of a
// second are written behind their requests, many in one statement.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { inArray } from '../database/drizzle.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { apiKeys } from '../database/tables.ts'
import { createWriteBehind } from '../queue/write-behind.ts'

const PRECISION_MS = MINUTE_MS
const MAX_KNOWN_KEYS = 100_000
const MAX_KEYS_A_STATEMENT = 1_000

type KeyUsageNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'>; now: () => Date }

/** What is noted is written a second later at most, and before the program ends. */
export function trackKeyUsage(app: FastifyInstance, { db, log, now }: KeyUsageNeeds) {
  const notedAt = new Map<string, number>()
  const uses = createWriteBehind<string>({
    write: (ids) => writeUse(db, ids, now()),
    maxItems: MAX_KEYS_A_STATEMENT,
    log,
    failure: 'when keys were last used could not be written',
  })
  app.addHook('onClose', uses.close)

  return function noteUse(keyId: string) {
    const at = now().getTime()
    if (at - (notedAt.get(keyId) ?? 0) < PRECISION_MS) return
    if (notedAt.size >= MAX_KNOWN_KEYS) notedAt.clear()
    notedAt.set(keyId, at)
    uses.add(keyId)
  }
}

/** In the order of their ids, so that two processes never wait for each other. */
async function writeUse(db: Database, ids: string[], now: Date) {
  const inOrder = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(inArray(apiKeys.id, ids))
    .orderBy(apiKeys.id)
    .for('no key update')
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now.toISOString() })
    .where(inArray(apiKeys.id, inOrder))
}
