// Brings a company's events to an address of the developer's as they happen. It stands beside the
// service and needs nothing of it but its database: no endpoint, and no address that the internet sees.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { checkPublicUrl, guardedAgent } from '../http/outbound.ts'
import { isOutage } from '../outage.ts'
import { type Answer, post } from '../webhooks/deliveries/attempt.ts'
import { newWebhookSecret, sign } from '../webhooks/deliveries/sign.ts'
import { type EventRow, findEvents, listEventIds } from '../webhooks/events/log.ts'
import { type Commands, command, type Option, Refusal, type Running, required } from './command.ts'
import { findChosenOrOnly } from './company.ts'
import { atHome } from './context.ts'
import { reasonOf } from './failure.ts'
import { companyOrOnlyOption, eventsOption, parser } from './options.ts'

const POLL_MS = 300
const AT_ONCE = 100
/** An event's id is older than its commit, and its clock may be behind ours: by less than this. */
const LATE_MS = 5 * 60_000

const secretOption: Option<string> = {
  value: 'whsec_…',
  about: 'The secret to sign with, such as that of an earlier run (default: a new one).',
  parse: parser(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)),
  must: 'whsec_ and at least 24 bytes in base64',
}

export const commands: Commands = {
  '': command({
    about:
      'Forwards events to a local address as they happen and prints what it answers, until Ctrl-C. Nothing is sent twice.',
    endless: true,
    options: {
      company: companyOrOnlyOption,
      'forward-to': required({
        value: 'URL',
        about: 'Where to, such as http://localhost:4000/hook.',
        parse: parser(z.url({ protocol: /^https?$/ })),
        must: 'an address such as http://localhost:4000/hook',
      }),
      events: eventsOption('all of them'),
      secret: secretOption,
    },
    run: ({ company, 'forward-to': url, events = [...EVENT_TYPES], secret }, running) =>
      atHome(async ({ db }) => {
        if (await checkPublicUrl(url, true)) {
          throw new Refusal('--forward-to can be no such address: leave out user and password.')
        }
        const { id: companyId, name } = await findChosenOrOnly(db, company)
        const way = { companyId, name, url, events, secret: secret ?? newWebhookSecret() }
        const forwarded = await forwardAll(db, way, running)
        return { json: { ended: true, forwarded }, text: `Events forwarded: ${forwarded}.` }
      }),
  }),
}

type Way = {
  companyId: string
  name: string
  url: string
  events: readonly EventType[]
  secret: string
}

/** Answers how many events were forwarded once it was told to end. */
async function forwardAll(db: Database, way: Way, { tell, ending }: Running) {
  const agent = guardedAgent({ allowPrivate: true })
  const news = await followEvents(db, way.companyId)
  const underWay = new Set<Promise<void>>()
  let forwarded = 0
  let away = false
  tell(opening(way))
  while (!ending.aborted) {
    const { fresh, reason } = await takeOrReason(news)
    if (reason && !away) tell(waiting(reason))
    away = reason !== undefined
    for (const event of fresh.filter(({ type }) => way.events.includes(type))) start(event)
    await sleep(POLL_MS, undefined, { signal: ending }).catch(() => {})
  }
  await Promise.all(underWay)
  await agent.close()
  return forwarded

  function start(event: EventRow) {
    const going: Promise<void> = forward(event).finally(() => underWay.delete(going))
    underWay.add(going)
  }

  async function forward({ id, type, body }: EventRow) {
    const at = new Date()
    const headers = sign([way.secret], id, at, body)
    const answer = await post({ url: way.url, headers, body }, { agent, signal: ending })
    if (!answer) return
    forwarded++
    tell(line({ id, type, ...answer }, at))
  }
}

/** Answers with the events since the last time, each once, whenever it is called. */
async function followEvents(db: Database, companyId: string) {
  let since = new Date(Date.now() - LATE_MS)
  let known = new Set(await listEventIds(db, companyId, since))

  return async () => {
    const at = Date.now()
    const ids = await listEventIds(db, companyId, since)
    const unknown = ids.filter((id) => !known.has(id)).slice(0, AT_ONCE)
    const fresh = await findEvents(db, companyId, unknown)
    const seen = new Set([...known, ...unknown])
    known = new Set(ids.filter((id) => seen.has(id)))
    // Only now: after an outage it goes on where it was.
    if (unknown.length < AT_ONCE) since = new Date(at - LATE_MS)
    return fresh
  }
}

/** What there is to take, or why the database is away. */
async function takeOrReason(take: () => Promise<EventRow[]>) {
  try {
    return { fresh: await take(), reason: undefined }
  } catch (error) {
    if (isOutage(error)) return { fresh: [], reason: reasonOf(error) }
    throw error
  }
}

function opening({ companyId, name, url, secret }: Way) {
  return {
    json: { listening: true, companyId, forwardTo: url, secret },
    text: [
      `Events of "${name}" go to ${url}; Ctrl-C ends this.`,
      `Verify them with this secret (shown only now): ${secret}`,
    ].join('\n'),
  }
}

function waiting(reason: string) {
  return { json: { waiting: reason }, text: `Waiting for the database (${reason}).` }
}

type Forwarded = Pick<Answer, 'outcome' | 'statusCode'> & Pick<EventRow, 'id' | 'type'>

function line({ id, type, outcome, statusCode }: Forwarded, startedAt: Date) {
  const at = startedAt.toISOString()
  const ms = Date.now() - startedAt.getTime()
  return {
    json: { id, type, outcome, statusCode, ms, at },
    text: `${at}  ${type}  ${id}  ${statusCode ?? outcome}  ${ms} ms`,
  }
}
