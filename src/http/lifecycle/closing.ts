// Closes the server so that no client behind a proxy notices: new connections are refused, and the proxy takes
// them to another process, while requests still arriving on kept-alive connections are answered.
import { Server, type Socket } from 'node:net'
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const LINGER_MS = 2_000
const POLL_MS = 20

const DEAF_EVENT = 'no longer listening'

/** Calls `end`, for endless answers such as streams, once their clients can reconnect only to another process. */
export function endOnClosing(app: FastifyInstance, end: () => void) {
  app.server.once(DEAF_EVENT, end)
  app.addHook('preClose', async () => end())
}

/** Ends the answers that endOnClosing was told of. */
export function endAnswers({ server }: FastifyInstance) {
  server.emit(DEAF_EVENT)
}

/**
 * A connection on which nothing was asked yet, as browsers and probes open them, is not idle to Node, and would
 * hold up the end until its headers are overdue.
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

/** While it closes each answer ends its connection (health.ts); those that are idle for so long are ended here. */
export async function stopAnswering(app: FastifyInstance) {
  const { server } = app
  // Here all that had connected was just accepted; with the listening socket the rest would be reset.
  await nextLoop()
  // The method of an HTTP server ends idle connections as well.
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
