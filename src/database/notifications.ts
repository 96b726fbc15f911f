// One connection per process that LISTENs. What it hears is a hint; whoever relies on having heard
// everything must ask `isLive` first.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { toError } from '../system-error.ts'

export type NotifyChannel =
  | 'api_key_changed'
  | 'link_changed'
  | 'company_changed'
  | 'delivery_due'
  | 'provider_account_changed'

const HEARTBEAT_CHANNEL = 'vintem_heartbeat'
const HEARTBEAT_INTERVAL_MS = 2_000
const MAX_SILENCE_MS = 6_000
const RECONNECT_DELAY_MS = 500

export type Listener = {
  /** Calls `hear` for each notification, and with `null` whenever some may have been missed. */
  subscribe(channel: NotifyChannel, onMessage: (payload: string | null) => void): void
  /**
   * True while our own notifications are seen to arrive. Behind a PgBouncer in transaction mode they
   * never do, and caches that depend on them stay unused.
   */
  isLive(): boolean
  close(): Promise<void>
}

/** Never fails: it goes on trying to connect, and is not live until it has. */
export function openListener(url: string, onError: (error: Error) => void): Listener {
  const subscribers = new Map<string, ((payload: string | null) => void)[]>()
  const me = randomUUID()
  let client: pg.Client | undefined
  let lastHeartbeatAt = Number.NEGATIVE_INFINITY
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let lastQuery: Promise<unknown> = Promise.resolve()

  const heartbeat = setInterval(sendHeartbeat, HEARTBEAT_INTERVAL_MS)
  const connecting = connect()

  return {
    subscribe(channel, onMessage) {
      subscribers.set(channel, [...(subscribers.get(channel) ?? []), onMessage])
      // What was said before this takes effect is missed.
      runQuery(`listen ${channel}`).then(() => onMessage(null))
    },
    isLive: () => performance.now() - lastHeartbeatAt < MAX_SILENCE_MS,
    async close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      await connecting
      await client?.end().catch(onError)
    },
  }

  async function connect() {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      application_name: 'vintem listener',
    })
    fresh.on('error', handleLoss)
    fresh.on('end', handleLoss)
    fresh.on('notification', ({ channel, payload = '' }) => {
      if (channel === HEARTBEAT_CHANNEL) {
        if (payload === me) lastHeartbeatAt = performance.now()
      } else {
        emitMessage(channel, payload)
      }
    })
    try {
      await fresh.connect()
      for (const channel of [HEARTBEAT_CHANNEL, ...subscribers.keys()])
        await fresh.query(`listen ${channel}`)
      client = fresh
      for (const channel of subscribers.keys()) emitMessage(channel, null)
      sendHeartbeat()
    } catch (error) {
      handleLoss(toError(error))
      fresh.end().catch(() => {})
    }

    function handleLoss(error?: Error) {
      if (closed || (client && client !== fresh)) return
      if (error) onError(error)
      client = undefined
      lastHeartbeatAt = Number.NEGATIVE_INFINITY
      clearTimeout(retry)
      retry = setTimeout(connect, RECONNECT_DELAY_MS)
    }
  }

  function emitMessage(channel: string, payload: string | null) {
    for (const onMessage of subscribers.get(channel) ?? []) onMessage(payload)
  }

  function sendHeartbeat() {
    runQuery(`notify ${HEARTBEAT_CHANNEL}, '${me}'`)
  }

  /** One statement at a time: a pg client takes no second one while the first runs. */
  function runQuery(text: string) {
    lastQuery = lastQuery.then(() => client?.query(text)).catch(onError)
    return lastQuery
  }
}
