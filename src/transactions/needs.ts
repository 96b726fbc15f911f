import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Metrics } from '../http/metrics/metrics.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Providers } from '../providers/provider.ts'

export type PayNeeds = {
  db: Database
  providers: Providers
  checkoutUrl: string
  /** Null or absent: no e-mail is written. */
  mail?: Outbox | null
  log: FastifyBaseLogger
  metrics?: Metrics | undefined
  now: () => Date
  /** Pauses before a charge that the provider would not work on is sent again. */
  retryDelaysMs?: readonly number[]
}

/** What is done to a payment at `now` is published in its own transaction: by events, and by e-mail. */
export type PublishContext = { checkoutUrl: string; now: Date; mail?: Outbox | null | undefined }
