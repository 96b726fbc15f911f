// Runs work after the answer, since it takes longer for an existing account, which a stranger must not notice.
import type { FastifyInstance } from 'fastify'
import type { DashboardNeeds } from '../layout/needs.ts'

/** Logs failures as `failure`; unfinished work is awaited when the program ends. */
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
