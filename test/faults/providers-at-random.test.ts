// Two processes are killed at any instant, again and again, while payers pay at a bank and at Mercado Pago.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PIX } from '../support/payer.ts'
import {
  buildApprovedCard,
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const { bank, start, open, rowsOf, makeDue } = realProviders

type Row = { id: string; pix_txid: string; pix_br_code: string | null }

/** At night more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3)
const PAYERS = 8
const LIVES_MS = 600

test('killed at random while many pay and are paid back, no money is lost or doubled', async () => {
  const { baseUrl } = await start()
  const testMerchant = await open(baseUrl)
  const unanswered = new Set<(to: string) => Promise<Response>>()
  let payers = 0

  for (let round = 0; round < ROUNDS; round++) {
    const pair = await Promise.all([start(), start()])
    let over = false
    const paying = Array.from({ length: PAYERS }, async (_, i) => {
      while (!over) await payOnce(pair[i % 2]!.baseUrl).catch(() => sleep(5))
    })
    const lives = pair.map(async (service) => {
      await sleep(LIVES_MS / 2 + Math.random() * LIVES_MS)
      await service.end('SIGKILL')
    })
    await Promise.all(lives)
    over = true
    await Promise.all(paying)
  }

  const last = await start()
  await makeDue()
  for (const submit of unanswered) expect((await submit(last.baseUrl)).status).toBe(303)
  await realProviders.becomeStill()
  expect(await realProviders.expectSame(testMerchant.hits)).toBeGreaterThan(ROUNDS)
  expect(
    await rowsOf(`select payer_name from transactions where approved_at is not null
    group by payer_name having count(*) > 1`),
  ).toEqual([])

  /** Of three who get no answer two send the form again, to whoever is there; one gives up. */
  async function payOnce(at: string) {
    const submit = takeUnanswered() ?? (await fillInAs(`Pagador ${++payers}`, at))
    if (payers % 3) unanswered.add(submit)
    const answer = await submit(at)
    unanswered.delete(submit)
    const token = answer.headers.get('location')!.split('/').at(-1)
    const [row] = await rowsOf<Row>('select * from transactions where token = $1', token)
    if (row!.pix_br_code) await payPix(row!.pix_txid, at)
    if (payers % 4 === 0) await testMerchant.refund(at, row!.id, 2_500)
  }

  function fillInAs(name: string, at: string) {
    return testMerchant.fill({ name, ...(payers % 2 ? buildApprovedCard() : PIX) }, at)
  }

  function takeUnanswered() {
    const [submit] = unanswered
    if (submit) unanswered.delete(submit)
    return submit
  }

  async function payPix(txid: string, at: string) {
    if (bank.book.pix.some((one) => one.txid === txid)) return
    bank.pay(txid, PRICE_CENTS)
    await sendPixNotification(at + testMerchant.pixAddress, txid)
  }
})
