// The history of a payment as the people of its company read it.
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeForgotten } from '../../../../src/dashboard/transactions/timeline/timeline.ts'
import { eq } from '../../../../src/database/drizzle.ts'
import { newId } from '../../../../src/database/id.ts'
import { transactions } from '../../../../src/database/tables.ts'
import {
  answerChallenge,
  paySandboxPix,
  toSandboxReference,
} from '../../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../../../src/transactions/reconciliation/reconcile.ts'
import { executeRefund } from '../../../../src/transactions/refunds/execute.ts'
import type { TransactionRow } from '../../../../src/transactions/transaction.ts'
import { recordEvent } from '../../../../src/webhooks/events/event.ts'
import { openTimeline } from '../../../support/dashboard/timeline.ts'
import { buildTestCard, openCheckout, PIX } from '../../../support/payer.ts'
import { openFailingSandbox } from '../../../support/providers/failing-sandbox.ts'
import { CHECKOUT_URL, openTestApp } from '../../../support/test-app.ts'
import { settle } from '../../../support/transactions/settle.ts'

const testApp = await openTestApp()
const { clock, db, needs } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { listEntries, linesOf } = openTimeline(testApp)
const { failing } = openFailingSandbox(testApp)

const HOUR_MS = 3_600_000

async function payPix(row: TransactionRow, amountCents = row.totalCents) {
  await paySandboxPix(db, { transactionId: row.id, amountCents }, clock.now())
}

test('a card that is approved at once has three entries', async () => {
  const { row } = await pay(
    await newLink({ maxInstallments: 3 }),
    buildTestCard('ok', { installments: 3 }),
  )

  const entries = await listEntries(row)

  expect(await linesOf(row)).toEqual([
    'created neutral: Pagamento de R$ 100,00 iniciado com cartão em 3x',
    'three_ds good: Identidade confirmada pelo banco (3DS)',
    'approved good: Pagamento aprovado',
  ])
  expect(entries[0]!.at).toBe(row.createdAt)
  expect(entries[1]!.detail).toBe('sem ação do pagador')
  expect(entries.at(-1)).not.toHaveProperty('detail')
})

test('a Pix is told from its code to who confirmed it', async () => {
  const { row } = await pay(await newLink(), PIX)
  expect(await linesOf(row)).toEqual(['created waiting: Pagamento de R$ 100,00 iniciado por Pix'])
  clock.offsetMs = 10_000
  await payPix(row)

  await checkPayment(needs, row, 'notification')

  const entries = await listEntries(row)
  expect(await linesOf(row)).toEqual([
    'created neutral: Pagamento de R$ 100,00 iniciado por Pix',
    'approved good: Pagamento aprovado',
  ])
  expect(entries[0]!.detail).toMatch(/^O código vale até \d\d\/\d\d\/\d{4} às \d\d:\d\d$/)
  expect(entries[1]!.detail).toBe('Por aviso do provedor')
})

test('a challenge is told with what the payer did at the bank', async () => {
  const { row: confirmed } = await pay(await newLink(), buildTestCard('challenge'))
  const { row: refused } = await pay(await newLink(), buildTestCard('challenge_declined'))
  expect((await linesOf(confirmed)).at(-1)).toBe(
    'challenge waiting: Pagador enviado ao banco para confirmar a compra (3DS)',
  )

  clock.offsetMs = 30_000
  for (const row of [confirmed, refused]) {
    await answerChallenge(db, toSandboxReference(row.id), true, clock.now())
    await checkPayment(needs, row)
  }

  expect((await linesOf(confirmed)).slice(1)).toEqual([
    'challenge neutral: Pagador enviado ao banco para confirmar a compra (3DS)',
    'three_ds good: Identidade confirmada pelo banco (3DS)',
    'approved good: Pagamento aprovado',
  ])
  const declined = (await listEntries(refused)).at(-1)
  expect(declined).toMatchObject({ kind: 'declined', tone: 'bad' })
  expect(declined!.detail).toBe(
    'Não autorizado pelo banco · código 05 · Simulado no ambiente de teste',
  )
})

test('a refusal says why in plain words, and whether the card may be tried again', async () => {
  const { row: funds } = await pay(await newLink(), buildTestCard('funds'))
  const { row: expired } = await pay(await newLink(), buildTestCard('expired'))

  expect((await listEntries(funds)).at(-1)!.detail).toBe('Saldo ou limite insuficiente · código 51')
  expect((await listEntries(expired)).at(-1)!.detail).toBe(
    'Cartão vencido ou validade incorreta · código 54 · este cartão não pode ser tentado de novo',
  )
})

test('a provider that fails is told in words of ours, try by try', async () => {
  const { row } = await pay(await newLink(), buildTestCard('unavailable'))

  const entries = await listEntries(row)

  expect(entries.map(({ kind }) => kind)).toEqual([
    'created',
    'provider_failed',
    'provider_failed',
    'provider_failed',
    'declined',
  ])
  expect(entries[1]).toMatchObject({
    tone: 'bad',
    text: 'O provedor não concluiu a cobrança',
    detail: 'Serviço do provedor indisponível; nada foi cobrado nesta tentativa.',
  })
})

