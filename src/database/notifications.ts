// One connection per process that LISTENs. What it hears is a hint; whoever relies on having heard
// everything must ask `isLive` first.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export type Channel =
  | 'api_key_changed'
  | 'link_changed'
  | 'company_changed'
  | 'delivery_due'
  | 'provider_account_changed'

const HEARTBEAT = 'vintem_heartbeat'
const HEARTBEAT_MS = 2_000
const SILENCE_MS = 6_000
const RECONNECT_MS = 500

export type Listener = {
  /** Calls `hear` for each notification, and with `null` whenever some may have been missed. */
  on(channel: Channel, hear: (payload: string | null) => void): void
  /**
   * True while our own notifications are seen to arrive. Behind a PgBouncer in transaction mode they
   * never do, and memories that depend on them stay unused.
   */
  isLive(): boolean
  close(): Promise<void>
}

/** Never fails: it goes on trying to connect, and is not live until it has. */
export function listen(url: string, onError: (error: Error) => void): Listener {
  const hearers = new Map<Channel, ((payload: string | null) => void)[]>()
  const me = randomUUID()
  let client: pg.Client | undefined
  let heardAt = Number.NEGATIVE_INFINITY
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let asking: Promise<unknown> = Promise.resolve()

  const heartbeat = setInterval(beat, HEARTBEAT_MS)
  const connecting = connect()

  return {
    on(channel, hear) {
      hearers.set(channel, [...(hearers.get(channel) ?? []), hear])
      // What was said before this takes effect is missed.
      ask(`listen ${channel}`).then(() => hear(null))
    },
    isLive: () => performance.now() - heardAt < SILENCE_MS,
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
    fresh.on('error', lose)
    fresh.on('end', lose)
    fresh.on('notification', ({ channel, payload = '' }) => {
      if (channel === HEARTBEAT) {
        if (payload === me) heardAt = performance.now()
      } else {
        tell(channel as Channel, payload)
      }
    })
    try {
      await fresh.connect()
      for (const channel of [HEARTBEAT, ...hearers.keys()]) await fresh.query(`listen ${channel}`)
      client = fresh
      for (const channel of hearers.keys()) tell(channel, null)
      beat()
    } catch (error) {
      lose(error as Error)
      fresh.end().catch(() => {})
    }

    function lose(error?: Error) {
      if (closed || (client && client !== fresh)) return
      if (error) onError(error)
      client = undefined
      heardAt = Number.NEGATIVE_INFINITY
      clearTimeout(retry)
      retry = setTimeout(connect, RECONNECT_MS)
    }
  }

  function tell(channel: Channel, payload: string | null) {
    for (const hear of hearers.get(channel) ?? []) hear(payload)
  }

  function beat() {
    ask(`notify ${HEARTBEAT}, '${me}'`)
  }

  /** One statement at a time: a pg client takes no second one while the first runs. */
  function ask(text: string) {
    asking = asking.then(() => client?.query(text)).catch(onError)
    return asking
  }
}
