// The dependencies of the dashboard's pages, and the visitor of a request.
import type { FastifyBaseLogger, FastifyContextConfig, FastifyRequest } from 'fastify'
import type { Company } from '../../companies/company.ts'
import { LOGO_MAX_BYTES } from '../../companies/logo.ts'
import type { Retention } from '../../config.ts'
import type { Database } from '../../database/connect.ts'
import type { Role } from '../../database/enums.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import type { GetAssetUrl } from '../../http/assets.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Providers } from '../../providers/provider.ts'
import type { Right } from '../../users/roles.ts'

export type DashboardNeeds = {
  db: Database
  /** The connection for reports and tables. */
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
  /** The environment that the visitor uses. */
  company: Company
  /** When the password or a code was last typed in this session; null: never. */
  confirmedAt: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only set behind requireVisitor (dashboard/access/session-guard.ts). */
    visitor: Visitor
  }
  interface FastifyContextConfig {
    /** The right that a visitor needs (users/roles.ts); every route of the dashboard names one. */
    right?: Right
    /** The form may have been opened in the other environment. */
    anyEnvironment?: boolean
    /** The page sends the request automatically, so it does not count as activity of the person. */
    isBackground?: boolean
    /** Needs a recent password or code; both a form and its page must say so (access/step-up.ts). */
    stepUp?: true | ((request: FastifyRequest) => Promise<boolean>)
  }
}

/** Options of a route: the right that it needs, and further requirements. */
export function requireRight(right: Right, more: Omit<FastifyContextConfig, 'right'> = {}) {
  return { config: { ...more, right } }
}

/** For actions that give access or direct money: the password or a code is asked for again. */
export const STEP_UP = { stepUp: true } as const
/** For bodies that may be a form with the company's logo or an account's certificate. */
export const UPLOAD = { upload: LOGO_MAX_BYTES }

/** A route with an id in its address. */
export type ById = { Params: { id: string } }

/** The person and the address, for the audit log (companies/audit.ts). */
export function getAuditActor({ visitor, ip }: FastifyRequest) {
  const { user, company } = visitor
  return { companyId: company.id, actor: user.email, userId: user.id, address: ip }
}
