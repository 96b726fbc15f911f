// `/painel`: today's payments, tasks, and revenue compared with the previous period. An empty account sees only the
// first steps, with a curl command that works when pasted.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { issueApiKeyOnce } from '../../api/api-key.ts'
import { type Company, listOfferedMethods } from '../../companies/company.ts'
import { PAYMENT_METHODS, type ProviderName } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { formatBrl, formatCalendarDay, formatCount, formatDay } from '../../format.ts'
import {
  type AccountCertificate,
  keepEnding,
  listCertificates,
} from '../../providers/certificates.ts'
import { listLostRegistrations } from '../../providers/registration.ts'
import { addDays } from '../../reports/days.ts'
import { type ComparedRevenue, loadSummary, type Summary } from '../../reports/summary.ts'
import { reportTexts } from '../../reports/texts.ts'
import { texts } from '../../texts.ts'
import { findNextDeadline, isDeadlineOver } from '../../transactions/disputes/deadline.ts'
import { listOpenDisputes } from '../../transactions/disputes/list.ts'
import { listLatestPayments } from '../../transactions/list/list.ts'
import { countUnmatched } from '../../transactions/unmatched/unmatched-payment.ts'
import { getRights, type Rights } from '../../users/roles.ts'
import { buildColumnChart } from '../layout/chart.ts'
import { readFormId, registerPage } from '../layout/form.ts'
import { type DashboardNeeds, recordSecurityAct, requireRight, STEP_UP } from '../layout/needs.ts'
import { buildNewPaymentsStart } from '../layout/new-payments.ts'
import {
  API_KEYS_PATH,
  DELIVERIES_PATH,
  DISPUTES_PATH,
  HOME_PATH,
  PAYMENTS_PATH,
  RECEIVABLES_PATH,
  TO_CHECK_PATH,
} from '../layout/paths.ts'
import { figureTexts, sectionTitles } from '../layout/texts.ts'
import { buildChange, buildCreateLinkCurl } from '../layout/values.ts'
import { toListedPayment } from '../transactions/view.ts'
import { hideFirstSteps, loadFirstSteps } from './first-steps.ts'
import { homeTexts } from './texts.ts'

const API_KEYS_STEP_UP = requireRight('apiKeys', STEP_UP)

type OpenDispute = Awaited<ReturnType<typeof listOpenDisputes>>[number]

const LATEST_PAYMENTS = 8

export async function homePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  registerPage(app, needs, '/', ['read', 'dashboard/home/home'], loadHome)

  app.post('/primeira-chave', API_KEYS_STEP_UP, async (request, reply) => {
    const { company } = request.visitor
    const wanted = { id: readFormId(request.body), companyId: company.id, name: homeTexts.keyName }
    const made = await issueApiKeyOnce(db, { ...wanted, scopes: null, allowedNetworks: null })
    if (made.kind === 'existing')
      return reply.redirect(`${API_KEYS_PATH}?feito=chave-ja-criada`, 303)
    const { id, key } = made
    await recordSecurityAct(needs, request, {
      action: 'key_created',
      subjectId: id,
      subject: homeTexts.keyName,
      testMode: company.testMode,
    })
    return show(request, reply, 'dashboard/home/first-key', {
      title: homeTexts.keyTitle,
      section: 'inicio',
      key,
      curl: buildFirstCurl(needs, company, key),
    })
  })

  app.post('/primeiros-passos/ocultar', requireRight('ownAccount'), async (request, reply) => {
    await hideFirstSteps(db, request.visitor.user.id)
    return reply.redirect(`${HOME_PATH}?feito=passos-ocultos`, 303)
  })
}

