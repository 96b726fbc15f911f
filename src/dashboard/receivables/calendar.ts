// `/painel/recebimentos/calendario`: what is to come in, after fees, and when; installments one by one where
// they are paid out so.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatCalendarDay } from '../../format.ts'
import { type CsvColumn, formatMoneyCell, sendCsv } from '../../http/csv.ts'
import { toRecord } from '../../http/fields.ts'
import { getKeys } from '../../record.ts'
import { toDay } from '../../reports/days.ts'
import { listPayoutDays, type PayoutDay } from '../../reports/payouts.ts'
import { texts } from '../../texts.ts'
import { recordExport } from '../layout/exports.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { toCalendarView } from './calendar-view.ts'
import { payoutTexts } from './texts.ts'

const PAYOUTS = requireRight('payouts')

const { columns } = payoutTexts
const PAYOUT_COLUMNS: CsvColumn<PayoutDay>[] = [
  { heading: columns.day, value: ({ day }) => formatCalendarDay(day) },
  { heading: columns.method, value: ({ method }) => texts.methods[method] },
  { heading: columns.parts, value: ({ parts }) => parts },
  { heading: columns.net, value: ({ netCents }) => formatMoneyCell(netCents) },
]

export async function payoutPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/recebimentos/calendario', PAYOUTS, async (request, reply) => {
    const today = toDay(needs.now())
    const days = await listPayoutDays(db, request.visitor.company.id, today)
    return show(request, reply, 'dashboard/receivables/calendar', {
      ...{ title: payoutTexts.title, section: 'recebimentos' },
      calendar: toCalendarView(days, readCalendarGroup(request), today),
    })
  })

  app.get('/recebimentos/calendario.csv', PAYOUTS, async (request, reply) => {
    const companyId = request.visitor.company.id
    const days = await listPayoutDays(db, companyId, toDay(needs.now()))
    return sendCsv(reply, PAYOUT_COLUMNS, streamPayoutDays(days), {
      ...{ companyId, name: payoutTexts.file },
      recordTaking: () => recordExport(needs, request, payoutTexts.title),
    })
  })
}

async function* streamPayoutDays(days: PayoutDay[]) {
  yield days
}

function readCalendarGroup({ query }: FastifyRequest) {
  const { por } = toRecord(query)
  return getKeys(payoutTexts.groups).find((name) => name === por) ?? 'dia'
}
