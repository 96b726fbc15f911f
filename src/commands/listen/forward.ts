// What is heard goes to an address of the developer's as a webhook, signed as one, and is told line by line.
import { createGuardedAgent } from '../../http/outbound.ts'
import { type AttemptResult, postWebhook } from '../../webhooks/deliveries/attempt.ts'
import { signWebhook } from '../../webhooks/signature.ts'
import { type CommandResult, printResult } from '../command.ts'
import type { Heard, HeardEvent } from './source.ts'

const MAX_UNDER_WAY = 20

type Said = Pick<CommandResult, 'json' | 'text'>

type ForwardTarget = {
  url: string
  secret: string
  /** Said once nothing is missed any more. */
  opening: Said
  /** Ends it. */
  signal: AbortSignal
}

/** Answers how many events were forwarded once there is nothing more to hear. */
export async function forwardEvents(
  heard: AsyncIterable<Heard>,
  { url, secret, opening, signal }: ForwardTarget,
) {
  const agent = createGuardedAgent({ allowPrivate: true })
  const underWay = new Set<Promise<void>>()
  let forwarded = 0
  const say = createNews(opening)
  for await (const one of heard) {
    say(one)
    if (one.kind === 'event') start(one.event)
    if (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  await agent.close()
  return forwarded

  function start(event: HeardEvent) {
    const going: Promise<void> = forward(event).finally(() => underWay.delete(going))
    underWay.add(going)
  }

  async function forward({ id, type, body }: HeardEvent) {
    const at = new Date()
    const headers = signWebhook([secret], id, at, body)
    const posted = await postWebhook({ url, headers, body }, { agent, signal })
    if (posted.kind === 'interrupted') return
    forwarded++
    printResult(formatForwardedEvent({ id, type, ...posted }, at))
  }
}

/** Says once that it listens, and once, until something is heard again, that it waits. */
function createNews(opening: Said) {
  let isOpen = false
  let isWaiting = false
  return (one: Heard) => {
    if (one.kind === 'waiting' && !isWaiting) printResult(formatWaiting(one.reason))
    if (one.kind === 'open' && !isOpen) printResult(opening)
    isOpen ||= one.kind === 'open'
    isWaiting = one.kind === 'waiting'
  }
}

function formatWaiting(reason: string): Said {
  return { json: { waiting: reason }, text: `Waiting (${reason}).` }
}

type ForwardedEvent = Pick<AttemptResult, 'outcome' | 'statusCode'> &
  Pick<HeardEvent, 'id' | 'type'>

function formatForwardedEvent({ id, type, outcome, statusCode }: ForwardedEvent, startedAt: Date) {
  const at = startedAt.toISOString()
  const ms = Date.now() - startedAt.getTime()
  return {
    json: { id, type, outcome, statusCode, ms, at },
    text: `${at}  ${type}  ${id}  ${statusCode ?? outcome}  ${ms} ms`,
  }
}
