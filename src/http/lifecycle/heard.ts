// Whoever is answered that something was changed finds it changed: what this process kept of it in memory has been
// forgotten by then, and what others kept at about the same time.
import type { FastifyInstance } from 'fastify'
import type { Listener } from '../../database/notifications.ts'

export function answerOnceHeard(scope: FastifyInstance, listener: Pick<Listener, 'catchUp'>) {
  scope.addHook('onSend', ({ method }, { statusCode }, _payload, done) => {
    if (method === 'GET' || method === 'HEAD' || statusCode >= 400) return done()
    void listener.catchUp().then(() => done())
  })
}
