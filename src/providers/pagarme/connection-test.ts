// "Testar conexão" for an account at Pagar.me: reads its orders, then creates an unpaid order of two installments with
// interest and closes it at once. The order shows what the documentation of the page leaves open.

import { v4 } from 'uuid'
import { explainFailure, runConnectionStep } from '../connection.ts'
import type { JsonClient } from '../json-client.ts'
import type { ConnectionStep } from '../provider.ts'
import { isPageOpen, toOrderOutcome } from './order.ts'
import { createOrderClient } from './orders.ts'
import type { PagarmeOrder } from './schema.ts'
import { pagarmeTexts as words } from './texts.ts'

const REHEARSED_CENTS = 1_060
const REHEARSED_INSTALLMENTS = 2

const describeFailure = explainFailure(words)

export async function testPagarme(client: JsonClient, now: Date): Promise<ConnectionStep[]> {
  const token = await runConnectionStep(
    'token',
    async () => {
      const { status } = await client.get('/orders', { size: '1' })
      return status === 200 ? null : words.strangeAnswer(status)
    },
    describeFailure,
  )
  if (!token.ok) return [token]
  const orders = createOrderClient(client)
  const rehearsed = buildRehearsal(now)
  let made: PagarmeOrder | undefined
  const read = await runConnectionStep(
    'read',
    async () => {
      const order = await orders.make(rehearsed, now)
      if ('problem' in order) return words.notMade(order.problem)
      made = order
      return findDifference(order, now)
    },
    describeFailure,
  )
  if (!made) return [token, read]
  return [token, read, await closeRehearsal(made)]

  async function closeRehearsal(order: PagarmeOrder): Promise<ConnectionStep> {
    const key = { ...rehearsed, pixTxid: null, reference: order.id, endToEndIds: [] }
    const step = await runConnectionStep(
      'webhook',
      async () => {
        return isPageOpen(await orders.close(order, key)) ? words.staysOpen : null
      },
      describeFailure,
    )
    // The step is optional: payments work without closing, since an open page expires by itself.
    return step.ok ? step : { ...step, isOptional: true }
  }
}

/** Explains how the order differs from the request; null when it does not. */
function findDifference(order: PagarmeOrder, now: Date) {
  const { amount = REHEARSED_CENTS, checkouts } = order
  const asked = { createdAt: now.toISOString(), totalCents: REHEARSED_CENTS }
  const outcome = toOrderOutcome(order, asked, now)
  if (outcome.status !== 'awaiting_payer') return words.noPage
  if (amount !== REHEARSED_CENTS) return words.otherAmount
  const [option, ...others] = checkouts[0]?.credit_card?.installments ?? []
  const isKept =
    option === undefined ||
    (option.total === REHEARSED_CENTS &&
      Number(option.number) === REHEARSED_INSTALLMENTS &&
      others.length === 0)
  return isKept ? null : words.otherInstallments
}

function buildRehearsal(now: Date) {
  return {
    transactionId: v4(),
    createdAt: now.toISOString(),
    ...{ totalCents: REHEARSED_CENTS, amountCents: REHEARSED_CENTS },
    ...{ title: words.rehearsal, slug: 'teste' },
    merchant: { name: words.rehearsal, city: '' },
    payer: { name: words.rehearsal, email: 'teste@example.com', taxId: null, phone: null },
    method: 'credit_card' as const,
    installments: REHEARSED_INSTALLMENTS,
    card: null,
    returnUrl: 'https://example.com',
  }
}
