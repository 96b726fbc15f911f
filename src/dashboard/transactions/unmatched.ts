// `/painel/transacoes/sem-cobranca`: Pix that came in without a charge. Each is assigned to its payment, or refunded.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatBrl } from '../../format.ts'
import { paginateRows } from '../../http/pagination.ts'
import { requireListedTransaction } from '../../transactions/list/listed.ts'
import { giveBackUnmatched } from '../../transactions/unmatched/give-back.ts'
import { matchPayment } from '../../transactions/unmatched/match.ts'
import {
  listProposedPayments,
  listUnmatched,
  requireUnmatched,
  type UnmatchedRow,
} from '../../transactions/unmatched/unmatched-payment.ts'
import { readTypedFields } from '../layout/form.ts'
import { buildPager, readPageQuery } from '../layout/list.ts'
import { type ById, type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { PAYMENT_TABS, paymentPagePath, UNMATCHED_PATH } from '../layout/paths.ts'
import { type FormRequest, registerConfirmation } from '../layout/register.ts'
import { toTimeView } from '../layout/values.ts'
import { unmatchedPageTexts } from './texts.ts'
import { toPaymentRow } from './view.ts'

const READ = requireRight('read')
const REFUND = requireRight('refund')

export async function unmatchedPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)
  const find = ({ visitor, params }: FormRequest) =>
    requireUnmatched(db, visitor.company.id, params.id)

  app.get('/transacoes/sem-cobranca', READ, async (request, reply) =>
    show(request, reply, 'dashboard/transactions/unmatched', await loadUnmatched(needs, request)),
  )

  app.get<ById>('/transacoes/sem-cobranca/:id', READ, async (request, reply) => {
    const row = await find(request)
    if (row.transactionId) return reply.redirect(paymentPagePath(row.transactionId), 303)
    const page = await loadUnmatchedPayment(needs, row)
    return show(request, reply, 'dashboard/transactions/unmatched-payment', page)
  })

  app.post<ById>('/transacoes/sem-cobranca/:id/casar', REFUND, async (request, reply) => {
    const { pagamento = '' } = readTypedFields(request.body)
    const row = await find(request)
    const payment = await requireListedTransaction(db, row.companyId, pagamento)
    await matchPayment(needs, row, payment, getAuditActor(request))
    return reply.redirect(paymentPagePath(payment.id), 303)
  })

  registerConfirmation(app, '/transacoes/sem-cobranca/:id/devolver', show, {
    right: 'refund',
    stepUp: true,
    load: find,
    ask: (row) => ({
      title: unmatchedPageTexts.giveBack,
      section: 'transacoes',
      question: unmatchedPageTexts.question(formatBrl(row.amountCents)),
      consequences: unmatchedPageTexts.consequences,
      button: unmatchedPageTexts.button(formatBrl(row.amountCents)),
      back: toHref(row),
    }),
    confirm: async (request, row) => {
      await giveBackUnmatched(needs, row, getAuditActor(request))
      return UNMATCHED_PATH
    },
  })
}

export async function loadUnmatched({ db, now }: DashboardNeeds, request: FastifyRequest) {
  const place = readPageQuery(request)
  const rows = await listUnmatched(db, request.visitor.company.id, place)
  const { data, nextCursor } = paginateRows(rows, place.limit)
  return {
    title: unmatchedPageTexts.title,
    section: 'transacoes' as const,
    tabs: PAYMENT_TABS,
    current: 'unmatched' as const,
    unmatched: data.map((row) => toUnmatchedView(row, now())),
    pager: buildPager(request, nextCursor),
  }
}

export async function loadUnmatchedPayment({ db, now }: DashboardNeeds, row: UnmatchedRow) {
  const proposed = await listProposedPayments(db, row)
  return {
    title: unmatchedPageTexts.one,
    section: 'transacoes' as const,
    ...toUnmatchedView(row, now()),
    endToEndId: row.endToEndId,
    isReturning: row.refundRequestedAt !== null,
    proposed: proposed.map((payment) => ({ id: payment.id, ...toPaymentRow(payment, now()) })),
  }
}

export function toUnmatchedView(row: UnmatchedRow, now: Date) {
  const { amountCents, payerName, paidAt } = row
  return {
    href: toHref(row),
    amount: formatBrl(amountCents),
    payer: payerName ?? unmatchedPageTexts.unknownPayer,
    paid: toTimeView(paidAt, now),
  }
}

function toHref({ id }: Pick<UnmatchedRow, 'id'>) {
  return `${UNMATCHED_PATH}/${id}`
}
