// A process is killed at each step of a dispute that it was told of, while another one goes on beside it.
import { expect, test } from 'vitest'
import { PIX } from '../support/payer.ts'
import { SOON } from '../support/processes/consistency-checks.ts'
import {
  atNight,
  beforeEventIsWritten,
  hangCall,
  holdTable,
  type KillCase,
  killProcessAt,
} from '../support/processes/kill-points.ts'
import { returnPix } from '../support/providers/bank/ledger.ts'
import {
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const { bank, start, findSurvivor, open, theOnly, makeDue, rowsOf, expectPublished } = realProviders

/** The victim has not heard of the payment before: what was asked about a moment ago waits for its turn. */
async function openContestedMerchant() {
  const [victim, survivor] = await Promise.all([start(), findSurvivor()])
  return { victim, testMerchant: await open(survivor.baseUrl) }
}

async function listStatuses() {
  const rows = await rowsOf<{ status: string }>('select status from disputes')
  return rows.map(({ status }) => status)
}

/** No process is asking the bank any more: a claim is due again within its lease, an open dispute tomorrow. */
async function listClaims() {
  return rowsOf(`select id from transactions where check_at < now() + interval '2 minutes'`)
}

const HEARD = ['transaction.approved', 'dispute.opened']
const LOST = [...HEARD, 'dispute.closed', 'transaction.charged_back']

const CONTESTED: KillCase[] = [
  ['before it is told', beforeEventIsWritten],
  ...atNight([
    ['before the bank says so', hangCall(bank, /^GET .cob/, false)],
    ['before it is written', holdTable('disputes')],
    ['before anybody is to hear of it', holdTable('webhook_deliveries')],
    ['after it was written', null],
  ]),
]

test.each(CONTESTED)(
  'when its process is killed %s, a MED is lost once, and told once',
  async (_when, at) => {
    const { victim, testMerchant } = await openContestedMerchant()
    const id = await testMerchant.paid(PIX)
    const { pix_txid: txid } = await theOnly('transactions')
    returnPix(bank.book, bank.book.pix[0]!, PRICE_CENTS, 'MED_FRAUDE')

    await killProcessAt(realProviders, victim, at, () =>
      sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid),
    )
    await makeDue()
    await expect.poll(listStatuses, SOON).toEqual(['lost'])

    await expectPublished(testMerchant, LOST)
    expect(await theOnly('transactions')).toMatchObject({
      ...{ id, status: 'charged_back', charged_back_cents: PRICE_CENTS, refunded_cents: 0 },
    })
    expect(await rowsOf('select status, amount_cents from disputes')).toEqual([
      { status: 'lost', amount_cents: PRICE_CENTS },
    ])
  },
)

test.each(CONTESTED)(
  'when its process is killed %s, the end of a MED is written and told once',
  async (_when, at) => {
    const { victim, testMerchant } = await openContestedMerchant()
    await testMerchant.paid(PIX)
    const { pix_txid: txid } = await theOnly('transactions')
    const notify = () => sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid)
    bank.book.manner.refundStatus = 'EM_PROCESSAMENTO'
    const devolution = returnPix(bank.book, bank.book.pix[0]!, PRICE_CENTS, 'MED_FRAUDE')
    bank.book.manner.refundStatus = 'DEVOLVIDO'
    await makeDue()
    await expect.poll(listStatuses, SOON).toEqual(['open'])
    await expectPublished(testMerchant, HEARD)
    await expect.poll(listClaims, SOON).toEqual([])

    devolution.status = 'DEVOLVIDO'
    await killProcessAt(realProviders, victim, at, notify)
    await makeDue()
    await expect.poll(listStatuses, SOON).toEqual(['lost'])

    await expectPublished(testMerchant, LOST)
    expect(await listStatuses()).toEqual(['lost'])
  },
)
