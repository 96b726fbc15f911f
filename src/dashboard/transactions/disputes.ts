// `/painel/transacoes/contestacoes`: disputed payments, newest first; and disputes on the page of their payment.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DISPUTE_STATUSES, type DisputeStatus, type ProviderName } from '../../database/enums.ts'
import type { Badge } from '../../http/view-functions.ts'
import { getProfile } from '../../providers/registry.ts'
import {
  findDeadline,
  findNextDeadline,
  isDeadlineOver,
} from '../../transactions/disputes/deadline.ts'
import { listDisputes } from '../../transactions/disputes/list.ts'
import { DisputeFilters, type DisputeRow } from '../../transactions/disputes/schema.ts'
import { disputeTexts, formatDisputeReason } from '../../transactions/disputes/texts.ts'
import { readTypedFields, registerPage } from '../layout/form.ts'
import { buildFilterOptions, loadPage } from '../layout/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { PAYMENT_TABS } from '../layout/paths.ts'
import { disputePageTexts } from './texts.ts'

export async function disputePages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(
    app,
    needs,
    '/transacoes/contestacoes',
    ['read', 'dashboard/transactions/disputes'],
    loadDisputes,
  )
}

export async function loadDisputes(needs: DashboardNeeds, request: FastifyRequest) {
  const typed = readTypedFields(request.query)
  const { data: status } = DisputeFilters.shape.status.safeParse(typed.status || undefined)
  const { data, pager } = await loadPage(request, (page) =>
    listDisputes(needs.db, request.visitor.company.id, { ...page, status }),
  )
  return {
    title: disputePageTexts.title,
    tabs: PAYMENT_TABS,
    current: 'disputes' as const,
    disputes: data.map(toDisputeView),
    status: status ?? '',
    statuses: STATUS_OPTIONS,
    pager,
  }
}

const STATUS_OPTIONS = buildFilterOptions(
  disputePageTexts.allStatuses,
  DISPUTE_STATUSES.map((value) => ({ value, text: disputeTexts.statuses[value] })),
)

const DISPUTE_TONES: Record<DisputeStatus, Badge['tone']> = {
  open: 'waiting',
  won: 'good',
  lost: 'bad',
}

export function toDisputeView<Row extends DisputeRow>(row: Row) {
  const { status, kind, reason } = row
  return {
    ...row,
    badge: { tone: DISPUTE_TONES[status], text: disputeTexts.statuses[status] },
    kindName: disputeTexts.kinds[kind],
    reasonText: formatDisputeReason(reason),
    deadline: findDeadline(row),
  }
}

/** What the company must do about open disputes, where and by when; null without one. */
export function toDisputeNotice(disputes: DisputeRow[], provider: ProviderName, now: Date) {
  const open = disputes.filter(({ status }) => status === 'open')
  const next = findNextDeadline(open, now)
  const cents = open.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (open.length === 0) return null
  return {
    cents,
    answerAt: getProfile(provider).answerDisputesAt,
    deadline: next ? { ...next, isOver: isDeadlineOver(next, now) } : null,
  }
}
