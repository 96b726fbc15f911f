// The first steps of a new company, in both environments. Each step is checked against the data. The list disappears
// once all steps are done, a live payment was made, or the person hid it.
import type { Company } from '../../companies/company.ts'
import type { Database } from '../../database/connect.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { ProviderName } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { users } from '../../database/tables.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { texts } from '../../texts.ts'
import { hasRight, listRolesWith, type Right } from '../../users/roles.ts'
import type { DashboardNeeds, Visitor } from '../layout/needs.ts'
import {
  BRAND_PATH,
  endpointPagePath,
  INTEGRATIONS_PATH,
  LINKS_PATH,
  RECEIVABLES_PATH,
} from '../layout/paths.ts'
import { accountPagePath, choicePath } from '../receivables/account-view.ts'
import { homeTexts } from './texts.ts'

type Target = { href: string; testMode?: boolean; opensTab?: boolean }

type FirstStepsVisitor = Pick<Visitor, 'company'> & {
  user: Pick<Visitor['user'], 'id' | 'companyId' | 'role'>
}

type Step = {
  title: string
  text: string
  isDone: boolean
  /** Companies that sell only by links need no webhooks. */
  isOptional?: true
  right: Right
  /** The text of the button to `target`. */
  action: string
  /** Null when another step comes first. */
  target: Target | null
}

/** Null when there is nothing to show. */
export async function loadFirstSteps(
  { db, checkoutUrl }: DashboardNeeds,
  { user, company }: FirstStepsVisitor,
) {
  const facts = await readProgress(db, user)
  if (facts.isHidden || facts.isPaid) return null
  const all = listSteps(facts, company, checkoutUrl)
  const next = all.find(({ isDone, isOptional }) => !isDone && !isOptional)
  if (next === undefined) return null
  const steps = all.map((step) => {
    const { title, text, isDone, isOptional = false, right, target } = step
    const isMine = hasRight(user.role, right)
    const isOpen = !isDone && isMine && target !== null
    return {
      ...{ title, text, isDone, isOptional, isNext: step === next },
      action: isOpen ? toAction(step.action, target, company.testMode) : null,
      /** Why there is no action: which role may do it, or which step comes first. */
      note: isDone || isOpen ? null : isMine ? homeTexts.providerFirst : nameRoles(right),
    }
  })
  const doneCount = all.filter(({ isDone }) => isDone).length
  return { steps, progress: homeTexts.progress(doneCount, all.length) }
}

/** Hides the first steps permanently. */
export async function hideFirstSteps(db: Database, userId: string) {
  await db.update(users).set({ hidesFirstSteps: true }).where(sql`id = ${userId}`)
}

function listSteps(
  { isTestPaid, isHeard, isLive, hasRealLink, testSlug, endpoint, account }: Progress,
  { logoUrl, color }: Company,
  checkoutUrl: string,
): Step[] {
  const { steps, begun } = homeTexts
  return [
    {
      ...steps.brand,
      ...{ isDone: logoUrl !== null || color !== null, right: 'settings' },
      target: { href: BRAND_PATH },
    },
    {
      ...steps.testPayment,
      ...(testSlug && begun.testPayment),
      ...{ isDone: isTestPaid, right: 'editLinks' },
      target: testSlug
        ? { href: linkUrl(checkoutUrl, testSlug), opensTab: true }
        : { href: NEW_LINK_PATH, testMode: true },
    },
    {
      ...steps.webhook,
      ...(endpoint && begun.webhook),
      ...{ isDone: isHeard, isOptional: true, right: 'integrations' },
      target: endpoint
        ? { href: endpointPagePath(endpoint.id), testMode: endpoint.testMode }
        : { href: `${INTEGRATIONS_PATH}/novo`, testMode: true },
    },
    {
      ...steps.provider,
      ...(account && (account.isTested ? begun.provider : begun.untested)),
      ...{ isDone: isLive, right: 'providers' },
      target: { href: findProviderPath(account), testMode: false },
    },
    {
      ...steps.realLink,
      ...{ isDone: hasRealLink, right: 'editLinks' },
      target: isLive ? { href: NEW_LINK_PATH, testMode: false } : null,
    },
  ]
}

