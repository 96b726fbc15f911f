// Whether this process lives, and whether it should be sent work.
import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { AppError } from './errors.ts'

/** `starting` until the schema is up to date, `closing` from the signal to stop. */
export type Lifecycle = { phase: 'starting' | 'ready' | 'closing' }

const ALIVE = '/healthz'
const READY = '/readyz'

type Needs = {
  lifecycle: Lifecycle
  /** Throws when the database does not answer. */
  ping(): Promise<void>
}

export function reportHealth(app: FastifyInstance, { lifecycle, ping }: Needs) {
  app.addHook('onRequest', (request, _reply, done) => {
    const early = lifecycle.phase === 'starting' && request.url !== ALIVE && request.url !== READY
    done(early ? unavailable() : undefined)
  })

  // A client that keeps its connection must not keep a closing process.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.phase === 'closing') reply.header('connection', 'close')
    done()
  })

  app.get(ALIVE, { schema: { hide: true } }, () => ({ status: 'ok' }))

  app.get(READY, { schema: { hide: true } }, async () => {
    if (lifecycle.phase !== 'ready') throw unavailable()
    await ping()
    return { status: 'ok' }
  })
}

function unavailable() {
  return new AppError(503, 'unavailable', texts.unavailable, { headers: { 'retry-after': '2' } })
}
