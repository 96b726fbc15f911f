// Health checks: whether this process is alive, and whether it should receive requests.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { unavailableError } from '../errors.ts'

/** `starting` until the schema is up to date, `closing` from the signal to stop. */
export type Lifecycle = { phase: 'starting' | 'ready' | 'closing' }

/** A request during the start waits at most this long. With a reachable database the start is shorter. */
const START_PATIENCE_MS = 3_000
const START_POLL_MS = 20

const LIVENESS_PATH = '/healthz'
const READINESS_PATH = '/readyz'
export const METRICS_PATH = '/metrics'
/** The paths that are answered during the start. */
const EARLY_PATHS = [LIVENESS_PATH, READINESS_PATH, METRICS_PATH]

type ReadinessNeeds = {
  lifecycle: Lifecycle
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** Throws when the database is read-only. */
  probeWrite(): Promise<void>
  /** Throws when the key does not decrypt the secrets of the database. */
  requireKey(): Promise<void>
}

type FollowNeeds = { lifecycle: Lifecycle; startPatienceMs?: number | undefined }

/** Returns a check that throws while this process should receive no requests. */
export function createReadiness({ lifecycle, ping, probeWrite, requireKey }: ReadinessNeeds) {
  return async function requireReady() {
    if (lifecycle.phase !== 'ready') throw unavailableError()
    await ping()
    await probeWrite()
    await requireKey()
  }
}

/** Makes requests wait until the process is ready, and ends their connections once it closes. */
export function followLifecycle(
  app: FastifyInstance,
  { lifecycle, startPatienceMs = START_PATIENCE_MS }: FollowNeeds,
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

/** Whether the process became ready in time. */
async function awaitStart(lifecycle: Lifecycle, patienceMs: number) {
  const askedAt = performance.now()
  while (lifecycle.phase === 'starting' && performance.now() - askedAt < patienceMs) {
    await sleep(START_POLL_MS)
  }
  return lifecycle.phase !== 'starting'
}
