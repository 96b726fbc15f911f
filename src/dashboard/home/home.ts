// `/painel`: what came in, against the time before; what needs a look; for an empty account the first
// steps, with a curl that works when pasted.

import type { FastifyInstance } from 'fastify'
import { issueApiKey } from '../../api/api-key.ts'
import { recordAudit } from '../../companies/audit.ts'
import type { Company } from '../../companies/company.ts'
import { METHODS } from '../../database/enums.ts'
import { formatBrl } from '../../format.ts'
import { hasLinks } from '../../payment-links/list/list.ts'
import { type Approval, type Compared, type Summary, summaryOf } from '../../reports/summary.ts'
import { texts } from '../../texts.ts'
import { lastPaymentsOf } from '../../transactions/list.ts'
import { hasPayments } from '../../transactions/transaction.ts'
import { hasEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { columnChart } from '../layout/chart.ts'
import { curlOf } from '../layout/curl.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { pagesOf } from '../layout/page.ts'
import { modeOf } from '../layout/test-mode.ts'
import { figureTexts, sectionTitles } from '../layout/texts.ts'
import { paymentRow } from '../transactions/view.ts'
import { homeTexts } from './texts.ts'

const LAST = 8

export async function startPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = pagesOf(app, needs)
  const { db } = needs

  app.get('/', async (request, reply) => {
    const { company, user } = request.visitor
    const isOwner = user.role === 'owner'
    const mode = await modeOf(db, request)
    const [summary, last, steps] = await Promise.all([
      summaryOf(db, company.id, { testMode: mode.testMode, now: needs.now() }),
      lastPaymentsOf(db, company.id, { testMode: mode.testMode, limit: LAST }),
      stepsOf(company, isOwner),
    ])
    return show(request, reply, 'start', {
      title: sectionTitles.inicio,
      section: 'inicio',
      mode,
      figures: figuresOf(summary),
      approval: approvalOf(summary.approval),
      methods: METHODS.map((method) => methodOf(summary, method)),
      chart: columnChart(summary.days.map(columnOf)),
      days: summary.days.map(dayRow),
      last: last.map(paymentRow),
      looks: looksOf(summary, isOwner),
      steps: steps.every(({ isDone }) => isDone) ? null : steps,
      curl: curlOf(needs.baseUrl, null),
    })
  })

  app.post('/primeira-chave', { config: { owners: true } }, async (request, reply) => {
    const { company } = request.visitor
    const { id, key } = await issueApiKey(db, company.id, homeTexts.keyName)
    await recordAudit(db, {
      ...actorOf(request),
      action: 'key_created',
      subjectId: id,
      subject: homeTexts.keyName,
      now: needs.now(),
    })
    return show(request, reply, 'first-key', {
      title: homeTexts.keyTitle,
      section: 'inicio',
      key,
      curl: curlOf(needs.baseUrl, key),
    })
  })

  /** What an account does first; gone from the page once all of it is done. */
  async function stepsOf({ id, taxId }: Company, isOwner: boolean) {
    const [links, payments, endpoints] = await Promise.all([
      hasLinks(db, id),
      hasPayments(db, id),
      hasEndpoints(db, id),
    ])
    const done = { company: taxId !== null, link: links, payment: payments, webhook: endpoints }
    const { company, link, payment, webhook } = homeTexts.steps
    const steps = isOwner ? { company, link, payment, webhook } : { link, payment }
    return Object.entries(steps).map(([name, words]) => ({
      ...words,
      isDone: done[name as keyof typeof done],
    }))
  }
}

function figuresOf({ today, last7, last30 }: Summary) {
  const start = homeTexts
  return [
    figureOf(start.today, today),
    figureOf(start.last7, last7),
    figureOf(start.last30, last30),
  ]
}

/** Against the period before; nothing to compare with says so. */
function figureOf(name: string, { grossCents, refundedCents, count, before }: Compared) {
  const start = homeTexts
  const change =
    before.grossCents === 0 ? null : Math.round((grossCents / before.grossCents - 1) * 100)
  return {
    name,
    value: formatBrl(grossCents),
    count: figureTexts.payments(count),
    refunded: refundedCents > 0 ? start.refunded(formatBrl(refundedCents)) : null,
    change: change === null ? null : { text: start.change(change), tone: toneOf(change) },
  }
}

function toneOf(change: number) {
  if (change === 0) return 'same'
  return change > 0 ? 'up' : 'down'
}

function approvalOf({ approved, decided, rate }: Approval) {
  const start = homeTexts
  return {
    rate: rate === null ? '—' : `${Math.round(rate * 100)}%`,
    note: decided === 0 ? start.noAttempts : start.attempts(approved, decided),
  }
}

function methodOf({ byMethod, approval }: Summary, method: (typeof METHODS)[number]) {
  const { grossCents, count } = byMethod[method]
  const total = METHODS.reduce((sum, one) => sum + byMethod[one].grossCents, 0)
  const { rate } = approval.byMethod[method]
  return {
    name: texts.methods[method],
    value: formatBrl(grossCents),
    count: figureTexts.payments(count),
    share: total === 0 ? 0 : Math.round((grossCents / total) * 100),
    rate: rate === null ? null : `${Math.round(rate * 100)}%`,
  }
}

type Day = Summary['days'][number]

function columnOf({ day, grossCents }: Day) {
  return { cents: grossCents, label: dayText(day), short: dayText(day).slice(0, 5) }
}

function dayRow({ day, grossCents, count }: Day) {
  return { day, text: dayText(day), value: formatBrl(grossCents), count }
}

/** `2026-11-21` → `21/11/2026` */
function dayText(day: string) {
  return day.split('-').reverse().join('/')
}

function looksOf({ heldCount, failedDeliveries }: Summary, isOwner: boolean) {
  const looks = homeTexts.looks
  return [
    heldCount > 0 && { text: looks.held(heldCount), href: '/painel/transacoes?verificar=sim' },
    isOwner &&
      failedDeliveries > 0 && {
        text: looks.deliveries(failedDeliveries),
        href: '/painel/integracoes/entregas?status=failed',
      },
  ].filter((look) => look !== false)
}
