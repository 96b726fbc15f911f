// The first steps of a new company, in both environments. Each step is checked against the data. The list disappears
// once all steps are done, a live payment was made, or the person hid it.
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

type StepName = keyof typeof homeTexts.steps
type Target = { href: string; text: string; testMode?: boolean; opensTab?: true }

const STEP_RIGHTS = {
  brand: 'settings',
  testPayment: 'editLinks',
  webhook: 'integrations',
  provider: 'providers',
  realLink: 'editLinks',
} as const satisfies Record<StepName, Right>

const STEP_ORDER = ['brand', 'testPayment', 'webhook', 'provider', 'realLink'] as const
/** Companies that sell only by links need no webhooks. */
const OPTIONAL_STEPS: readonly StepName[] = ['webhook']

/** Null when there is nothing to show. */
export async function loadFirstSteps(
  { db, checkoutUrl }: Pick<DashboardNeeds, 'db' | 'checkoutUrl'>,
  visitor: Visitor,
) {
  const facts = await readProgress(db, visitor.user)
  if (facts.isHidden || facts.isPaid) return null
  const { company } = visitor
  const done: Record<StepName, boolean> = {
    brand: company.logoUrl !== null || company.color !== null,
    testPayment: facts.isTestPaid,
    webhook: facts.isHeard,
    provider: facts.isLive,
    realLink: facts.hasRealLink,
  }
  const left = STEP_ORDER.filter((name) => !done[name])
  const next = left.find((name) => !OPTIONAL_STEPS.includes(name))
  if (next === undefined) return null
  const targets = findTargets(facts, checkoutUrl)
  const steps = STEP_ORDER.map((name) => {
    const isMine = hasRight(visitor.user.role, STEP_RIGHTS[name])
    const title: string = homeTexts.steps[name].title
    const target = done[name] || !isMine ? null : targets[name]
    return {
      title,
      text: describeStep(name, facts),
      ...{ isDone: done[name], isNext: name === next },
      isOptional: OPTIONAL_STEPS.includes(name),
      action: target && toAction(target, company.testMode),
      /** Why there is no action: which role may do it, or which step comes first. */
      note: done[name] || target ? null : isMine ? homeTexts.providerFirst : nameRoles(name),
    }
  })
  return { steps, progress: homeTexts.progress(STEP_ORDER.length - left.length, STEP_ORDER.length) }
}

/** Hides the first steps permanently. */
export async function hideFirstSteps(db: Database, userId: string) {
  await db.update(users).set({ hidesFirstSteps: true }).where(sql`id = ${userId}`)
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

/** The page of each step; null when another step comes first. */
function findTargets(
  { testSlug, endpoint, account, isLive }: Progress,
  checkoutUrl: string,
): Record<StepName, Target | null> {
  const { actions } = homeTexts
  const newLink = `${LINKS_PATH}/novo`
  return {
    brand: { href: BRAND_PATH, text: actions.brand },
    testPayment: testSlug
      ? { href: linkUrl(checkoutUrl, testSlug), text: actions.pay, opensTab: true }
      : { href: newLink, text: actions.testLink, testMode: true },
    webhook: endpoint
      ? {
          ...{ href: endpointPagePath(endpoint.id), text: actions.testEvent },
          testMode: endpoint.testMode,
        }
      : { href: `${INTEGRATIONS_PATH}/novo`, text: actions.endpoint, testMode: true },
    provider: { ...findProviderTarget(account), testMode: false },
    realLink: isLive ? { href: newLink, text: actions.realLink, testMode: false } : null,
  }
}

/** All of these providers offer Pix. */
function findProviderTarget(account: Progress['account']): Target {
  const { actions } = homeTexts
  if (!account) return { href: RECEIVABLES_PATH, text: actions.provider }
  const { provider, isTested } = account
  return isTested
    ? { href: choicePath(provider, 'pix'), text: actions.useProvider }
    : { href: accountPagePath(provider), text: actions.testProvider }
}

function describeStep(name: StepName, { testSlug, endpoint, account }: Progress): string {
  const { begun } = homeTexts
  if (name === 'testPayment' && testSlug) return begun.testPayment
  if (name === 'webhook' && endpoint) return begun.webhook
  if (name === 'provider' && account) {
    return account.isTested ? begun.provider : begun.untested
  }
  return homeTexts.steps[name].text
}

/** `environment`: the one to switch to first, if any. */
function toAction({ testMode, opensTab, ...target }: Target, isTest: boolean) {
  const isElsewhere = testMode !== undefined && testMode !== isTest
  return {
    ...target,
    environment: isElsewhere ? (testMode ? ('teste' as const) : ('real' as const)) : null,
    opensTab: opensTab === true,
  }
}

function nameRoles(name: StepName) {
  return homeTexts.whoMay(listRolesWith(STEP_RIGHTS[name]).map((role) => texts.roles[role]))
}
