// `/painel/transacoes/sem-cobranca/:id`: a Pix that came in without a charge is assigned to its payment, or refunded. They
// are listed with the payments to check.
import type { FastifyInstance } from 'fastify'
import { MAX_UUID } from '../../database/id.ts'
import { formatBrl } from '../../format.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { searchPayment } from '../../transactions/search.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { isMatchable, matchPayment, refundUnmatched } from '../../transactions/unmatched/end.ts'
import {
  getUnmatchedLeft,
  getUnmatchedStatus,
  type UnmatchedRow,
} from '../../transactions/unmatched/schema.ts'
import {
  listProposedPayments,
  listUnmatched,
  requireUnmatched,
} from '../../transactions/unmatched/unmatched-payment.ts'
import { type FormRequest, readTypedFields, registerConfirmation } from '../layout/form.ts'
import { type ById, type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { paymentPagePath, TO_CHECK_PATH, UNMATCHED_PATH } from '../layout/paths.ts'
import { unmatchedPageTexts } from './texts.ts'
import { toListedPayment } from './view.ts'

const READ = requireRight('read')
const MAX_TYPED = 200
/** With the payments to check. */
const MAX_UNMATCHED = 100
const MAX_SEARCHED = 20

export async function unmatchedPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs
  const find = ({ visitor, params }: FormRequest) =>
    requireUnmatched(db, visitor.company.id, params.id)

  // The address in e-mails, and of bookmarks.
  app.get('/transacoes/sem-cobranca', READ, (_request, reply) => reply.redirect(TO_CHECK_PATH, 303))

  app.get<ById>('/transacoes/sem-cobranca/:id', READ, async (request, reply) => {
    const row = await find(request)
    const matched = getMatchedPath(row)
    if (matched) return reply.redirect(matched, 303)
    const { pagamento = '' } = readTypedFields(request.query)
    const page = await loadUnmatchedPayment(needs, row, pagamento)
    return show(request, reply, 'dashboard/transactions/unmatched-payment', page)
  })

  registerConfirmation(app, '/transacoes/sem-cobranca/:id/casar', show, {
    right: 'refund',
    load: async (request) => {
      const row = await find(request)
      if (getUnmatchedStatus(row) !== 'unmatched') return getMatchedPath(row) ?? toHref(row)
      const { pagamento = '' } = readTypedFields(request.body ?? request.query)
      const payment = await findMatchable(needs, row, pagamento)
      return payment
        ? { row, payment }
        : `${toHref(row)}?${new URLSearchParams({ pagamento: pagamento.slice(0, MAX_TYPED) })}`
    },
    ask: ({ row, payment }) => ({
      title: unmatchedPageTexts.match,
      question: unmatchedPageTexts.matchQuestion(
        formatBrl(row.amountCents),
        formatBrl(payment.totalCents),
        payment.payerName,
      ),
      consequences: [describeMatch(row, payment)],
      button: unmatchedPageTexts.matchButton,
      hidden: [{ name: 'pagamento', value: payment.id }],
      back: toHref(row),
    }),
    confirm: async (request, { row, payment }) => {
      await matchPayment(needs, row, payment, getAuditActor(request))
      return `${paymentPagePath(payment.id)}?feito=pix-casado`
    },
  })

  registerConfirmation(app, '/transacoes/sem-cobranca/:id/devolver', show, {
    right: 'refund',
    stepUp: true,
    load: async (request) => {
      const row = await find(request)
      const isOver = row.transactionId !== null || getUnmatchedLeft(row) === 0
      return isOver ? (getMatchedPath(row) ?? toHref(row)) : row
    },
    ask: (row) => ({
      title: unmatchedPageTexts.refund,
      question: unmatchedPageTexts.question(formatBrl(getUnmatchedLeft(row))),
      consequences: unmatchedPageTexts.consequences,
      button: unmatchedPageTexts.button(formatBrl(getUnmatchedLeft(row))),
      back: toHref(row),
    }),
    confirm: async (request, row) => {
      const asked = await refundUnmatched(needs, row, getAuditActor(request))
      const isDone = getUnmatchedLeft(asked) === 0
      return `${toHref(row)}?feito=${isDone ? 'devolvido' : 'devolucao-em-andamento'}`
    },
  })
}

/** The newest; as each is settled, older ones take its place. */
export async function loadUnmatched({ db }: DashboardNeeds, companyId: string) {
  const page = { limit: MAX_UNMATCHED, cursor: MAX_UUID }
  const rows = await listUnmatched(db, companyId, page)
  return { rows: rows.slice(0, MAX_UNMATCHED), hasMore: rows.length > MAX_UNMATCHED }
}

/** `typed`: the name of a payment that could not be found. */
export async function loadUnmatchedPayment(
  { db }: DashboardNeeds,
  row: UnmatchedRow,
  typed: string,
) {
  const proposed = await listProposedPayments(db, row)
  return {
    title: unmatchedPageTexts.one,
    pix: row,
    href: toHref(row),
    status: getUnmatchedStatus(row),
    typed,
    errors: typed ? [{ field: 'pagamento', message: unmatchedPageTexts.noPayment }] : [],
    proposed: proposed.map(toListedPayment),
  }
}

/** Finds the only payment of this name that may be matched: by its id, address, txid or reference. */
async function findMatchable({ db }: DashboardNeeds, row: UnmatchedRow, typed: string) {
  const [name = ''] = typed.trim().split(/[?#]/)
  const word = name.split('/').findLast((part) => part !== '')
  const match = word && (await searchPayment(db, row.companyId, word))
  if (!match) return undefined
  const page = { limit: MAX_SEARCHED, cursor: MAX_UUID }
  const found = await listTransactions(db, row.companyId, { ...match, ...page })
  const open = found.filter((one) => isMatchable(row, one))
  return open.length === 1 ? open[0] : undefined
}

function describeMatch({ amountCents }: UnmatchedRow, payment: TransactionRow) {
  const { less, equal, more } = unmatchedPageTexts.matched
  const dueCents = payment.totalCents - (payment.receivedCents ?? 0)
  if (amountCents === dueCents) return equal
  return amountCents < dueCents
    ? less(formatBrl(dueCents - amountCents))
    : more(formatBrl(amountCents - dueCents))
}

/** The page of the payment that it was matched with, if it was. */
function getMatchedPath({ transactionId }: UnmatchedRow) {
  return transactionId === null ? undefined : paymentPagePath(transactionId)
}

function toHref({ id }: Pick<UnmatchedRow, 'id'>) {
  return `${UNMATCHED_PATH}/${id}`
}
