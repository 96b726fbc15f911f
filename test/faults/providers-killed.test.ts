// A process is killed at each step of a charge and of a refund, while another one goes on beside it.
import { expect, test } from 'vitest'
import type { VerdictSource } from '../../src/transactions/steps.ts'
import { PIX } from '../support/payer.ts'
import { SOON } from '../support/processes/consistency-checks.ts'
import {
  atNight,
  beforeAnswerIsKept,
  beforeEventIsWritten,
  hangCall,
  type KillCase,
  killProcessAt,
} from '../support/processes/kill-points.ts'
import type { FakeAcquirer } from '../support/providers/acquirers.ts'
import {
  openRealProviders,
  PRICE_CENTS,
  sendPixNotification,
} from '../support/providers/real-providers.ts'

const realProviders = await openRealProviders()
const { bank, acquirers, openTwoServices, theOnly, makeDue, stepsOf, expectPublished } =
  realProviders

const NOT_CHARGED = 'before it was charged'

const MAKING_A_PIX: KillCase[] = [
  ['after the bank has made it', hangCall(bank, /^PUT .cob/, true)],
  ...atNight([
    ['before the bank was asked', hangCall(bank, /^POST .oauth/, false)],
    ['before the bank has made it', hangCall(bank, /^PUT .cob/, false)],
    ['before its code was kept', beforeAnswerIsKept(bank, /^PUT .cob/)],
    ['after its code was kept', null],
  ]),
]

test.each(MAKING_A_PIX)(
  'when its process is killed %s, a Pix is one charge, paid and told once',
  async (_when, at) => {
    const { victim, survivor, testMerchant } = await openTwoServices()
    const submit = await testMerchant.fill(PIX)
    await killProcessAt(realProviders, victim, at, submit)

    await makeDue()
    await expect.poll(async () => (await theOnly('transactions')).pix_br_code, SOON).not.toBeNull()
    const again = await submit(survivor.baseUrl)
    const { id, pix_txid: txid } = await theOnly('transactions')
    bank.pay(txid, PRICE_CENTS)
    await sendPixNotification(survivor.baseUrl + testMerchant.pixAddress, txid)

    expect(again.status).toBe(303)
    expect([...bank.book.cobs.keys()]).toEqual([txid])
    await expectPublished(testMerchant, ['transaction.approved'])
    await expectSettledOnce(id, ['notification', 'reconciliation'])
  },
)

/** Of a notification and the next look at the bank, either may come first where much else is done. */
async function expectSettledOnce(id: string, sources: VerdictSource[]) {
  const steps = await stepsOf(id)
  expect(steps.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: 'notified', provider: 'pix-api' },
    { kind: 'settled', status: 'approved', source: expect.toBeOneOf(sources) },
  ])
}

const NOTIFIED_OF_A_PIX: KillCase[] = [
  ['before the approval is written', beforeEventIsWritten],
  ...atNight([
    ['before the bank says how it stands', hangCall(bank, /^GET .cob/, false)],
    ['after the approval was written', null],
  ]),
]

test.each(NOTIFIED_OF_A_PIX)(
  'when its process is killed %s, a paid Pix is approved and told once',
  async (_when, at) => {
    const { victim, testMerchant } = await openTwoServices()
    await (await testMerchant.fill(PIX))()
    const { id, pix_txid: txid } = await theOnly('transactions')
    bank.pay(txid, PRICE_CENTS)
    await killProcessAt(realProviders, victim, at, () =>
      sendPixNotification(victim.baseUrl + testMerchant.pixAddress, txid),
    )

    await makeDue()

    await expectPublished(testMerchant, ['transaction.approved'])
    await expectSettledOnce(id, at ? ['reconciliation'] : ['notification', 'reconciliation'])
  },
)

type CardCase = [provider: string, ...KillCase, acquirer: FakeAcquirer]

function atEachAcquirer(listCases: (acquirer: FakeAcquirer) => KillCase[]) {
  return acquirers.flatMap((acquirer) =>
    listCases(acquirer).map((one): CardCase => [acquirer.provider, ...one, acquirer]),
  )
}

const CHARGING_A_CARD = atEachAcquirer((acquirer) => {
  const { on, isElsewhere } = acquirer
  const settling: KillCase = ['before it is told', beforeEventIsWritten]
  return [
    [NOT_CHARGED, hangCall(acquirer, on.charge, false)],
    ['after it was charged', hangCall(acquirer, on.charge, true)],
    ...atNight([
      ['before its answer is kept', beforeAnswerIsKept(acquirer, on.charge)],
      // Of one that is paid at a page later there is nothing to tell yet.
      ...(isElsewhere ? [] : [settling]),
      ['after all of it was written', null],
    ]),
  ]
})

