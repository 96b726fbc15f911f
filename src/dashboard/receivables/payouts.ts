// `/painel/recebimentos/calendario`: what providers say that they will pay out, after fees, and on which day.

import type { FastifyInstance } from 'fastify'
import { formatBrl, formatCalendarDay, formatCount } from '../../format.ts'
import { toDay } from '../../reports/days.ts'
import { listPayoutDays, type PayoutDay } from '../../reports/payouts.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { payoutTexts } from './texts.ts'

export async function payoutPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/recebimentos/calendario', requireRight('payouts'), async (request, reply) => {
    const days = await listPayoutDays(needs.db, request.visitor.company.id, toDay(needs.now()))
    return show(request, reply, 'dashboard/receivables/payouts', {
      title: payoutTexts.title,
      section: 'recebimentos',
      days: days.map(toPayoutRow),
      total: formatBrl(days.reduce((sum, { netCents }) => sum + netCents, 0)),
    })
  })
}

export function toPayoutRow({ day, payments, netCents }: PayoutDay) {
  return {
    day: formatCalendarDay(day),
    payments: formatCount(payments),
    net: formatBrl(netCents),
  }
}
