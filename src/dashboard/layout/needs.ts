// The dependencies of the dashboard's pages, and the visitor of a request.
import type { FastifyBaseLogger, FastifyContextConfig, FastifyRequest } from 'fastify'
import type { Company } from '../../companies/company.ts'
import { LOGO_MAX_BYTES } from '../../companies/logo.ts'
import type { Retention } from '../../config.ts'
import type { Database } from '../../database/connect.ts'
import type { Role } from '../../database/enums.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import type { GetAssetUrl } from '../../http/assets/serve.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Providers } from '../../providers/provider.ts'
import type { Right } from '../../users/roles.ts'

export type DashboardNeeds = {
  db: Database
  /** Where reports and tables are read. */
  cipher: Cipher
  limiter: Limiter
  providers: Providers
  /** Null without SMTP_URL. */
  mail: Outbox | null
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  webhookAllowPrivate?: boolean
  retention: Retention
  retryDelaysMs?: readonly number[]
  log: FastifyBaseLogger
  now: () => Date
}

/** A user who is signed in. */
export type Visitor = {
  sessionId: string
  /** The CSRF token of the visitor's forms (users/session.ts). */
  csrf: string
  /** `companyId` is the real environment's, which people belong to. */
  user: { id: string; email: string; role: Role; companyId: string; totpEnabled: boolean }
  /** The environment that they are in. */
  company: Company
  /** When they last typed the password or a code; null: not in this session. */
  confirmedAt: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only behind requireVisitor (dashboard/access/session-guard.ts). */
    visitor: Visitor
  }
  interface FastifyContextConfig {
    /** The right that a visitor needs (users/roles.ts); every route of the dashboard names one. */
    right?: Right
    /** The form may have been opened in either environment. */
    anyEnvironment?: boolean
    /** The page sends the request by itself: it does not count as activity of the person. */
    isBackground?: boolean
    /** Only for a person who has just shown that it is them; a form and its page both say so (access/step-up.ts). */
    stepUp?: true | ((request: FastifyRequest) => Promise<boolean>)
  }
}

/** Options of a route: who may come in, and what else is asked of them. */
export function requireRight(right: Right, more: Omit<FastifyContextConfig, 'right'> = {}) {
  return { config: { ...more, right } }
}

/** For what gives access or directs money: the password or a code is asked for once more. */
export const STEP_UP = { stepUp: true } as const
/** Where the body may be a form with the company's logo or an account's certificate. */
export const UPLOAD = { upload: LOGO_MAX_BYTES }

/** A route about one thing, named in its address. */
export type ById = { Params: { id: string } }

/** The person and the address, for the audit log (companies/audit.ts). */
export function getAuditActor({ visitor, ip }: FastifyRequest) {
  const { user, company } = visitor
  return { companyId: company.id, actor: user.email, userId: user.id, address: ip }
}
