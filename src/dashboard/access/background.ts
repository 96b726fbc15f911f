// Runs work after the answer: the work takes longer for an account that exists, and a stranger must not notice.
import type { FastifyInstance } from 'fastify'
import type { DashboardNeeds } from '../layout/needs.ts'

/** Logs failures as `failure`; the program waits for unfinished work before it ends. */
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
