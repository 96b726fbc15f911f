// Health checks, and a start and an end without failures for clients behind a proxy: while the server closes, new
// connections are refused, and the proxy sends them to another process; requests on open connections are still answered.

import { Server, type Socket } from 'node:net'
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { unavailableError } from './errors.ts'

/** `starting` until the schema is up to date, `closing` from the signal to stop. */
export type Lifecycle = { phase: 'starting' | 'ready' | 'closing' }

/** A request during the start waits at most this long. With a reachable database the start is shorter. */
const START_PATIENCE_MS = 3_000
const POLL_MS = 20
const LINGER_MS = 2_000
const STOPPED_LISTENING_EVENT = 'no longer listening'

const LIVENESS_PATH = '/healthz'
const READINESS_PATH = '/readyz'
export const METRICS_PATH = '/metrics'
/** The paths that are answered during the start. */
const EARLY_PATHS = [LIVENESS_PATH, READINESS_PATH, METRICS_PATH]

/** Makes requests wait until the process is ready, and ends their connections once it closes. */
export function followLifecycle(
  app: FastifyInstance,
  {
    lifecycle,
    startPatienceMs = START_PATIENCE_MS,
  }: { lifecycle: Lifecycle; startPatienceMs?: number },
) {
  // A client that keeps its connection must not keep a closing process.
  const endConnection = (reply: FastifyReply) => {
    if (lifecycle.phase === 'closing') reply.header('connection', 'close')
  }

  app.addHook('onRequest', (request, reply, done) => {
    endConnection(reply)
    const isEarly = lifecycle.phase === 'starting' && !EARLY_PATHS.includes(request.url)
    if (!isEarly) return done()
    void awaitStart(lifecycle, startPatienceMs).then((started) => {
      done(started ? undefined : unavailableError())
    })
  })

  // The process may have begun to close since the request arrived.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    endConnection(reply)
    done()
  })
}

export function reportHealth(app: FastifyInstance, requireReady: () => Promise<void>) {
  app.get(LIVENESS_PATH, () => ({ status: 'ok' }))

  app.get(READINESS_PATH, async () => {
    await requireReady()
    return { status: 'ok' }
  })
}

async function awaitStart(lifecycle: Lifecycle, patienceMs: number) {
  const askedAt = performance.now()
  while (lifecycle.phase === 'starting' && performance.now() - askedAt < patienceMs) {
    await sleep(POLL_MS)
  }
  return lifecycle.phase !== 'starting'
}

/** Calls `end`, for endless answers such as streams, as soon as this process accepts no new connections. */
export function endOnClosing(app: FastifyInstance, end: () => void) {
  app.server.once(STOPPED_LISTENING_EVENT, end)
  app.addHook('preClose', async () => end())
}

/**
 * Ends connections without a request, as browsers and probes open them. Node does not count them as idle, and would
 * wait until their headers are overdue.
 */
export function endUnusedConnections(app: FastifyInstance) {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}

/** Closes the server. Each answer ends its connection (followLifecycle); idle connections are ended here. */
export async function stopAnswering(app: FastifyInstance) {
  const { server } = app
  // Waits until connections that wait in the queue are accepted: they would be reset with the listening socket.
  await nextLoop()
  // The `close` of an HTTP server would end idle connections too.
  Server.prototype.close.call(server)
  server.emit(STOPPED_LISTENING_EVENT)
  const startedAt = performance.now()
  while (performance.now() - startedAt < LINGER_MS && (await countConnections(server)) > 0) {
    await sleep(POLL_MS)
  }
  await app.close()
}

function countConnections(server: Server) {
  return new Promise<number>((resolve) => {
    server.getConnections((_error, count = 0) => resolve(count))
  })
}