test('a code that ran out and was paid after all tells both, and when it was really paid', async () => {
  const { row } = await pay(await newLink(), PIX)
  clock.offsetMs = HOUR_MS
  await reconcileDuePayments(needs)
  expect((await linesOf(row)).at(-1)).toBe('expired neutral: Prazo encerrado sem pagamento')
  await payPix(row)
  clock.offsetMs = 2 * HOUR_MS

  await checkPayment(needs, await read(row.id))

  const entries = await listEntries(row)
  expect(entries.slice(1).map(({ kind }) => kind)).toEqual(['expired', 'approved', 'paid_late'])
  expect(entries[2]!.detail).toMatch(/^Pago em .+ às \d\d:\d\d · Simulado no ambiente de teste$/)
  expect(entries[3]).toMatchObject({ tone: 'waiting', at: entries[2]!.at })
})

test('a payment that is held, one that was given up and one that was taken back say so', async () => {
  const { row: held } = await pay(await newLink(), PIX)
  // In one millisecond even.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  await payPix(held, 9_000)
  await checkPayment(needs, held)
  const { row: canceled } = await pay(await newLink(), PIX)
  await settle(
    db,
    canceled,
    { status: 'canceled' },
    { checkoutUrl: CHECKOUT_URL, now: clock.now() },
  )
  const { row: contested } = await pay(await newLink(), buildTestCard('ok'))
  const { companyId, id } = contested
  await db.update(transactions).set({ status: 'charged_back' }).where(eq(transactions.id, id))
  const charged = { type: 'transaction.charged_back', testMode: true } as const
  await db.transaction((tx) =>
    recordEvent(tx, { ...charged, companyId, data: { transaction: { id } }, now: clock.now() }),
  )

  expect((await listEntries(held)).at(-1)).toMatchObject({
    kind: 'held',
    tone: 'bad',
    detail: expect.stringMatching(/90,00.+100,00/),
  })
  expect((await linesOf(canceled)).at(-1)).toBe('canceled neutral: Pagamento cancelado')
  expect((await listEntries(contested)).at(-1)).toMatchObject({ kind: 'charged_back', tone: 'bad' })
})

test('refunds are told when they are asked for and when they end', async () => {
  const { row } = await pay(await newLink(), buildTestCard('ok'))
  const order = { companyId: row.companyId, transactionId: row.id }
  clock.offsetMs = 10_000
  await executeRefund(needs, {
    ...order,
    id: newId(),
    amountCents: 1_000,
    reason: 'Faltou um item',
  })
  clock.offsetMs = 20_000
  failing({ refund: async () => ({ status: 'failed', reason: 'insufficient_balance' }) })
  await executeRefund(needs, { ...order, id: newId(), amountCents: 2_000 })
  clock.offsetMs = 30_000
  failing({ refund: async () => ({ status: 'processing', reference: 'r-1' }) })
  await executeRefund(needs, { ...order, id: newId(), amountCents: 3_000 })

  const entries = (await listEntries(row)).slice(3)

  expect((await linesOf(row)).slice(3)).toEqual([
    'refund neutral: Devolução de R$ 10,00 pedida',
    'refund good: Devolução de R$ 10,00 concluída',
    'refund neutral: Devolução de R$ 20,00 pedida',
    'refund bad: Devolução de R$ 20,00 não realizada',
    'refund waiting: Devolução de R$ 30,00 pedida',
    'refund neutral: Provedor está processando a devolução de R$ 30,00',
  ])
  expect(entries[0]!.detail).toBe('Faltou um item')
  expect(entries[3]!.detail).toBe('Não há saldo suficiente na conta para a devolução.')
})

const KEPT = { mailsDays: 30, eventsDays: 180, stepsDays: 730, sandboxDays: 365, auditDays: 1_826 }
const [MAILS, EVENTS, STEPS] = [
  ...['e-mails depois de 30 dias', 'notificações depois de 180 dias'],
  'passos no provedor depois de 730 dias',
]

test.each([
  [30, 0, null],
  [30, 1, MAILS],
  [180, 0, MAILS],
  [180, 1, `${MAILS} e ${EVENTS}`],
  [730, 0, `${MAILS} e ${EVENTS}`],
  [730, 1, `${MAILS}, ${EVENTS} e ${STEPS}`],
])('after %i days and %i ms it says what of it is deleted: %s', (days, ms, parts) => {
  const made = '2026-01-01T12:00:00.000Z'
  const now = new Date(Date.parse(made) + days * 24 * HOUR_MS + ms)

  const said = describeForgotten(made, KEPT, now)

  expect(said).toBe(parts && `Deste histórico são apagados ${parts}.`)
})
