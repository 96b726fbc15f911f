// Closes the server without failures for clients behind a proxy: new connections are refused, and the proxy sends them
// to another process; requests on open connections are still answered.
import { Server, type Socket } from 'node:net'
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const LINGER_MS = 2_000
const POLL_MS = 20

const STOPPED_LISTENING_EVENT = 'no longer listening'

/** Calls `end`, for endless answers such as streams, as soon as this process accepts no new connections. */
export function endOnClosing(app: FastifyInstance, end: () => void) {
  app.server.once(STOPPED_LISTENING_EVENT, end)
  app.addHook('preClose', async () => end())
}

/** Ends the answers that were registered by endOnClosing. */
export function endAnswers({ server }: FastifyInstance) {
  server.emit(STOPPED_LISTENING_EVENT)
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

/** Closes the server. Each answer ends its connection (health.ts); idle connections are ended here. */
export async function stopAnswering(app: FastifyInstance) {
  const { server } = app
  // Waits until connections that wait in the queue are accepted: they would be reset with the listening socket.
  await nextLoop()
  // The `close` of an HTTP server would end idle connections too.
  Server.prototype.close.call(server)
  endAnswers(app)
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
