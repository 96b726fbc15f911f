// `/painel/transacoes/contestacoes`: disputed payments, newest first.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DISPUTE_STATUSES } from '../../database/enums.ts'
import { paginateRows } from '../../http/pagination.ts'
import { listDisputes } from '../../transactions/disputes/list.ts'
import { DisputeFilters } from '../../transactions/disputes/schema.ts'
import { disputeTexts } from '../../transactions/disputes/texts.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import type { SelectOption } from '../layout/forms/views.ts'
import { buildPager, readPageQuery } from '../layout/lists/pager.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { PAYMENT_TABS } from '../layout/paths.ts'
import { toDisputeListRow } from './dispute-view.ts'
import { disputePageTexts } from './texts.ts'

const READ = requireRight('read')

export async function disputePages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get('/transacoes/contestacoes', READ, async (request, reply) =>
    show(request, reply, 'dashboard/transactions/disputes', await loadDisputes(needs, request)),
  )
}

export async function loadDisputes(needs: DashboardNeeds, request: FastifyRequest) {
  const typed = readTypedFields(request.query)
  const { data: status } = DisputeFilters.shape.status.safeParse(typed.status || undefined)
  const place = readPageQuery(request)
  const rows = await listDisputes(needs.db, request.visitor.company.id, { ...place, status })
  const { data, nextCursor } = paginateRows(rows, place.limit)
  return {
    title: disputePageTexts.title,
    section: 'transacoes' as const,
    tabs: PAYMENT_TABS,
    current: 'disputes' as const,
    disputes: data.map((dispute) => toDisputeListRow(dispute, needs.now())),
    status: status ?? '',
    statuses: STATUS_OPTIONS,
    pager: buildPager(request, nextCursor),
  }
}

const STATUS_OPTIONS: SelectOption[] = [
  { value: '', text: disputePageTexts.allStatuses },
  ...DISPUTE_STATUSES.map((value) => ({ value, text: disputeTexts.statuses[value] })),
]
