// The dependencies of the dashboard's pages, the visitor of a request, and the record of what visitors do: in the audit
// log, and for some actions by e-mail to the owners.
import type { FastifyBaseLogger, FastifyContextConfig, FastifyRequest } from 'fastify'
import { type NewAuditEntry, PEOPLE_ACTIONS, recordAudit } from '../../companies/audit.ts'
import type { Company } from '../../companies/company.ts'
import { LOGO_MAX_BYTES } from '../../companies/logo.ts'
import type { Retention } from '../../config.ts'
import type { Database, Db } from '../../database/connect.ts'
import type { Cipher } from '../../database/encryption/cipher.ts'
import type { Role } from '../../database/enums.ts'
import type { GetAssetUrl } from '../../http/assets.ts'
import type { Limiter } from '../../http/limiter.ts'
import type { SecurityChange } from '../../mail/data.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { queueSecurityMail, recordSecurityChange, type SecurityEntry } from '../../mail/security.ts'
import type { Providers } from '../../providers/provider.ts'
import type { Right } from '../../users/roles.ts'
import type { RenderPage } from './page.ts'

export type DashboardNeeds = {
  db: Database
  cipher: Cipher
  limiter: Limiter
  providers: Providers
  /** Null without SMTP_URL. */
  mail: Outbox | null
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  allowPrivate?: boolean
  retention: Retention
  retryDelaysMs?: readonly number[]
  log: FastifyBaseLogger
  now: () => Date
  show: RenderPage
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
  /** When the password or a code was last typed in this session. */
  confirmedAt: string
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
    stepUp?: true
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

type KnownByRequest = 'companyId' | 'actor' | 'userId' | 'address' | 'now'

export function recordAct(
  { db, now }: { db: Db; now: () => Date },
  request: FastifyRequest,
  entry: Omit<NewAuditEntry, KnownByRequest>,
) {
  return recordAudit(db, { ...getAuditActor(request), ...entry, now: now() })
}

/** Also sends an e-mail, which names the environment unless the action is about people, who belong to both. */
export function recordSecurityAct(
  { db, mail, now }: Pick<DashboardNeeds, 'mail' | 'now'> & { db: Db },
  request: FastifyRequest,
  entry: Omit<SecurityEntry, KnownByRequest>,
) {
  const testMode = request.visitor.company.testMode && !PEOPLE_ACTIONS.has(entry.action)
  const by = { ...getAuditActor(request), testMode, now: now() }
  return recordSecurityChange(db, mail, { ...by, ...entry })
}

/** Sends only the e-mail, for an action that is already in the audit log. */
export async function queueSecurityNotice(
  { db, mail, now }: DashboardNeeds,
  { visitor: { user, company }, ip: address }: FastifyRequest,
  { what, subject = null }: { what: SecurityChange; subject?: string | null },
) {
  const by = { companyId: company.id, userId: user.id, actor: user.email, address, now: now() }
  const { testMode } = company
  await queueSecurityMail(mail, db, { ...by, what, subject, device: null, testMode })
}
