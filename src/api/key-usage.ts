// When a key was last used, true to the minute. No caller waits for it to be written: the keys of a
// second are written behind their requests, many in one statement.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { inArray } from '../database/drizzle.ts'
import { MINUTE_MS, SECOND_MS } from '../database/instant.ts'
import { apiKeys } from '../database/tables.ts'
import { trackOutage } from '../queue/outage-log.ts'

const PRECISION_MS = MINUTE_MS
const WRITE_DELAY_MS = SECOND_MS
const MAX_KNOWN_KEYS = 100_000
const MAX_KEYS_A_STATEMENT = 1_000

type KeyUsageNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'>; now: () => Date }

/** What is noted is written a second later at most, and before the program ends. */
export function trackKeyUsage(app: FastifyInstance, { db, log, now }: KeyUsageNeeds) {
  const notedAt = new Map<string, number>()
  const unwritten = new Set<string>()
  const closing = new AbortController()
  let writing: Promise<void> | undefined
  const { noteSuccess, noteFailure } = trackOutage((err) =>
    log.warn({ err }, 'when keys were last used could not be written'),
  )
  app.addHook('onClose', async () => {
    closing.abort()
    await writing
  })

  return function noteUse(keyId: string) {
    const at = now().getTime()
    if (at - (notedAt.get(keyId) ?? 0) < PRECISION_MS) return
    if (notedAt.size >= MAX_KNOWN_KEYS) notedAt.clear()
    notedAt.set(keyId, at)
    unwritten.add(keyId)
    writing ??= writeSoon().finally(() => {
      writing = undefined
    })
  }

  async function writeSoon() {
    const { signal } = closing
    await sleep(WRITE_DELAY_MS, undefined, { signal, ref: false }).catch(() => {})
    while (unwritten.size > 0) {
      const ids = [...unwritten].slice(0, MAX_KEYS_A_STATEMENT)
      for (const id of ids) unwritten.delete(id)
      await writeUse(db, ids, now()).then(noteSuccess, noteFailure)
    }
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
