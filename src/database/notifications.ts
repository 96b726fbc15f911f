// One connection per process that LISTENs. What it hears is a hint; whoever relies on having heard
// everything must ask `isLive` first.
//
// A pooler in transaction mode gives our LISTEN to a connection that it then lends to others, and what is
// heard there is lost, but for what comes while it is lent to us. So the proof is sent by the pool, as
// changes are, and after LISTEN nothing is asked on this connection any more.

import { randomUUID } from 'node:crypto'
import { toError } from '../system-error.ts'
import { type Database, isConnectionRefusal } from './connect.ts'
import { createHeartbeat } from './heartbeat.ts'
import { type Connection, keepConnection } from './lasting-connection.ts'

export type NotifyChannel =
  | 'api_key_changed'
  | 'link_changed'
  | 'company_changed'
  | 'delivery_due'
  | 'event_recorded'
  | 'provider_account_changed'

/** Where nobody has subscribed yet there is a channel all the same. */
const OWN_CHANNEL = 'vintem_heartbeat'
const HEARTBEAT_INTERVAL_MS = 2_000
const DEAF_RECONNECT_DELAY_MS = 60_000
/** On a connection that is not known to be lost yet. */
const CATCH_UP_TIMEOUT_MS = 1_000

export const DEAF_ADVICE =
  'changes are not heard, so nothing is kept in memory: a pooler seems to stand between this process and Postgres (name Postgres itself in DATABASE_DIRECT_URL)'

export type Listener = {
  /** Calls `hear` for each notification, and with `null` whenever some may have been missed. */
  subscribe(channel: NotifyChannel, onMessage: OnMessage): void
  /** True while what the pool notifies is seen to arrive here, on every channel. */
  isLive(): boolean
  /** True once it is known that nothing arrives although the database answers. */
  isDeaf(): boolean
  /** Once all that was committed before has been heard, or after a second; at once where nothing is relied on. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

type ListenerEvents = {
  onError?: (error: Error) => void
  /** Whenever it becomes known that nothing arrives. */
  onDeaf?: () => void
}

/**
 * Never fails: it goes on trying to connect, and is not live until it has. `url` names Postgres itself
 * where `db` goes through a pooler.
 */
export function openListener(
  db: Database,
  url: string,
  { onError = () => {}, onDeaf = () => {} }: ListenerEvents = {},
): Listener {
  const marks = createMarks(db, onError)
  const subscribers = createSubscribers()
  subscribers.add(OWN_CHANNEL, marks.hear)
  const heartbeat = createHeartbeat((channels, payload) =>
    db.$client.query('select pg_notify(c, $1) from unnest($2::text[]) c', [payload, channels]),
  )
  let deaf = false
  let lastListen: Promise<unknown> = Promise.resolve()
  let listens = 0
  const { getConnection, close } = keepConnection(url, {
    onOpen: (connection) => listenTo(connection, subscribers.channels()),
    onLoss(error) {
      heartbeat.reset()
      if (error) onError(error)
    },
    onNotification(channel, payload) {
      if (!heartbeat.receiveBeat(channel, payload)) subscribers.emit(channel, payload)
      else if (heartbeat.isProven()) deaf = false
    },
  })
  const beating = setInterval(tick, HEARTBEAT_INTERVAL_MS)

  return {
    subscribe(channel, onMessage) {
      const isNew = subscribers.add(channel, onMessage)
      const connection = getConnection()
      if (!isNew || !connection) return
      heartbeat.reset()
      listenTo(connection, [channel])
    },
    isLive: heartbeat.isProven,
    isDeaf: () => deaf,
    async catchUp() {
      if (heartbeat.isProven()) await marks.exchange()
    },
    close() {
      clearInterval(beating)
      return close()
    },
  }

  /** One statement at a time: a pg client takes no second one while the first runs. */
  function listenTo(on: Connection, channels: string[]) {
    const text = channels.map((channel) => `listen ${channel}`).join(';')
    listens++
    lastListen = lastListen
      .then(() => on.client.query(text))
      .catch((error) => on.drop(toError(error)))
      .then(() => {
        listens--
        if (getConnection() !== on) return
        heartbeat.reset()
        // What was said before this took effect was missed.
        for (const channel of channels) subscribers.emit(channel, null)
        void tick()
      })
  }

  async function tick() {
    const connection = getConnection()
    if (!connection || listens > 0) return
    try {
      const { kind } = await heartbeat.tick(subscribers.channels())
      if (kind === 'missed') await giveUp(connection)
    } catch (error) {
      // Before it ends, Postgres may be waiting for this connection too.
      const report = isConnectionRefusal(error) ? connection.drop : onError
      report(toError(error))
    }
  }

  /** What was heard on this connection before is merely broken; what never was, a pooler swallows. */
  async function giveUp(connection: Connection) {
    if (heartbeat.wasEverProven()) return connection.drop()
    if (!deaf) onDeaf()
    deaf = true
    // Whatever is said to it would be a line in the pooler's log; and this is no time for beats.
    listens++
    await connection.client.query('unlisten *').catch(() => {})
    listens--
    connection.drop(undefined, DEAF_RECONNECT_DELAY_MS)
  }
}

type OnMessage = (payload: string | null) => void

function createSubscribers() {
  const all = new Map<string, OnMessage[]>()
  return {
    channels: () => [...all.keys()],
    /** Whether it is the first of that channel. */
    add(channel: string, onMessage: OnMessage) {
      const known = all.get(channel)
      all.set(channel, [...(known ?? []), onMessage])
      return known === undefined
    },
    emit(channel: string, payload: string | null) {
      for (const onMessage of all.get(channel) ?? []) onMessage(payload)
    },
  }
}

/** Postgres delivers in the order of commits: who hears a mark of theirs has heard what was said before it. */
function createMarks(db: Database, onError: (error: Error) => void) {
  const awaited = new Map<string | null, () => void>()
  return {
    hear(mark: string | null) {
      awaited.get(mark)?.()
    },
    async exchange() {
      const mark = randomUUID()
      const { promise, resolve } = Promise.withResolvers<void>()
      const timeout = setTimeout(resolve, CATCH_UP_TIMEOUT_MS)
      awaited.set(mark, resolve)
      const send = () => db.$client.query('select pg_notify($1, $2)', [OWN_CHANNEL, mark])
      try {
        // Nobody waits for a database that does not answer.
        await Promise.race([send().then(() => promise), promise])
      } catch (error) {
        onError(toError(error))
      } finally {
        clearTimeout(timeout)
        awaited.delete(mark)
      }
    },
  }
}
