// A shop's day with a thousand Pix, and how often its provider is asked beside the charges that it makes.
import { afterEach, expect, test } from 'vitest'
import { providerAccounts } from '../../../src/database/tables.ts'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import type { RealProvider } from '../../../src/providers/registry.ts'
import { readDueAccounts } from '../../../src/transactions/reconciliation/account-lists.ts'
import { reconcileDuePayments } from '../../../src/transactions/reconciliation/reconcile.ts'
import type { TransactionRow } from '../../../src/transactions/transaction.ts'
import { openCheckout, PIX } from '../../support/payer.ts'
import { openFakeBank } from '../../support/providers/bank/fake.ts'
import { openFakeMercadoPago } from '../../support/providers/mercadopago/fake.ts'
import { openFakeOpenPix } from '../../support/providers/openpix/fake.ts'
import { createSeededRandom } from '../../support/simulation/random.ts'
import { openTestApp } from '../../support/test-app.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const ROUND_MS = 10 * SECOND_MS
const PRICE_CENTS = 10_000
/** From 8 to 22 h; a thousand in all. */
const PIX_PER_HOUR = [30, 40, 60, 110, 160, 120, 50, 40, 50, 70, 110, 90, 50, 20]
const OPENS_MS = 8 * HOUR_MS
const PIX_COUNT = PIX_PER_HOUR.reduce((sum, count) => sum + count, 0)
/** One in twenty payers takes his time. */
const SLOW_EVERY = 20
const [QUICK_MS, SLOW_MS, TOLD_AFTER_MS] = [25 * SECOND_MS, 4 * MINUTE_MS, 3 * SECOND_MS]

const testApp = await openTestApp({ local: true })
const { app, clock, db, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)
const bank = await openFakeBank({ now: clock.now })
const woovi = await openFakeOpenPix({ now: clock.now })
const mercadoPago = await openFakeMercadoPago(clock.now)

type Sent = { headers?: object; query?: object; body: object | Buffer }
type Place = {
  provider: RealProvider
  server: { asked: { method: string; path: string }[]; config: Record<string, unknown> }
  pay: (row: TransactionRow) => unknown
  notificationOf: (row: TransactionRow) => Sent
}

const BANK: Place = {
  provider: 'pix-api',
  server: bank,
  pay: ({ pixTxid }) => bank.pay(pixTxid!, PRICE_CENTS),
  notificationOf: ({ pixTxid }) => ({ body: { pix: [{ txid: pixTxid }] } }),
}
const WOOVI: Place = {
  provider: 'openpix',
  server: woovi,
  pay: ({ id }) => woovi.pay(id, PRICE_CENTS),
  notificationOf: ({ id }) => woovi.completed(id),
}
const MERCADO_PAGO: Place = {
  provider: 'mercadopago',
  server: mercadoPago,
  pay: ({ providerReference }) => mercadoPago.payPix(providerReference!),
  notificationOf: ({ providerReference }) => mercadoPago.notification(providerReference!),
}

afterEach(async () => {
  clock.offsetMs = 0
  await db.$client.query('update transactions set check_at = null')
  await db.delete(providerAccounts)
})

type Moment = { ms: number; happens: () => Promise<unknown> | unknown }

test.each([
  ['a bank that notifies', BANK, true, 1_400],
  ['a bank that tells nothing', BANK, false, 1_400],
  // A charge, its refunds, its disputes and its Pix are four calls there.
  ['Woovi', WOOVI, true, 4_500],
  ['Mercado Pago', MERCADO_PAGO, true, 2_400],
] as const)(
  'a thousand Pix a day at %s cost a check of each, and the lists',
  { timeout: 900_000 },
  async (_where, place, isNotified, maxCalls) => {
    const { company, link, url } = await openPlace(place)
    const moments: Moment[] = listArrivals().map((ms, i) => ({ ms, happens: () => begin(ms, i) }))
    const reads = () => place.server.asked.filter(({ method }) => method === 'GET')
    // What a new account is asked for once.
    await readDueAccounts(needs)
    const before = reads().length

    for (let ms = 0; ms <= 24 * HOUR_MS; ms += ROUND_MS) await passTo(ms)

    const { rows } = await db.$client.query(
      `select count(*)::int as approved from transactions where company_id = $1 and status = 'approved'`,
      [company.id],
    )
    expect(rows).toEqual([{ approved: PIX_COUNT }])
    expect(reads().length - before).toBeLessThanOrEqual(maxCalls)

    async function passTo(ms: number) {
      while (moments[0] && moments[0].ms <= ms) {
        const moment = moments.shift()!
        clock.offsetMs = moment.ms
        await moment.happens()
      }
      clock.offsetMs = ms
      await readDueAccounts(needs)
      await reconcileDuePayments(needs)
    }

    async function begin(ms: number, i: number) {
      const { row } = await pay(link, PIX)
      const paysAt = ms + (i % SLOW_EVERY === 0 ? SLOW_MS : QUICK_MS)
      add({ ms: paysAt, happens: () => place.pay(row) })
      if (isNotified)
        add({ ms: paysAt + TOLD_AFTER_MS, happens: () => notify(url, place.notificationOf(row)) })
    }

    function add(moment: Moment) {
      const at = moments.findIndex(({ ms }) => ms > moment.ms)
      moments.splice(at === -1 ? moments.length : at, 0, moment)
    }
  },
)

async function openPlace({ provider, server }: Place) {
  const company = await newCompany()
  const key = { companyId: company.id, provider, now: clock.now() } as const
  const account = await saveAccount(needs, { ...key, config: server.config })
  await chooseProvider(db, { ...key, method: 'pix' })
  const link = await newLink({ methods: ['pix'], maxPayments: null }, company)
  return { company, link, url: `/webhooks/${provider}/${account.notifyToken}` }
}

function listArrivals() {
  const random = createSeededRandom(48)
  const arrivals = PIX_PER_HOUR.flatMap((count, hour) =>
    Array.from({ length: count }, () => OPENS_MS + hour * HOUR_MS + random.integer(0, HOUR_MS)),
  )
  return arrivals.toSorted((a, b) => a - b)
}

async function notify(url: string, { headers = {}, query = {}, body }: Sent) {
  await app.inject({
    method: 'POST',
    url: `${url}?${new URLSearchParams({ ...query })}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  })
}
