// Two processes are killed at any instant, again and again, while payers pay at a bank and at each acquirer.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PIX } from '../support/payer.ts'
import type { FakeAcquirer } from '../support/providers/acquirers.ts'
import {
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const { bank, acquirers, start, open, rowsOf, makeDue } = realProviders

type Row = {
  id: string
  pix_txid: string
  pix_br_code: string | null
  challenge_url: string | null
}
type Merchant = Awaited<ReturnType<typeof open>> & { acquirer: FakeAcquirer }
type Submission = { merchant: Merchant; submit: (to: string) => Promise<Response> }

/** At night more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3)
const PAYERS = 8
const LIVES_MS = 600

test('killed at random while many pay and are paid back, no money is lost or doubled', async () => {
  const { baseUrl } = await start()
  const merchants = await Promise.all(
    acquirers.map(async (acquirer) => ({ acquirer, ...(await open(baseUrl, acquirer)) })),
  )
  const unanswered = new Set<Submission>()
  let payers = 0

  for (let round = 0; round < ROUNDS; round++) {
    const pair = await Promise.all([start(), start()])
    const paid = Promise.withResolvers<void>()
    let over = false
    const paying = Array.from({ length: PAYERS }, async (_, i) => {
      while (!over) await payOnce(pair[i % 2]!.baseUrl).then(paid.resolve, () => sleep(5))
    })
    await paid.promise
    await Promise.all(
      pair.map((service) => sleep(Math.random() * LIVES_MS).then(() => service.end('SIGKILL'))),
    )
    over = true
    await Promise.all(paying)
  }

  const last = await start()
  await makeDue()
  for (const { submit } of unanswered) expect((await submit(last.baseUrl)).status).toBe(303)
  await realProviders.becomeStill()
  expect(
    await realProviders.expectSame(merchants.flatMap(({ hits }) => hits)),
  ).toBeGreaterThanOrEqual(ROUNDS)
  expect(
    await rowsOf(`select payer_name from transactions where approved_at is not null
    group by payer_name having count(*) > 1`),
  ).toEqual([])

  /** Of three payers who get no answer two send the form again, to a process that is there; one gives up. */
  async function payOnce(at: string) {
    const submission = takeUnanswered() ?? (await fillInAs(`Pagador ${++payers}`, at))
    const { submit, merchant } = submission
    if (payers % 3) unanswered.add(submission)
    const answer = await submit(at)
    unanswered.delete(submission)
    const token = answer.headers.get('location')!.split('/').at(-1)
    const [row] = await rowsOf<Row>('select * from transactions where token = $1', token)
    if (row!.pix_br_code) await payPix(merchant, row!.pix_txid, at)
    else if (row!.challenge_url) await merchant.approve(row!.id, at)
    if (payers % 4 === 0) await merchant.refund(at, row!.id, 2_500)
  }

  async function fillInAs(name: string, at: string) {
    const merchant = merchants[payers % merchants.length]!
    const filled = payers % 2 ? merchant.acquirer.buildCard() : PIX
    return { merchant, submit: await merchant.fill({ ...filled, name }, at) }
  }

  function takeUnanswered() {
    const [submission] = unanswered
    if (submission) unanswered.delete(submission)
    return submission
  }

  async function payPix({ pixAddress }: Merchant, txid: string, at: string) {
    if (bank.book.pix.some((one) => one.txid === txid)) return
    bank.pay(txid, PRICE_CENTS)
    await sendPixNotification(at + pixAddress, txid)
  }
})
