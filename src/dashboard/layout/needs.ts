// What the pages of the dashboard are made with, and who is looking at them.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import type { Seal } from '../../database/encryption.ts'
import type { Role } from '../../database/enums.ts'
import type { Asset } from '../../http/html.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { Mailbox } from '../../mail/outbox.ts'
import type { Providers } from '../../providers/provider.ts'

export type DashboardNeeds = {
  db: Database
  seal: Seal
  limiter: Limiter
  providers: Providers
  /** Null without SMTP_URL. */
  mail: Mailbox | null
  /** Sends the test events that somebody waits for. */
  agent: Dispatcher
  asset: Asset
  baseUrl: string
  checkoutUrl: string
  webhookAllowPrivate?: boolean
  retryDelaysMs?: readonly number[]
  log: FastifyBaseLogger
  now: () => Date
}

/** Somebody of a company, signed in. */
export type Visitor = {
  sessionId: string
  /** What every form of theirs carries (users/session.ts). */
  csrf: string
  user: { id: string; email: string; role: Role; totpEnabled: boolean }
  company: Company
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only behind requireVisitor (dashboard/access/session-guard.ts). */
    visitor: Visitor
  }
  interface FastifyContextConfig {
    /** The route is for owners alone. */
    owners?: boolean
    /** The body may be a form with files (upload.ts). */
    upload?: boolean
  }
}

/** Who and from where, for the audit log (companies/audit.ts). */
export function getAuditActor({ visitor, ip }: FastifyRequest) {
  const { user, company } = visitor
  return { companyId: company.id, actor: user.email, userId: user.id, address: ip }
}
