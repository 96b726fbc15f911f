// Whether this process lives, and whether it should be sent work.
import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'

/** `starting` until the schema is up to date, `closing` from the signal to stop. */
export type Lifecycle = { phase: 'starting' | 'ready' | 'closing' }

const LIVENESS_PATH = '/healthz'
const READINESS_PATH = '/readyz'

type HealthNeeds = {
  lifecycle: Lifecycle
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** Throws when nothing can be written there. */
  probeWrite(): Promise<void>
  /** Why nothing is kept in memory, while that is so: all is well, but slower. */
  findCacheProblem(): string | undefined
}

export function reportHealth(
  app: FastifyInstance,
  { lifecycle, ping, probeWrite, findCacheProblem }: HealthNeeds,
) {
  app.addHook('onRequest', (request, _reply, done) => {
    const early =
      lifecycle.phase === 'starting' &&
      request.url !== LIVENESS_PATH &&
      request.url !== READINESS_PATH
    done(early ? unavailableError() : undefined)
  })

  // A client that keeps its connection must not keep a closing process.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.phase === 'closing') reply.header('connection', 'close')
    done()
  })

  app.get(LIVENESS_PATH, { schema: { hide: true } }, () => ({ status: 'ok' }))

  app.get(READINESS_PATH, { schema: { hide: true } }, async () => {
    if (lifecycle.phase !== 'ready') throw unavailableError()
    await ping()
    await probeWrite()
    const problem = findCacheProblem()
    return problem ? { status: 'ok', cache: 'off', reason: problem } : { status: 'ok' }
  })
}

function unavailableError() {
  return new AppError(503, 'unavailable', texts.unavailable, { headers: { 'retry-after': '2' } })
}