test.each(CHARGING_A_CARD)(
  'a card at %s is charged once at most, and told, when its process is killed %s',
  async (_provider, when, at, acquirer) => {
    const status = when === NOT_CHARGED ? 'declined' : 'approved'
    const { victim, survivor, testMerchant } = await openTwoServices(acquirer)
    const submit = await testMerchant.fill(acquirer.buildCard())
    await killProcessAt(realProviders, victim, at, submit)

    await makeDue()
    const { id } = await theOnly('transactions')
    if (acquirer.isElsewhere && status === 'approved') {
      await expect.poll(async () => (await theOnly('transactions')).status, SOON).toBe('pending')
      await testMerchant.approve(id, survivor.baseUrl)
    }
    await expect.poll(async () => (await theOnly('transactions')).status, SOON).toBe(status)
    const again = await submit(survivor.baseUrl)

    expect(again.status).toBe(303)
    expect(acquirer.chargesOf(id)).toHaveLength(status === 'approved' ? 1 : 0)
    await expectPublished(testMerchant, [`transaction.${status}`])
    // What the answer to the charge decided at once is told by the payment itself.
    const isKept = at === null && !acquirer.isElsewhere
    expect(await listVerdicts(id)).toEqual(isKept ? [] : [status])
  },
)

async function listVerdicts(id: string) {
  const steps: { kind: string; status?: string }[] = await stepsOf(id)
  return steps.filter(({ kind }) => kind === 'settled').map(({ status }) => status)
}

const NOTIFIED_OF_A_CARD = atEachAcquirer((acquirer) => [
  ['before the approval is written', beforeEventIsWritten],
  ...atNight([
    ['before it says how the charge stands', hangCall(acquirer, acquirer.on.read, false)],
    ['after the approval was written', null],
  ]),
])

test.each(NOTIFIED_OF_A_CARD)(
  'a card that %s approves later is approved and told once when its process is killed %s',
  async (_provider, _when, at, acquirer) => {
    const { victim, survivor, testMerchant } = await openTwoServices(acquirer)
    await (await testMerchant.fill(acquirer.buildCard(false)))()
    const { id } = await theOnly('transactions')
    await killProcessAt(realProviders, victim, at, () => testMerchant.approve(id, victim.baseUrl))

    await testMerchant.notifyOfCard(id, survivor.baseUrl)
    await makeDue()

    await expectPublished(testMerchant, ['transaction.approved'])
    expect(await listVerdicts(id)).toEqual(['approved'])
    expect(acquirer.chargesOf(id)).toHaveLength(1)
  },
)

const REFUNDED_AT = [
  { provider: 'pix-api', fake: bank, read: undefined, refund: /^PUT .*devolucao/ },
  ...acquirers.map((fake) => ({ ...fake.on, provider: fake.provider, fake })),
]
const REFUNDING = REFUNDED_AT.flatMap(({ provider, fake, read, refund }) => {
  const cases: KillCase[] = [
    ['after it is done', hangCall(fake, refund, true)],
    ...atNight([
      ...(read ? [['before it was asked for', hangCall(fake, read, true)] as KillCase] : []),
      ['before it is done', hangCall(fake, refund, false)],
      ['before it is written', beforeEventIsWritten],
      ['after it was written', null],
    ]),
  ]
  const acquirer = acquirers.find((one) => one.provider === provider)
  return cases.map(([when, at]) => [provider, when, at, acquirer] as const)
})

test.each(REFUNDING)(
  'a refund at %s is made once, and told once, when its process is killed %s',
  async (_provider, _when, at, acquirer) => {
    const { victim, survivor, testMerchant } = await openTwoServices(acquirer)
    const id = await testMerchant.paid(acquirer ? acquirer.buildCard() : PIX)
    const refund = (baseUrl: string) => testMerchant.refund(baseUrl, id, 4_000)
    await killProcessAt(realProviders, victim, at, () => refund(victim.baseUrl))

    await makeDue()
    await expect.poll(async () => (await theOnly('refunds')).status, SOON).toBe('succeeded')
    const again = await refund(survivor.baseUrl)

    expect(again.status).toBe(201)
    expect(await again.json()).toMatchObject({ amountCents: 4_000, status: 'succeeded' })
    await theOnly('refunds')
    await expectPublished(testMerchant, ['transaction.approved', 'transaction.refunded'])
    expect(await theOnly('transactions')).toMatchObject({
      status: 'partially_refunded',
      refunded_cents: 4_000,
    })
  },
)
