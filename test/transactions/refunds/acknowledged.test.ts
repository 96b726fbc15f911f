// A refund that the provider has taken, or may have: it is never sent again, its amount stays set aside, and it
// ends by the provider's own word on it, or when nothing has been shown of it for a day.
import { afterEach, describe, expect, test } from 'vitest'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import { openCheckout, PIX } from '../../support/payer.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import {
  buildMercadoPagoCard,
  openMercadoPagoMerchant,
} from '../../support/providers/mercadopago/merchant.ts'
import { openFakeOpenPix } from '../../support/providers/openpix/fake.ts'
import { openTestApp } from '../../support/test-app.ts'
import { openRefunds } from '../../support/transactions/refunds.ts'

const PRICE_CENTS = 10_000
const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS

const testApp = await openTestApp({ local: true })
const { clock, db, needs, newCompany } = testApp
const { newLink, pay, read } = openCheckout(testApp)
const { requestRefund, readRefunds } = openRefunds(testApp)
const bank = await openFakeBank({ now: clock.now })
const woovi = await openFakeOpenPix({ now: clock.now })
const mercadoPago = await openMercadoPagoMerchant(testApp)
const { fake } = mercadoPago
const good = { bank: { ...bank.book.manner }, woovi: { ...woovi.book.manner } }

afterEach(async () => {
  clock.offsetMs = 0
  Object.assign(bank.book.manner, good.bank)
  Object.assign(woovi.book.manner, good.woovi)
  fake.keys.strict = false
  for (const provider of [bank, woovi, fake]) provider.heal()
  await db.$client.query('update transactions set check_at = null')
  await db.$client.query('update refunds set check_at = null')
})

const { company } = await mercadoPago.newCollectingCompany()

/** A payment of R$ 100,00 at this provider, and what can happen to its refunds there. */
const PROVIDERS = {
  'pix-api': async () => {
    const { company, row } = await payAtAccount('pix-api', bank.config)
    const pix = bank.pay(row.pixTxid!, PRICE_CENTS)
    const problem = (title: string) => JSON.stringify({ type: 'about:blank', title })
    return {
      ...{ company, row: await checkPayment(needs, row) },
      made: () => pix.devolucoes.map(({ valor }) => Math.round(Number(valor) * 100)),
      sent: () => bank.calls(new RegExp(`^PUT .pix/${pix.endToEndId}/devolucao`)).length,
      setLag: (lagsBehind: boolean) => Object.assign(bank.book.manner, { lagsBehind }),
      setEnd: (ends: 'processing' | 'done' | 'failed') => {
        const status = {
          processing: 'EM_PROCESSAMENTO',
          done: 'DEVOLVIDO',
          failed: 'NAO_REALIZADO',
        }
        bank.book.manner.refundStatus = status[ends]
        for (const devolution of pix.devolucoes) devolution.status = status[ends]
      },
      refuseNext: (status: number, works: boolean) =>
        bank.next({ on: /^PUT .*devolucao/, does: 'answer', status, works, body: problem('Erro') }),
    }
  },
  openpix: async () => {
    const { company, row } = await payAtAccount('openpix', woovi.config)
    woovi.pay(row.id, PRICE_CENTS)
    const refunds = () => woovi.book.refunds.get(row.id) ?? []
    return {
      ...{ company, row: await checkPayment(needs, row) },
      made: () => refunds().map(({ value }) => value),
      sent: () => woovi.calls(new RegExp(`^POST .charge.${row.id}.refund`)).length,
      setLag: (lagsBehind: boolean) => Object.assign(woovi.book.manner, { lagsBehind }),
      setEnd: (ends: 'processing' | 'done' | 'failed') => {
        const status = { processing: 'IN_PROCESSING', done: 'CONFIRMED', failed: 'REJECTED' }
        woovi.book.manner.refundStatus = status[ends]
        for (const refund of refunds()) refund.status = status[ends]
      },
      refuseNext: (status: number, works: boolean) =>
        woovi.next({
          ...{ on: /^POST .*refund/, does: 'answer', status, works },
          body: JSON.stringify({ error: 'Requisição inválida' }),
        }),
    }
  },
  mercadopago: async () => {
    const link = await newLink({ methods: ['credit_card'] }, company)
    const { row } = await pay(link, buildMercadoPagoCard('ok'))
    const [made] = fake.ordersOf(row.id)
    const { refunds } = made!.transactions
    return {
      ...{ company, row },
      made: () => refunds.map(({ amount }) => Math.round(Number(amount) * 100)),
      sent: () => fake.calls(new RegExp(`^POST .*${made!.id}/refund$`)).length,
      setLag: (lagsBehind: boolean) => Object.assign(fake.settings, { lagsBehind }),
      setEnd: (ends: 'processing' | 'done' | 'failed') => {
        const status = { processing: 'processing', done: 'processed', failed: 'failed' }[ends]
        fake.settings.refundStatus = status
        for (const refund of refunds) refund.status = status
      },
      /** After the order was read. */
      refuseNext: (status: number, works: boolean) =>
        fake.next({
          ...{ on: /refund$/, works, does: 'answer', status },
          body: JSON.stringify({ error: 'bad_request', message: 'Bad request' }),
        }),
    }
  },
}

