// A stream without its connection: what keeps it alive, and what ends it when nobody takes what it says.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { requireFound } from '../../../src/database/found.ts'
import { findEventPlace, openEventFeed } from '../../../src/webhooks/events/feed.ts'
import { openEventStream } from '../../../src/webhooks/events/stream.ts'
import { openWebhooks } from '../../support/receiver.ts'

const { db, newCompany, emit } = await openWebhooks()

const BEGINNING = '00000000-0000-0000-0000-000000000000'
const now = new Date()

async function openTestStream(companyId: string, stallLimitMs: number) {
  const feed = openEventFeed({ db, log: { warn() {} }, pollMs: 20 })
  const after = requireFound(await findEventPlace(db, companyId, BEGINNING))
  const isAllowed = async () => true
  const limits = { heartbeatMs: 50, stallLimitMs }
  const body = openEventStream({ feed, companyId, after, types: undefined, isAllowed, ...limits })
  onTestFinished(async () => {
    body.destroy()
    await feed.close()
  })
  return body
}

test('while nothing happens a comment says that it lives, and it is never too slow', async () => {
  const body = await openTestStream(await newCompany(), 100)
  const texts: string[] = []
  body.on('data', (text) => texts.push(String(text)))

  await expect.poll(() => texts.length, { timeout: 10_000 }).toBeGreaterThan(6)

  expect(texts[0]).toBe(`retry: 2000\nid: ${BEGINNING}\n\n`)
  expect(new Set(texts.slice(1))).toEqual(new Set([':\n\n']))
})

test('who takes nothing for too long is told why it ends, and goes on after what it has', async () => {
  const companyId = await newCompany()
  const data = { padding: 'x'.repeat(8_000) }
  const ids: string[] = []
  for (let i = 0; i < 30; i++) ids.push((await emit(companyId, now, { data })).eventId)
  const body = await openTestStream(companyId, 100)

  // Asks for it, and takes nothing.
  body.read(0)
  await expect.poll(() => body.readableLength, { timeout: 10_000 }).toBeGreaterThan(8_000)
  await sleep(400)
  const text = Buffer.concat(await body.toArray()).toString()

  const taken = [...text.matchAll(/^id: (\S+)\nevent: t/gm)].map(([, id]) => id)
  expect(taken.length).toBeGreaterThan(0)
  expect(taken.length).toBeLessThan(10)
  expect(taken).toEqual(ids.slice(0, taken.length))
  expect(text).toMatch(
    /event: stream\.closed\ndata: \{"reason":"too_slow","message":"Os eventos .*"\}\n\n$/,
  )
})
