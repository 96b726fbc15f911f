// An account's list is looked at in place of asking about each payment; what it does not show is asked about alone.
import { expect, test } from 'vitest'
import { openBankMerchant } from '../../support/providers/bank/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

const testApp = await openTestApp({ local: true })
const { app, clock, db } = testApp
const merchant = await openBankMerchant(testApp)
const { bank, openMerchant, charge, read, listBooked, workAt, reads, accountOf } = merchant
const { PRICE_CENTS, listEventTypes } = merchant

/** Payments whose codes were shown, of an account that was read a minute ago. */
async function openPayments(count: number) {
  const { company, link } = await openMerchant()
  await workAt(0)
  const rows = []
  for (let i = 0; i < count; i++) rows.push(await charge({ link }))
  clock.offsetMs = 20 * SECOND_MS
  const { notifyToken } = await accountOf(company.id)
  const before = reads().length
  return { link, rows, notify: (txids: string[]) => notify(notifyToken, txids), countCalls }

  function countCalls() {
    return reads().length - before
  }
}

async function notify(token: string, txids: string[]) {
  const pix = txids.map((txid) => ({ txid }))
  await app.inject({ method: 'POST', url: `/webhooks/pix-api/${token}/pix`, payload: { pix } })
}

/** The bank does not list Pix yet. */
function listLate(times: number) {
  for (let i = 0; i < times; i++) {
    const change = (body: Record<string, unknown>) => void Object.assign(body, { pix: [] })
    bank.next({ on: /^GET .pix$/, does: 'say', change })
  }
}

test('a Pix that is notified alone is approved at once, by one call', async () => {
  const { link, rows, notify, countCalls } = await openPayments(1)
  const [row] = rows
  bank.pay(row!.pixTxid!, PRICE_CENTS)

  await notify([row!.pixTxid!])

  expect(await read(row!.id)).toMatchObject({ status: 'approved', checkAt: null })
  expect(await listBooked(row!.id)).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
  expect(countCalls()).toBe(1)
  const { rows: steps } = await db.$client.query(
    `select details->>'source' as source from transaction_steps where transaction_id = $1 and kind = 'settled'`,
    [row!.id],
  )
  expect(steps).toEqual([{ source: 'notification' }])
})

test('Pix that are notified together, or near each other, share a call', async () => {
  const { rows, notify, countCalls } = await openPayments(6)
  const txids = rows.map(({ pixTxid }) => pixTxid!)
  for (const txid of txids.slice(0, 3)) bank.pay(txid, PRICE_CENTS)
  await notify(txids.slice(0, 3))
  expect(countCalls()).toBe(1)

  for (const txid of txids.slice(3)) {
    clock.offsetMs += SECOND_MS
    bank.pay(txid, PRICE_CENTS)
    await notify([txid])
  }
  expect(await read(rows[5]!.id)).toMatchObject({ status: 'pending' })
  await workAt(31 * SECOND_MS)

  for (const { id } of rows) expect(await read(id)).toMatchObject({ status: 'approved' })
  expect(countCalls()).toBe(2)
})

test('a Pix that a look has shown before its notification comes is not asked about again', async () => {
  const { rows, notify, countCalls } = await openPayments(2)
  const txids = rows.map(({ pixTxid }) => pixTxid!)
  for (const txid of txids) bank.pay(txid, PRICE_CENTS)

  await notify([txids[0]!])
  clock.offsetMs += 2 * SECOND_MS
  await notify([txids[1]!])
  await workAt(60 * SECOND_MS)

  for (const { id } of rows) expect(await read(id)).toMatchObject({ status: 'approved' })
  expect(countCalls()).toBe(1)
})

test('a bank that lists late is asked about the Pix alone, and not looked at for a while', async () => {
  const { rows, notify, countCalls } = await openPayments(2)
  const txids = rows.map(({ pixTxid }) => pixTxid!)
  listLate(1)
  bank.pay(txids[0]!, PRICE_CENTS)
  await notify([txids[0]!])
  expect(await read(rows[0]!.id)).toMatchObject({ status: 'approved' })
  expect(countCalls()).toBe(2)

  clock.offsetMs += MINUTE_MS
  bank.pay(txids[1]!, PRICE_CENTS)
  await notify([txids[1]!])

  expect(await read(rows[1]!.id)).toMatchObject({ status: 'approved' })
  expect(countCalls()).toBe(3)
})

test('a list that is lost is followed by a question about the Pix alone', async () => {
  const { rows, notify } = await openPayments(1)
  const [row] = rows
  bank.pay(row!.pixTxid!, PRICE_CENTS)
  bank.next({ on: /^GET .pix$/, does: 'answer', status: 500 })

  await notify([row!.pixTxid!])

  expect(await read(row!.id)).toMatchObject({ status: 'approved' })
})

test('a list that ignores its filter approves what is ours, and nothing else', async () => {
  const { rows, notify } = await openPayments(2)
  const [row, open] = rows
  bank.pay(row!.pixTxid!, PRICE_CENTS)
  bank.book.manner.foreignPix = Array.from({ length: 150 }, (_, i) => ({
    endToEndId: `E9999999920261121${String(i).padStart(15, '0')}`,
    ...{ txid: `outro${String(i).padStart(25, '0')}`, valor: '100.00' },
    ...{ horario: clock.now().toISOString(), chave: bank.config.pixKey },
  }))

  await notify([row!.pixTxid!])

  expect(await read(row!.id)).toMatchObject({ status: 'approved' })
  expect(await read(open!.id)).toMatchObject({ status: 'pending' })
})

test('less than the price that a list shows is held, as if it had been asked about alone', async () => {
  const { rows, notify } = await openPayments(1)
  const [row] = rows
  bank.pay(row!.pixTxid!, PRICE_CENTS - 1)

  await notify([row!.pixTxid!])

  expect(await read(row!.id)).toMatchObject({ approvedAt: null, receivedCents: PRICE_CENTS - 1 })
})

test('at a bank that tells nothing a Pix is looked for at first, and then asked about', async () => {
  const { rows, countCalls } = await openPayments(1)
  const [row] = rows
  listLate(2)
  bank.pay(row!.pixTxid!, PRICE_CENTS)

  await workAt(41 * SECOND_MS)
  expect(await read(row!.id)).toMatchObject({ status: 'pending' })
  expect(countCalls()).toBe(1)
  await workAt(82 * SECOND_MS)

  expect(await read(row!.id)).toMatchObject({ status: 'approved' })
})

test('two processes that are notified at once book a Pix once', async () => {
  const { link, rows, notify } = await openPayments(1)
  const txid = rows[0]!.pixTxid!
  bank.pay(txid, PRICE_CENTS)

  await Promise.all([notify([txid]), notify([txid]), workAt(clock.offsetMs)])
  await workAt(40 * SECOND_MS)

  expect(await listBooked(rows[0]!.id)).toHaveLength(1)
  expect(await listEventTypes(link)).toEqual(['transaction.approved'])
})