export async function loadHome(needs: DashboardNeeds, request: FastifyRequest) {
  const { db } = needs
  const { company, user } = request.visitor
  const may = getRights(user.role)
  const now = needs.now()
  const [summary, openDisputes, unmatchedCount, last, first, lost, certificates] =
    await Promise.all([
      loadSummary(db, company.id, now),
      listOpenDisputes(db, company.id),
      countUnmatched(db, company.id),
      listLatestPayments(db, company.id, LATEST_PAYMENTS),
      loadFirstSteps(needs, request.visitor),
      may.providers ? listLostRegistrations(db, company.id) : [],
      may.providers ? listCertificates(db, needs.cipher, company.id) : [],
    ])
  const isEmpty = first !== null && last.length === 0
  return {
    title: sectionTitles.inicio,
    section: 'inicio' as const,
    newPayments: buildNewPaymentsStart(request, now),
    today: toTodayView(summary.today),
    /** Read without opening the fold. */
    thirtyDays: formatBrl(summary.last30.grossCents),
    figures: buildFigures(summary),
    methods: PAYMENT_METHODS.map((method) => toMethodView(summary, method)),
    chart: buildColumnChart(summary.days.map(toDayColumn)),
    legend: buildLegend(summary.days),
    days: summary.days.map(toDayRow),
    last: last.map(toListedPayment),
    /** The tasks, most urgent first. */
    looks: [
      ...lost.map(toLostAlert),
      ...keepEnding(certificates, now).map((one) => toCertificateAlert(one, now)),
      ...listDisputeAlerts(openDisputes, now),
      // The first steps of an empty account say it already.
      ...(isEmpty ? [] : listProviderAlerts(company, may)),
      ...listAlerts({ ...summary, unmatchedCount }, may),
    ],
    /** Null once all are done, and for a person who hid them. */
    first,
    /** There are no payments yet, and the first steps say what to do. */
    isEmpty,
    curl: buildFirstCurl(needs, company, null),
    /** The id of the first key, so that a form sent twice creates one. */
    keyId: newId(),
    /** Otherwise no link can be created in this environment. */
    canBePaid: listOfferedMethods(company, PAYMENT_METHODS).length > 0,
  }
}

/** With the methods offered in this environment, so that the command works unchanged. */
function buildFirstCurl({ baseUrl }: DashboardNeeds, company: Company, key: string | null) {
  return buildCreateLinkCurl(baseUrl, key, listOfferedMethods(company, PAYMENT_METHODS))
}

/** Compared with yesterday up to the same time. */
function toTodayView({ grossCents, refundedCents, count, previous }: ComparedRevenue) {
  return {
    value: formatBrl(grossCents),
    count: figureTexts.payments(count),
    refunded: refundedCents > 0 ? homeTexts.refunded(formatBrl(refundedCents)) : null,
    before: homeTexts.yesterday(formatBrl(previous.grossCents)),
    isNone: count === 0,
    /** Today's payments, when the page does not show all of them. */
    href: count > LATEST_PAYMENTS ? `${PAYMENTS_PATH}?periodo=hoje` : PAYMENTS_PATH,
    all: count > LATEST_PAYMENTS ? homeTexts.allToday(count) : homeTexts.all,
  }
}

function buildFigures({ last7, last30, approval }: Summary) {
  const { rate, approved, decided } = approval
  return [
    toFigure(homeTexts.last7, last7),
    toFigure(homeTexts.last30, last30),
    {
      name: homeTexts.approval,
      value: rate === null ? '—' : `${Math.round(rate * 100)}%`,
      note: decided === 0 ? homeTexts.noAttempts : homeTexts.attempts(approved, decided),
      change: null,
    },
    {
      name: homeTexts.refunded30,
      value: formatBrl(last30.refundedCents),
      note: homeTexts.before(formatBrl(last30.previous.refundedCents)),
      change: null,
    },
  ]
}

/** Compared with the previous period, if there is something to compare with. */
function toFigure(name: string, { grossCents, count, previous }: ComparedRevenue) {
  const change = buildChange(grossCents, previous.grossCents)
  return {
    name,
    value: formatBrl(grossCents),
    note: figureTexts.payments(count),
    change: change
      ? { text: homeTexts.change(change.percent, change.text), tone: change.tone }
      : { text: homeTexts.nothingBefore, tone: 'same' as const },
  }
}

