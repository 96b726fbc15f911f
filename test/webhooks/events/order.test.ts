// Transactions commit in another order than ids and positions are made in; who follows misses nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newEventId, recordEvent } from '../../../src/webhooks/events/event.ts'
import {
  findCurrentCursor,
  findEventCursor,
  openEventFeed,
} from '../../../src/webhooks/events/feed.ts'
import { openWebhooks } from '../../support/receiver.ts'

const { db, newCompany, emit } = await openWebhooks()

const SOON = { timeout: 10_000 }
const log = { warn() {} }
const now = new Date()

function openFeed(pollMs = 20) {
  const feed = openEventFeed({ db, log, pollMs })
  onTestFinished(() => feed.close())
  return feed
}

/** All that somebody hears who goes on after that event. */
async function follow(companyId: string, afterId?: string, feed = openFeed()) {
  const place = afterId ? await findEventCursor(db, companyId, afterId) : undefined
  const after = place ?? (await findCurrentCursor(db, companyId))
  let isOver = false
  const stop = () => {
    isOver = true
  }
  const heard: string[] = []
  const listening = listen()
  // Its last read ends before the database does.
  onTestFinished(async () => {
    stop()
    await listening
  })
  return { heard, stop }

  async function listen() {
    for await (const events of feed.follow(companyId, { after, types: undefined })) {
      if (isOver) return
      heard.push(...events.map(({ id }) => id))
    }
  }
}

/** Writes an event, and commits it when it is told. */
async function emitUncommitted(companyId: string, id = newEventId(now)) {
  const [written, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const over = db.transaction(async (tx) => {
    const type = 'transaction.approved' as const
    await recordEvent(tx, { id, companyId, type, testMode: true, data: {}, now })
    written.resolve()
    await committing.promise
  })
  await Promise.race([written.promise, over])
  const commit = async () => {
    committing.resolve()
    await over
  }
  const rollBack = async () => {
    committing.reject(new Error('rolled back'))
    await over.catch(() => {})
  }
  return { id, commit, rollBack }
}

test('an event with an older id that comes after a newer one is not missed by who goes on after that', async () => {
  const companyId = await newCompany()
  const older = newEventId(new Date(now.getTime() - 60_000))
  const first = await follow(companyId)
  const { eventId: newer } = await emit(companyId, now)
  await expect.poll(() => first.heard, SOON).toEqual([newer])
  first.stop()

  await emit(companyId, now, { id: older })
  const { heard } = await follow(companyId, newer)

  await expect.poll(() => heard, SOON).toEqual([older])
})

test('an event that is committed late comes before the newer one, and both come once', async () => {
  const companyId = await newCompany()
  const { heard } = await follow(companyId)
  const late = await emitUncommitted(companyId)
  const { eventId: newer } = await emit(companyId, now)
  await sleep(200)
  const early = [...heard]
  const resumed = await follow(companyId, newer)

  await late.commit()
  const { eventId: last } = await emit(companyId, now)

  await expect.poll(() => heard, SOON).toEqual([late.id, newer, last])
  expect(early).toEqual([])
  await expect.poll(() => resumed.heard, SOON).toEqual([last])
})

test('an event is not missed when its position is drawn long before its row is written', async () => {
  const companyId = await newCompany()
  const { heard } = await follow(companyId)
  const { rows } = await db.$client.query<{ drawing: string }>(
    `select column_default as drawing from information_schema.columns
     where table_name = 'events' and column_name = 'position'`,
  )
  const writer = await db.$client.connect()
  await writer.query('begin')
  const drawn = await writer.query<{ position: string }>(`select ${rows[0]!.drawing} as position`)
  const { eventId: newer } = await emit(companyId, now)
  await sleep(300)
  const early = [...heard]
  const slow = newEventId(now)

  await writer.query(
    `insert into events (id, company_id, type, body, position)
     values ($1, $2, 'transaction.approved', '{}', $3)`,
    [slow, companyId, drawn.rows[0]!.position],
  )
  await writer.query('commit')
  writer.release()

  await expect.poll(() => heard, SOON).toEqual([slow, newer])
  expect(early).toEqual([])
})

test('who begins to follow while somebody writes for long is asked to come back', async () => {
  const companyId = await newCompany()
  const slow = await emitUncommitted(companyId)

  const refused = findCurrentCursor(db, companyId, 0)

  await expect(refused).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '30' } })
  await slow.commit()
  // Other files of the run may be writing for a moment, too.
  const find = () => findCurrentCursor(db, companyId, 0).catch(() => null)
  await expect.poll(find, SOON).toMatchObject({ id: slow.id })
})

test('what is rolled back holds up no reader for longer than it lasts', async () => {
  const companyId = await newCompany()
  const { heard } = await follow(companyId)
  const failing = await emitUncommitted(await newCompany())
  const { eventId } = await emit(companyId, now)
  await sleep(100)
  const early = [...heard]

  await failing.rollBack()

  expect(early).toEqual([])
  await expect.poll(() => heard, SOON).toEqual([eventId])
})

test('events from before there were positions come first, in the order of their ids', async () => {
  const companyId = await newCompany()
  const [one, two, three] = [
    await emit(companyId, now),
    await emit(companyId, now),
    await emit(companyId, now),
  ]
  const old = [one.eventId, two.eventId]
  await db.$client.query('update events set position = 0 where id = any($1)', [old])

  const { heard } = await follow(companyId, one.eventId)

  await expect.poll(() => heard, SOON).toEqual([two.eventId, three.eventId])
})

test('many writers at once, and who comes and goes hears each event once and all in one order', async () => {
  const companyId = await newCompany()
  const feed = openFeed()
  const whole = await follow(companyId, undefined, feed)
  const written: string[] = []
  const writers = Array.from({ length: 8 }, async (_, i) => {
    for (let n = 0; n < 10; n++) {
      const event = await emitUncommitted(companyId)
      await sleep((i * 7 + n * 13) % 40)
      await event.commit()
      written.push(event.id)
    }
  })
  await expect.poll(() => whole.heard.length, SOON).toBeGreaterThan(0)
  const pieces = whole.heard.slice(0, 1)
  while (pieces.length < 80) {
    const part = await follow(companyId, pieces.at(-1), openFeed())
    await sleep(60)
    part.stop()
    pieces.push(...part.heard)
  }
  await Promise.all(writers)

  // Somebody else may have heard the last ones before it.
  await expect.poll(() => whole.heard.toSorted(), SOON).toEqual(written.toSorted())
  expect(pieces).toEqual(whole.heard)
})
