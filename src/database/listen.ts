// One connection for each process that LISTENs, so that workers start as soon as something is due. Nothing depends on
// it: workers poll too, and notifications are lost while there is no connection.
import pg from 'pg'
import { toError } from '../system-error.ts'
import { applySessionSettings, ownsSession } from './session.ts'

export type NotifyChannel = 'delivery_due'

/** The name of the connection in Postgres; each process has one. */
export const LISTENER_NAME = 'vintem listener'
const RECONNECT_DELAY_MS = 500

export type Listener = ReturnType<typeof openListener>

type ListenOptions = {
  onError?: (error: Error) => void
  onConnect?: () => void
  /** Called when the connection goes through a pooler, where LISTEN does not work: no connection is kept. */
  onPooler?: () => void
}

/** Connects at the first subscription. It never fails, and tries to connect again and again. */
export function openListener(url: string, { onError, onConnect, onPooler }: ListenOptions = {}) {
  const subscribers = new Map<string, ((payload: string) => void)[]>()
  let current: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let connecting: Promise<void> | undefined

  return {
    /** Calls `hear` with the payload of each notification. */
    subscribe(channel: NotifyChannel, hear: (payload: string) => void) {
      const known = subscribers.get(channel)
      subscribers.set(channel, [...(known ?? []), hear])
      if (!known) current?.query(`listen ${channel}`).catch(() => {})
      connecting ??= connect()
    },
    /** Replaces the connection, because a Postgres that is stopping may wait for it to end. */
    renew: () => void current?.end().catch(() => {}),
    async close() {
      isClosed = true
      clearTimeout(retry)
      await connecting
      await current?.end().catch(() => {})
    },
  }

  async function connect() {
    const client = new pg.Client({
      ...{ connectionString: url, application_name: LISTENER_NAME },
      ...{ keepAlive: true, connectionTimeoutMillis: 3_000 },
    })
    const { promise: lost, resolve: lose } = Promise.withResolvers<Error | undefined>()
    client.on('error', lose)
    client.on('end', () => lose(undefined))
    void lost.then((error) => noteLoss(client, error))
    client.on('notification', ({ channel, payload = '' }) => {
      for (const notify of subscribers.get(channel) ?? []) notify(payload)
    })
    try {
      await client.connect()
      if (!(await ownsSession(client))) {
        isClosed = true
        onPooler?.()
        return await client.end()
      }
      await applySessionSettings(client)
      current = client
      for (const channel of subscribers.keys()) await client.query(`listen ${channel}`)
      onConnect?.()
    } catch (error) {
      lose(toError(error))
    }
  }

  function noteLoss(client: pg.Client, error: Error | undefined) {
    client.end().catch(() => {})
    if (current === client) current = undefined
    if (isClosed) return
    if (error) onError?.(error)
    retry = setTimeout(() => {
      connecting = connect()
    }, RECONNECT_DELAY_MS)
  }
}
