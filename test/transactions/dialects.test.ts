// A bank that answers each call in another of its ways, with another clock, and lists more or less than was asked
// for: every payment is approved, once, with what came in, and what goes back is known.
import { expect, test } from 'vitest'
import { saveAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { reloadTransaction, type TransactionRow } from '../../src/transactions/transaction.ts'
import { openCheckout, PIX } from '../support/payer.ts'
import { DIALECTS } from '../support/providers/bank/dialects.ts'
import { openFakeBank } from '../support/providers/bank/fake.ts'
import { returnPix } from '../support/providers/bank/ledger.ts'
import { createSeededRandom } from '../support/simulation/random.ts'
import { openTestApp } from '../support/test-app.ts'

/** At night more. */
const PAYMENTS = Number(process.env.DIALECT_PAYMENTS ?? 12)
const HOUR_MS = 3_600_000
const CLOCKS_MS = [0, 0, -3_000, -90_000, -3 * HOUR_MS, 3 * HOUR_MS]

const testApp = await openTestApp({ local: true })
const { clock, db, needs, newCompany } = testApp
const { newLink, pay } = openCheckout(testApp)
const bank = await openFakeBank({ now: clock.now })
const { manner } = bank.book

test('of many payments none is lost, held or booked twice', async () => {
  const seed = Date.now() % 1_000_000
  const random = createSeededRandom(seed)
  const dialects = Object.values(DIALECTS)
  manner.speak = (body) => ('title' in body ? body : random.pick(dialects)(body))
  const company = await newCompany()
  const account = { companyId: company.id, provider: 'pix-api' as const, now: clock.now() }
  await saveAccount(needs, { ...account, config: { ...bank.config } })
  await chooseProvider(db, { ...account, method: 'pix' })
  const link = await newLink({ methods: ['pix'] }, company)

  for (let i = 0; i < PAYMENTS; i++) {
    manner.hidesPayments = random.chance(0.4)
    manner.refusesFuture = random.chance(0.5)
    manner.clockOffsetMs = random.pick(CLOCKS_MS)
    manner.foreignPix = random.chance(0.2) ? listForeignPix() : []
    const { row } = await pay(link, PIX)
    const coded = await checkUntil(row, ({ pixBrCode }) => pixBrCode !== null)
    const pix = bank.pay(row.pixTxid!, 10_000)
    const approved = await checkUntil(coded, ({ status }) => status === 'approved')
    expect(approved, `seed ${seed}, payment ${i}`).toMatchObject({ status: 'approved' })
    if (!random.chance(0.3)) continue
    returnPix(bank.book, pix, 2_500)
    const returned = await checkUntil(approved, ({ refundedCents }) => refundedCents > 0)
    expect(returned, `seed ${seed}, payment ${i}`).toMatchObject({ refundedCents: 2_500 })
  }

  const { rows } = await db.$client.query(`select count(*)::int as count,
    sum(amount_cents)::int as cents, sum(surplus_cents)::int as surplus from incoming_payments`)
  const held = "select type from events where type = 'transaction.held'"
  expect((await db.$client.query(held)).rows).toEqual([])
  expect(rows).toEqual([{ count: PAYMENTS, cents: PAYMENTS * 10_000, surplus: 0 }])
})

/** As often as the reconciler would within a minute. */
async function checkUntil(row: TransactionRow, isDone: (row: TransactionRow) => boolean) {
  let current = row
  for (let checks = 0; checks < 6 && !isDone(current); checks++) {
    clock.offsetMs += 2_000
    current = await checkPayment(needs, current).catch(() => reloadTransaction(db, row.id))
  }
  return current
}

function listForeignPix() {
  return Array.from({ length: 150 }, (_, i) => ({
    endToEndId: `E00000000202611290000${String(i).padStart(11, '0')}`,
    txid: `outro${String(i).padStart(25, '0')}`,
    valor: '77.00',
    horario: clock.now().toISOString(),
  }))
}
