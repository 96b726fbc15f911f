// A day of a company with a thousand Pix, and how often its bank is asked beside the charges that it makes.
import { expect, test } from 'vitest'
import { openBankMerchant } from '../../support/providers/bank/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PIX_COUNT = 1_000
/** One in twenty payers takes his time. */
const SLOW_EVERY = 20
const [QUICK_MS, SLOW_MS] = [25_000, 4 * MINUTE_MS]
/** One for each Pix, two more for a slow payer, and the lists of the account: every five minutes at most. */
const MAX_CALLS = PIX_COUNT * (1 + 2 / SLOW_EVERY) + 24 * 12 + 150

const testApp = await openTestApp({ local: true })
const { app, clock, db } = testApp
const merchant = await openBankMerchant(testApp)
const { bank, openMerchant, charge, workAt, reads, accountOf, PRICE_CENTS } = merchant

type Waiting = { txid: string; paysAt: number }

test.each([
  ['that notifies', true],
  ['that tells nothing', false],
])(
  'a thousand Pix a day at a bank %s cost little more than a call for each',
  { timeout: 600_000 },
  async (_how, isNotified) => {
    const { company, link } = await openMerchant()
    const { notifyToken } = await accountOf(company.id)
    const waiting: Waiting[] = []
    const stepMs = DAY_MS / PIX_COUNT
    const before = reads().length

    for (let i = 0; i < PIX_COUNT; i++) {
      await passTo(i * stepMs)
      const { pixTxid } = await charge({ link })
      waiting.push({
        txid: pixTxid!,
        paysAt: i * stepMs + (i % SLOW_EVERY === 0 ? SLOW_MS : QUICK_MS),
      })
    }
    await passTo(DAY_MS + 10 * MINUTE_MS)

    const calls = reads().length - before
    const { rows } = await db.$client.query(
      `select count(*)::int as approved from transactions where company_id = $1 and status = 'approved'`,
      [company.id],
    )
    expect(rows).toEqual([{ approved: PIX_COUNT }])
    expect(calls).toBeLessThan(MAX_CALLS)

    async function passTo(offsetMs: number) {
      for (let ms = clock.offsetMs; ms < offsetMs; ) {
        ms = Math.min(offsetMs, ms + 30_000)
        clock.offsetMs = ms
        for (const { txid } of takePaid(ms)) {
          bank.pay(txid, PRICE_CENTS)
          if (isNotified) await notify(notifyToken, txid)
        }
        await workAt(ms)
      }
    }

    function takePaid(ms: number) {
      const paid = waiting.filter(({ paysAt }) => paysAt <= ms)
      for (const one of paid) waiting.splice(waiting.indexOf(one), 1)
      return paid
    }
  },
)

async function notify(token: string, txid: string) {
  const url = `/webhooks/pix-api/${token}/pix`
  await app.inject({ method: 'POST', url, payload: { pix: [{ txid }] } })
}