type PixProvider = 'pix-api' | 'openpix'
const merchants = new Map<string, ReturnType<typeof openMerchant>>()

async function openMerchant(provider: PixProvider, config: object) {
  const company = await newCompany()
  const account = { companyId: company.id, provider, now: clock.now() }
  await saveAccount(needs, { ...account, config: { ...config } })
  await chooseProvider(db, { ...account, method: 'pix' })
  return { company, link: await newLink({ methods: ['pix'] }, company) }
}

async function payAtAccount(provider: PixProvider, config: object) {
  const merchant = merchants.get(provider) ?? openMerchant(provider, config)
  merchants.set(provider, merchant)
  const { company, link } = await merchant
  return { company, row: (await pay(link, PIX)).row }
}

async function reconcileAfter(...times: number[]) {
  for (const ms of times) {
    clock.offsetMs = ms
    await reconcileDuePayments(needs)
  }
}

describe.each(Object.entries(PROVIDERS))('%s', (_name, open) => {
  test('a refund that was taken is not sent again while nothing is shown of it, and ends by its word', async () => {
    const { company, row, ...provider } = await open()
    provider.setEnd('processing')
    const taken = await requestRefund(company, row.id, { amountCents: 500 })
    provider.setLag(true)

    await reconcileAfter(30 * SECOND_MS, 60 * SECOND_MS, HOUR_MS)
    const meanwhile = await readRefunds(row.id)
    const more = await requestRefund(company, row.id, { amountCents: PRICE_CENTS - 499 })
    provider.setLag(false)
    provider.setEnd('done')
    await reconcileAfter(2 * HOUR_MS)

    expect(taken.json()).toMatchObject({ status: 'pending' })
    expect(meanwhile).toMatchObject([{ status: 'pending' }])
    expect(more.statusCode).toBe(422)
    expect(provider.sent()).toBe(1)
    expect(provider.made()).toEqual([500])
    expect(await readRefunds(row.id)).toMatchObject([{ status: 'succeeded' }])
    expect(await read(row.id)).toMatchObject({ refundedCents: 500 })
  })

  test('a refund with a lost answer is still out though its id is used and it is not shown', async () => {
    const { company, row, ...provider } = await open()
    provider.setLag(true)
    provider.refuseNext(500, true)
    fake.keys.strict = true

    await requestRefund(company, row.id, { amountCents: 500 })
    await reconcileAfter(30 * SECOND_MS, 60 * SECOND_MS, HOUR_MS)
    const meanwhile = await readRefunds(row.id)
    provider.setLag(false)
    await reconcileAfter(2 * HOUR_MS)

    expect(meanwhile).toMatchObject([{ status: 'pending' }])
    expect(provider.made()).toEqual([500])
    expect(await readRefunds(row.id)).toMatchObject([{ status: 'succeeded' }])
  })

  test('a 400, 404 or 422 that says nothing of the refund itself is no verdict: what was carried out is found', async () => {
    const { company, row, ...provider } = await open()
    provider.setLag(true)
    const sent: string[] = []
    for (const [i, status] of [400, 404, 422].entries()) {
      provider.refuseNext(status, true)
      const answer = await requestRefund(company, row.id, { amountCents: 500 + i })
      sent.push(answer.json().status)
    }
    provider.setLag(false)
    await reconcileAfter(HOUR_MS)

    expect(sent).toEqual(['pending', 'pending', 'pending'])
    expect(provider.made()).toEqual([500, 501, 502])
    const refunds = await readRefunds(row.id)
    expect(refunds.map(({ status }) => status)).toEqual(Array(3).fill('succeeded'))
  })
})

describe.each(Object.entries(PROVIDERS))('%s', (_name, open) => {
  test('what nothing was shown of for a day has failed, and its amount is free again', async () => {
    const { company, row, ...provider } = await open()
    provider.refuseNext(400, false)

    await requestRefund(company, row.id, {})
    await reconcileAfter(HOUR_MS, DAY_MS - HOUR_MS)
    const before = await readRefunds(row.id)
    await reconcileAfter(DAY_MS + HOUR_MS)
    const again = await requestRefund(company, row.id, {})

    expect(before).toMatchObject([{ status: 'pending' }])
    expect((await readRefunds(row.id))[0]).toMatchObject({
      status: 'failed',
      failureReason: 'lost',
    })
    expect(again.json()).toMatchObject({ status: 'succeeded' })
    expect(provider.made()).toEqual([PRICE_CENTS])
  })

  test('a refund that was called failed and is done after all is put right in its own row', async () => {
    const { company, row, ...provider } = await open()
    provider.setEnd('failed')
    const failed = await requestRefund(company, row.id, { amountCents: 500 })
    provider.setEnd('done')

    await checkPayment(needs, await read(row.id))
    await checkPayment(needs, await read(row.id))

    expect(failed.json()).toMatchObject({ status: 'failed' })
    expect(await readRefunds(row.id)).toMatchObject([
      { id: failed.json().id, status: 'succeeded', failureReason: null },
    ])
    expect(await read(row.id)).toMatchObject({ status: 'partially_refunded', refundedCents: 500 })
  })
})
