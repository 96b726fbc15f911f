// `/painel/transacoes/:id/aceitar`: approves a Pix with less than the price, with the received amount; and
// `/painel/transacoes/:id/conferir`: says what came in of a payment when its amount cannot be read.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { formatBrl } from '../../format.ts'
import { conflictError } from '../../http/errors.ts'
import { acceptPayment } from '../../transactions/accept.ts'
import {
  isAmountMismatch,
  type TransactionRow,
  UNREADABLE_HOLD,
} from '../../transactions/transaction.ts'
import {
  catchRefusal,
  type FormRequest,
  moneyField,
  readForm,
  readTypedFields,
  registerConfirmation,
  registerForm,
  type ShownForm,
} from '../layout/form.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { paymentPagePath } from '../layout/paths.ts'
import { acceptTexts } from './texts.ts'
import { findMailedPayer, findRequestedPayment, loadRefundableAmount } from './view.ts'

export async function acceptPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerConfirmation(app, '/transacoes/:id/aceitar', show, {
    right: 'refund',
    load: async (request) => {
      const payment = await findRequestedPayment(needs.db, request)
      const { left } = await loadRefundableAmount(needs, payment)
      if (!isAmountMismatch(payment) || left === 0) return paymentPagePath(payment.id)
      return { payment, left, mailedPayer: await findMailedPayer(needs, payment) }
    },
    ask: ({ payment, left, mailedPayer }) => ({
      title: acceptTexts.title,
      question: acceptTexts.question(formatBrl(left), formatBrl(payment.totalCents)),
      consequences: [...acceptTexts.consequences(mailedPayer), acceptTexts.later],
      button: acceptTexts.button(formatBrl(left)),
      hidden: [{ name: 'amountCents', value: left }],
      back: paymentPagePath(payment.id),
    }),
    confirm: async (request, { payment, left }) => {
      const { amountCents = String(left) } = readTypedFields(request.body)
      if (amountCents !== String(left))
        throw conflictError('changed_meanwhile', acceptTexts.changed(formatBrl(left)))
      await acceptPayment(needs, payment, { amountCents: left, by: getAuditActor(request) })
      return `${paymentPagePath(payment.id)}?feito=aceito`
    },
  })

  registerForm(app, '/transacoes/:id/conferir', {
    right: 'refund',
    load: async (request: FormRequest) => {
      const payment = await findRequestedPayment(needs.db, request)
      const isOpen = isAmountMismatch(payment) && payment.holdReason === UNREADABLE_HOLD
      return isOpen ? payment : paymentPagePath(payment.id)
    },
    toForm: () => ({ amount: '' }),
    readForm: ({ body }) => ({ amount: readTypedFields(body).amount ?? '' }),
    parse: (form, { totalCents }) =>
      readForm(z.object({ amount: moneyField({ min: 0, max: totalCents }) }), form),
    save: (request, payment, { amount: amountCents }) =>
      catchRefusal(
        acceptPayment(needs, payment, { amountCents, by: getAuditActor(request) }),
        ({ message }) => [{ field: 'amount', message }],
      ),
    async view(request, reply, shown, payment) {
      const page = buildCheckPage(payment, shown, await findMailedPayer(needs, payment))
      return show(request, reply, 'dashboard/transactions/check', page)
    },
    done: (_saved, { id }) => `${paymentPagePath(id)}?feito=conferido`,
  })
}

export function buildCheckPage(
  { id, payerName, totalCents, method }: TransactionRow,
  { form, errors }: ShownForm<{ amount: string }>,
  mailedPayer: string | null,
) {
  const total = formatBrl(totalCents)
  return {
    title: acceptTexts.checkTitle,
    back: paymentPagePath(id),
    payer: payerName,
    ...{ total, errors, typed: form.amount },
    hint: acceptTexts.amountHint[method](total),
    consequences: acceptTexts.consequences(mailedPayer),
  }
}
