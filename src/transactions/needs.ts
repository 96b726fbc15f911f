import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Providers } from '../providers/provider.ts'

export type PayNeeds = {
  db: Database
  providers: Providers
  checkoutUrl: string
  /** When null or absent, no e-mail is written. */
  mail?: Outbox | null
  log: FastifyBaseLogger
  metrics?: Metrics | undefined
  now: () => Date
  /** The pauses before a charge that the provider did not process is sent again. */
  retryDelaysMs?: readonly number[]
}

/**
 * What code needs to publish a change in its own transaction: events and e-mails. `now` is read once the payment is
 * locked, since waiting for the lock takes time.
 */
export type PublishContext = Pick<PayNeeds, 'checkoutUrl' | 'mail' | 'now'>
