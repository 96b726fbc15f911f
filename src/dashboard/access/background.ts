// Work behind an answer: it takes longer for an account that there is, and a stranger must not be able to tell.
import type { FastifyInstance } from 'fastify'
import type { DashboardNeeds } from '../layout/needs.ts'

/** What fails is logged as `failure`; the program waits for the rest before it ends. */
export function createBackgroundRunner(
  app: FastifyInstance,
  { log }: Pick<DashboardNeeds, 'log'>,
  failure: string,
) {
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underWay)
  })
  return (work: Promise<void>) => {
    const done = work
      .catch((err: unknown) => log.error({ err }, failure))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}
