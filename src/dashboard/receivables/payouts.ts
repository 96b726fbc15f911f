// `/painel/recebimentos/calendario`: the payouts that providers announce, after fees, by day.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatBrl, formatCalendarDay, formatCount } from '../../format.ts'
import { toDay } from '../../reports/days.ts'
import { listPayoutDays } from '../../reports/payouts.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type LoadedPage } from '../layout/page.ts'
import { payoutTexts } from './texts.ts'

declare module '../../http/html.ts' {
  interface Views {
    'dashboard/receivables/payouts': LoadedPage<typeof loadPayouts>
  }
}

export async function payoutPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/recebimentos/calendario', requireRight('payouts'), async (request, reply) =>
    show(request, reply, 'dashboard/receivables/payouts', await loadPayouts(needs, request)),
  )
}

export async function loadPayouts({ db, now }: DashboardNeeds, { visitor }: FastifyRequest) {
  const days = await listPayoutDays(db, visitor.company.id, toDay(now()))
  return {
    title: payoutTexts.title,
    section: 'recebimentos' as const,
    days: days.map(({ day, payments, netCents }) => ({
      day: formatCalendarDay(day),
      payments: formatCount(payments),
      net: formatBrl(netCents),
    })),
    total: formatBrl(days.reduce((sum, { netCents }) => sum + netCents, 0)),
  }
}