function toMethodView({ byMethod, approval }: Summary, method: (typeof PAYMENT_METHODS)[number]) {
  const { grossCents, count } = byMethod[method]
  const total = PAYMENT_METHODS.reduce((sum, one) => sum + byMethod[one].grossCents, 0)
  const { rate } = approval.byMethod[method]
  const name: string = texts.methods[method]
  return {
    name,
    value: formatBrl(grossCents),
    count: figureTexts.payments(count),
    share: total === 0 ? 0 : Math.round((grossCents / total) * 100),
    rate: rate === null ? null : `${Math.round(rate * 100)}%`,
  }
}

type DaySummary = Summary['days'][number]

function toDayColumn({ day, grossCents, previous }: DaySummary) {
  const label = formatCalendarDay(day)
  const previousCents = previous.grossCents
  return { cents: grossCents, previousCents, label, short: label.slice(0, 5) }
}

function toDayRow({ day, grossCents, count, previous }: DaySummary) {
  return {
    ...{
      day,
      text: formatCalendarDay(day),
      value: formatBrl(grossCents),
      count: formatCount(count),
    },
    previous: formatBrl(previous.grossCents),
  }
}

/** Both periods, for the legend of the chart. */
function buildLegend(days: DaySummary[]) {
  const [first = '', last = ''] = [days.at(0)?.day, days.at(-1)?.day]
  const formatPeriod = (back: number) =>
    reportTexts.days(
      formatCalendarDay(addDays(first, -back)),
      formatCalendarDay(addDays(last, -back)),
    )
  return { now: formatPeriod(0), before: formatPeriod(days.length) }
}

/** `isUrgent`: something is lost soon unless the company acts. */
type Alert = { text: string; href: string | null; isUrgent?: boolean }

function toLostAlert({ provider }: { provider: ProviderName }): Alert {
  const href = `${RECEIVABLES_PATH}/${provider}`
  return { text: homeTexts.looks.lostRegistration, href, isUrgent: true }
}

function toCertificateAlert({ provider, until }: AccountCertificate, now: Date): Alert {
  const { certificateEnded, certificateEnds } = homeTexts.looks
  const day = formatDay(until.toISOString())
  const text = until > now ? certificateEnds(day) : certificateEnded(day)
  return { text, href: `${RECEIVABLES_PATH}/${provider}`, isUrgent: true }
}

/** Named by the day, since a MED ends with its day. */
function listDisputeAlerts(disputes: OpenDispute[], now: Date): Alert[] {
  if (disputes.length === 0) return []
  const next = findNextDeadline(disputes, now)
  const until = next && !isDeadlineOver(next, now) ? formatDay(next.at) : null
  const text = homeTexts.looks.disputes(disputes.length, until)
  return [{ text, href: `${DISPUTES_PATH}?status=open`, isUrgent: until !== null }]
}

function listProviderAlerts({ pixProvider, cardProvider }: Company, may: Rights): Alert[] {
  const { noProvider, noProviderYet } = homeTexts.looks
  if (pixProvider || cardProvider) return []
  return [
    may.providers
      ? { text: noProvider, href: RECEIVABLES_PATH }
      : { text: noProviderYet, href: null },
  ]
}

function listAlerts(
  {
    heldCount,
    overpaidCount,
    duplicateCount,
    unmatchedCount,
    failedDeliveries,
  }: Summary & { unmatchedCount: number },
  may: Rights,
): Alert[] {
  const looks = homeTexts.looks
  const toCheck = TO_CHECK_PATH
  return [
    heldCount > 0 && { text: looks.held(heldCount), href: toCheck },
    overpaidCount > 0 && { text: looks.overpaid(overpaidCount), href: toCheck },
    duplicateCount > 0 && { text: looks.duplicates(duplicateCount), href: toCheck },
    unmatchedCount > 0 && { text: looks.unmatched(unmatchedCount), href: toCheck },
    may.integrations &&
      failedDeliveries > 0 && {
        text: looks.deliveries(failedDeliveries),
        href: `${DELIVERIES_PATH}?status=failed&dias=1`,
      },
  ].filter((look) => look !== false)
}
