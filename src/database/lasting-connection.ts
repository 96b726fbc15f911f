// A connection for LISTEN that is made again whenever it is lost.
import pg from 'pg'
import { toError } from '../system-error.ts'
import { applySessionSettings } from './session.ts'

const RECONNECT_DELAY_MS = 500

/** What Postgres knows it by: each process has one. */
export const LISTENER_NAME = 'vintem listener'

export type Connection = {
  client: pg.Client
  /** Gives it up; nothing to do where it is lost already. */
  drop(error?: Error, reconnectDelayMs?: number): void
}

type ConnectionEvents = {
  onOpen(connection: Connection): void
  onLoss(error?: Error): void
  onNotification(channel: string, payload: string): void
}

/** Never fails: it goes on trying to connect. */
export function keepConnection(url: string, events: ConnectionEvents) {
  let current: Connection | undefined
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let connecting = connect()

  return {
    getConnection: () => current,
    async close() {
      closed = true
      clearTimeout(retry)
      await connecting
      await current?.client.end().catch(() => {})
    },
  }

  async function connect() {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      application_name: LISTENER_NAME,
    })
    let lost = false
    const connection = { client, drop }
    client.on('error', drop)
    client.on('end', drop)
    client.on('notification', ({ channel, payload = '' }) =>
      events.onNotification(channel, payload),
    )
    try {
      await client.connect()
      await applySessionSettings(client)
      current = connection
      events.onOpen(connection)
    } catch (error) {
      drop(toError(error))
    }

    function drop(error?: Error, reconnectDelayMs = RECONNECT_DELAY_MS) {
      if (lost) return
      lost = true
      client.end().catch(() => {})
      if (closed) return
      current = undefined
      events.onLoss(error)
      retry = setTimeout(() => {
        connecting = connect()
      }, reconnectDelayMs)
    }
  }
}