const NEW_LINK_PATH = `${LINKS_PATH}/novo`

/** All of these providers offer Pix. */
function findProviderPath(account: Progress['account']) {
  if (!account) return RECEIVABLES_PATH
  const { provider, isTested } = account
  return isTested ? choicePath(provider, 'pix') : accountPagePath(provider)
}

/** `environment`: the one to switch to first, if any. */
function toAction(text: string, { href, testMode, opensTab = false }: Target, isTest: boolean) {
  const isElsewhere = testMode !== undefined && testMode !== isTest
  const environment = testMode ? ('teste' as const) : ('real' as const)
  return { href, text, opensTab, environment: isElsewhere ? environment : null }
}

function nameRoles(right: Right) {
  return homeTexts.whoMay(listRolesWith(right).map((role) => texts.roles[role]))
}

type Progress = {
  isHidden: boolean
  isTestPaid: boolean
  /** A live payment. */
  isPaid: boolean
  isHeard: boolean
  isLive: boolean
  hasRealLink: boolean
  /** The newest link of the test environment that can be paid. */
  testSlug: string | null
  /** An active endpoint, preferably of the test environment. */
  endpoint: { id: string; testMode: boolean } | null
  /** The company's account at a provider, used or not; one with a working connection comes first. */
  account: { provider: ProviderName; isTested: boolean } | null
}

/**
 * One statement, in which each part uses an index. Links of any status are read in two parts, since Postgres would
 * otherwise read the index of titles. Only the last deliveries are read; `between` hides that the range is one id,
 * since with `=` Postgres would read the deliveries of all endpoints when this one has none.
 */
async function readProgress(
  db: Database,
  { id, companyId }: Pick<Visitor['user'], 'id' | 'companyId'>,
): Promise<Progress> {
  const test = sql`(select id from companies where test_of = ${companyId})`
  const { rows } = await db.execute<Progress>(sql`
    with endpoint as materialized (
      select id, company_id <> ${companyId} as test_mode, exists (
        select from (
          select status from webhook_deliveries
          where endpoint_id between endpoint.id and endpoint.id
          order by endpoint_id desc, id desc limit ${MAX_DELIVERIES}
        ) latest where status = 'delivered'
      ) as is_heard
      from webhook_endpoints endpoint
      where company_id in (${companyId}, ${test}) and disabled_at is null
    )
    select (select hides_first_steps from users where id = ${id}) as "isHidden",
      ${hasPaymentSql(test)} as "isTestPaid",
      ${hasPaymentSql(sql`${companyId}::uuid`)} as "isPaid",
      exists (select from endpoint where is_heard) as "isHeard",
      exists (
        select from companies where id = ${companyId} and coalesce(pix_provider, card_provider) is not null
      ) as "isLive",
      (
        exists (select from payment_links where company_id = ${companyId} and status <> 'archived')
        or exists (select from payment_links where company_id = ${companyId} and status = 'archived')
      ) as "hasRealLink",
      (
        select slug from payment_links
        where company_id = ${test} and status = 'active' and expires_at is null
        order by company_id desc, id desc limit 1
      ) as "testSlug",
      (
        select json_build_object('id', id, 'testMode', test_mode) from endpoint
        order by test_mode desc, id limit 1
      ) as endpoint,
      (
        select json_build_object('provider', provider, 'isTested', is_tested)
        from provider_accounts,
          lateral (select tested_at is not null and test_failure is null as is_tested) connection
        where company_id = ${companyId} order by is_tested desc, created_at limit 1
      ) as account`)
  return requireFound(rows[0])
}

const MAX_DELIVERIES = 100

function hasPaymentSql(companyId: SQL) {
  return sql`exists (
    select from transactions where company_id = ${companyId} and approved_at is not null
  )`
}
