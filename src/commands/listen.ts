// Brings a company's events to an address of the developer's as they happen. It stands beside the
// service and needs nothing of it but its database: no endpoint, and no address that the internet sees.

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { checkPublicUrl, createGuardedAgent } from '../http/outbound.ts'
import { isOutage } from '../outage.ts'
import { type AttemptResult, postWebhook } from '../webhooks/deliveries/attempt.ts'
import { type EventRow, findEvents, listEventIds } from '../webhooks/events/log.ts'
import { newWebhookSecret, signWebhook } from '../webhooks/signature.ts'
import {
  CommandError,
  type Commands,
  defineCommand,
  type Option,
  type RunContext,
  requireOption,
} from './command.ts'
import { chooseEnvironment, findCompanyOrOnly } from './company.ts'
import { withContext } from './context.ts'
import { getErrorReason } from './failure.ts'
import {
  companyOrOnlyOption,
  createOptionParser,
  environmentOptions,
  eventsOption,
} from './options.ts'

const EVENT_POLL_MS = 300
const POLL_BATCH_SIZE = 100
/** An event's id is older than its commit, and its clock may be behind ours: by less than this. */
const LOOKBACK_MS = 5 * MINUTE_MS

const secretOption: Option<string> = {
  value: 'whsec_…',
  about: 'The secret to sign with, such as that of an earlier run (default: a new one).',
  parse: createOptionParser(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)),
  mustBe: 'whsec_ and at least 24 bytes in base64',
}

export const commands: Commands = {
  '': defineCommand({
    about:
      'Forwards events to a local address as they happen and prints what it answers, until Ctrl-C. Nothing is sent twice.',
    endless: true,
    options: {
      company: companyOrOnlyOption,
      'forward-to': requireOption({
        value: 'URL',
        about: 'Where to, such as http://localhost:4000/hook.',
        parse: createOptionParser(z.url({ protocol: /^https?$/ })),
        mustBe: 'an address such as http://localhost:4000/hook',
      }),
      events: eventsOption('all of them'),
      secret: secretOption,
      ...environmentOptions,
    },
    run: ({ company, 'forward-to': url, events = [...EVENT_TYPES], secret, ...flags }, running) =>
      withContext(async ({ db }) => {
        if (await checkPublicUrl(url, true)) {
          throw new CommandError(
            '--forward-to can be no such address: leave out user and password.',
          )
        }
        const pair = await findCompanyOrOnly(db, company)
        const { id: companyId, name } = chooseEnvironment(pair, flags)
        const way = { companyId, name, url, events, secret: secret ?? newWebhookSecret() }
        const forwarded = await forwardEvents(db, way, running)
        return { json: { ended: true, forwarded }, text: `Events forwarded: ${forwarded}.` }
      }),
  }),
}

type ForwardTarget = {
  companyId: string
  name: string
  url: string
  events: readonly EventType[]
  secret: string
}

/** Answers how many events were forwarded once it was told to end. */
async function forwardEvents(db: Database, way: ForwardTarget, { print, signal }: RunContext) {
  const agent = createGuardedAgent({ allowPrivate: true })
  const news = await followEvents(db, way.companyId)
  const underWay = new Set<Promise<void>>()
  let forwarded = 0
  let away = false
  print(formatListening(way))
  while (!signal.aborted) {
    const polled = await pollEvents(news)
    switch (polled.kind) {
      case 'away':
        if (!away) print(formatWaiting(polled.reason))
        away = true
        break
      case 'read':
        away = false
        for (const event of polled.fresh.filter(isWanted)) start(event)
    }
    await sleep(EVENT_POLL_MS, undefined, { signal }).catch(() => {})
  }
  await Promise.all(underWay)
  await agent.close()
  return forwarded

  function isWanted({ type }: EventRow) {
    return way.events.includes(type)
  }

  function start(event: EventRow) {
    const going: Promise<void> = forward(event).finally(() => underWay.delete(going))
    underWay.add(going)
  }

  async function forward({ id, type, body }: EventRow) {
    const at = new Date()
    const headers = signWebhook([way.secret], id, at, body)
    const posted = await postWebhook({ url: way.url, headers, body }, { agent, signal })
    if (posted.kind === 'interrupted') return
    forwarded++
    print(formatForwardedEvent({ id, type, ...posted }, at))
  }
}

/** Answers with the events since the last time, each once, whenever it is called. */
async function followEvents(db: Database, companyId: string) {
  let since = new Date(Date.now() - LOOKBACK_MS)
  let known = new Set(await listEventIds(db, companyId, since))

  return async () => {
    const at = Date.now()
    const ids = await listEventIds(db, companyId, since)
    const unknown = ids.filter((id) => !known.has(id)).slice(0, POLL_BATCH_SIZE)
    const fresh = await findEvents(db, companyId, unknown)
    const seen = new Set([...known, ...unknown])
    known = new Set(ids.filter((id) => seen.has(id)))
    // Only now: after an outage it goes on where it was.
    if (unknown.length < POLL_BATCH_SIZE) since = new Date(at - LOOKBACK_MS)
    return fresh
  }
}

type PollResult =
  | { kind: 'read'; fresh: EventRow[] }
  /** The database is, for this reason. */
  | { kind: 'away'; reason: string }

async function pollEvents(take: () => Promise<EventRow[]>): Promise<PollResult> {
  try {
    return { kind: 'read', fresh: await take() }
  } catch (error) {
    if (isOutage(error)) return { kind: 'away', reason: getErrorReason(error) }
    throw error
  }
}

function formatListening({ companyId, name, url, secret }: ForwardTarget) {
  return {
    json: { listening: true, companyId, forwardTo: url, secret },
    text: [
      `Events of "${name}" go to ${url}; Ctrl-C ends this.`,
      `Verify them with this secret (shown only now): ${secret}`,
    ].join('\n'),
  }
}

function formatWaiting(reason: string) {
  return { json: { waiting: reason }, text: `Waiting for the database (${reason}).` }
}

type ForwardedEvent = Pick<AttemptResult, 'outcome' | 'statusCode'> & Pick<EventRow, 'id' | 'type'>

function formatForwardedEvent({ id, type, outcome, statusCode }: ForwardedEvent, startedAt: Date) {
  const at = startedAt.toISOString()
  const ms = Date.now() - startedAt.getTime()
  return {
    json: { id, type, outcome, statusCode, ms, at },
    text: `${at}  ${type}  ${id}  ${statusCode ?? outcome}  ${ms} ms`,
  }
}
