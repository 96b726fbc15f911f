// Payments at a fake bank, each played by a script of its own: what payers, the bank and the company do to
// it, by numbers that fall the same way for the same seed.
import { v7 } from 'uuid'
import { eq } from '../../../src/database/drizzle.ts'
import { refunds, transactions } from '../../../src/database/tables.ts'
import { AppError } from '../../../src/http/errors.ts'
import { findLinkWithCompany } from '../../../src/payment-links/payment-link.ts'
import { createPixApiProvider } from '../../../src/providers/pix-api/provider.ts'
import { chargePayment } from '../../../src/transactions/charge.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { listIncomingPayments } from '../../../src/transactions/incoming/incoming-payment.ts'
import { executeRefund } from '../../../src/transactions/refunds/execute.ts'
import { reloadTransaction, type TransactionRow } from '../../../src/transactions/transaction.ts'
import { buildTxid } from '../../../src/transactions/txid.ts'
import { openPayments } from '../payments.ts'
import { type FakeBank, openFakeBank } from '../providers/bank/fake.ts'
import { type BankPix, returnPix } from '../providers/bank/ledger.ts'
import type { TestApp } from '../test-app.ts'
import { contestPix, endMeds, getPixLeft, isMed } from './disputes.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'

export const PRICE_CENTS = 10_000

/** What payers pay, as parts of the price. */
const WAYS_TO_PAY = [
  ['once', 50],
  ['parts', 12],
  ['twice', 10],
  ['too much', 6],
  ['part and all', 4],
  ['too little', 8],
  ['late', 5],
  ['removed', 4],
  ['never', 3],
] as const

const ACTS = [
  ['news', 40],
  ['order', 25],
  ['return', 12],
  ['contest', 18],
  ['again', 5],
] as const

const REFUND_ENDS = [
  ['DEVOLVIDO', 70],
  ['EM_PROCESSAMENTO', 20],
  ['NAO_REALIZADO', 10],
] as const

const CALLS = [/^PUT .cob/, /^GET .cob/, /^PUT .*devolucao/, /^GET .*devolucao/, /^GET .pix$/]

export async function openSimulation(testApp: TestApp) {
  const { clock, db, needs } = testApp
  const { addPayment, newMerchant } = openPayments(testApp)
  const bank = await openFakeBank({ now: clock.now })
  const account = { now: clock.now, createDeadline: bank.createDeadline }
  needs.providers.standIns['pix-api'] = createPixApiProvider(bank.config, account)
  const testMerchant = await newMerchant()
  const found = (await findLinkWithCompany(db, testMerchant.linkId))!
  const details = { link: found.link, merchant: found.company, card: null }
  const simulated = { db, bank, needs }

  async function addAttempt() {
    const at = clock.now()
    const id = await addPayment(testMerchant, at.toISOString(), {
      ...{ status: 'pending', provider: 'pix-api', approvedAt: null, totalCents: PRICE_CENTS },
      expiresAt: new Date(at.getTime() + 1_800_000).toISOString(),
    })
    const pixTxid = buildTxid(id, 'pix-api')
    const of = eq(transactions.id, id)
    const [row] = await db.update(transactions).set({ pixTxid }).where(of).returning()
    return row!
  }

  /** Plays all that happens to one payment. */
  async function play(seed: number) {
    const random = createSeededRandom(seed)
    const row = await addAttempt()
    upsetBank(simulated, random)
    const charging = attempt(chargePayment(needs, row, details))
    if (random.chance(0.9)) await charging
    if (!bank.book.cobs.has(row.pixTxid!)) await checkOnce(simulated, row.id)
    // A code that was never made is not paid.
    if (bank.book.cobs.has(row.pixTxid!)) await payCode(simulated, random, row)
    const turns = random.integer(1, 2)
    for (let turn = 0; turn < turns; turn++) {
      const acts = Array.from({ length: random.integer(1, 3) }, () => act(simulated, random, row))
      await Promise.all(acts)
    }
    await charging
    return row.id
  }

  const check = (id: string) => checkOnce(simulated, id)
  const listPending = () => db.select().from(refunds).where(eq(refunds.status, 'pending'))
  return { ...simulated, play, check, listPending, settleBank: () => settleBank(simulated) }
}

type Simulated = Pick<TestApp, 'db' | 'needs'> & { bank: FakeBank }

async function payCode(simulated: Simulated, random: SeededRandom, row: TransactionRow) {
  const { bank } = simulated
  const part = random.integer(1, PRICE_CENTS - 1)
  const late = new Date(Date.parse(row.expiresAt!) + 60_000).toISOString()
  switch (random.pickWeighted(WAYS_TO_PAY)) {
    case 'once':
      return payInTurn(simulated, random, row, [PRICE_CENTS])
    case 'parts':
      return payInTurn(simulated, random, row, [part, PRICE_CENTS - part])
    case 'twice':
      return payInTurn(simulated, random, row, [PRICE_CENTS, PRICE_CENTS])
    case 'too much':
      return payInTurn(simulated, random, row, [PRICE_CENTS + part])
    case 'part and all':
      return payInTurn(simulated, random, row, [part, PRICE_CENTS])
    case 'too little':
      return payInTurn(simulated, random, row, [part])
    case 'late':
      bank.pay(row.pixTxid!, PRICE_CENTS, { horario: late })
      return
    case 'removed':
      Object.assign(bank.book.cobs.get(row.pixTxid!) ?? {}, { status: 'REMOVIDA_PELO_PSP' })
  }
}

async function payInTurn(
  simulated: Simulated,
  random: SeededRandom,
  row: TransactionRow,
  parts: number[],
) {
  for (const cents of parts) {
    simulated.bank.pay(row.pixTxid!, cents)
    if (random.chance(0.5)) await checkOnce(simulated, row.id)
  }
}

/** Somebody does something to a payment, while the bank may fail. */
async function act(simulated: Simulated, random: SeededRandom, row: TransactionRow) {
  const { bank } = simulated
  upsetBank(simulated, random)
  const paid = bank.book.pix.filter((pix) => pix.txid === row.pixTxid)
  switch (random.pickWeighted(ACTS)) {
    case 'news':
      return Promise.all(
        Array.from({ length: random.integer(1, 2) }, () => checkOnce(simulated, row.id)),
      )
    case 'order':
      return orderRefund(simulated, random, row)
    case 'return':
      return paid.length > 0 && returnAtBank(simulated, random, random.pick(paid))
    case 'contest':
      return paid.length > 0 && attempt(contestPix(simulated, random, row, random.pick(paid)))
    case 'again':
      return paid.length > 0 && bank.pay(row.pixTxid!, random.integer(1, PRICE_CENTS))
  }
}

async function orderRefund({ db, needs }: Simulated, random: SeededRandom, row: TransactionRow) {
  const amountCents = random.chance(0.4) ? null : random.integer(1, PRICE_CENTS)
  const booked = await listIncomingPayments(db, row.id)
  const isOfOne = booked.length > 0 && random.chance(0.4)
  const incomingPaymentId = isOfOne ? random.pick(booked).id : null
  const order = { id: v7(), companyId: row.companyId, transactionId: row.id }
  const sent = { ...order, amountCents, incomingPaymentId }
  const times = random.chance(0.2) ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => attempt(executeRefund(needs, sent))))
}

function returnAtBank({ bank }: Simulated, random: SeededRandom, pix: BankPix) {
  const left = getPixLeft(pix)
  if (left > 0) returnPix(bank.book, pix, random.chance(0.5) ? left : random.integer(1, left))
}

/** Of ten calls one goes wrong, some after the bank has done what it was asked. */
function upsetBank({ bank }: Simulated, random: SeededRandom) {
  Object.assign(bank.book.manner, {
    hidesPayments: random.chance(0.2),
    refusesRepeats: random.chance(0.2),
    refundStatus: random.pickWeighted(REFUND_ENDS),
  })
  if (!random.chance(0.1)) return
  const fault = { on: random.pick(CALLS), works: random.chance(0.5) }
  const status = random.pick([500, 503, 429])
  bank.next(random.chance(0.5) ? { ...fault, does: 'reset' } : { ...fault, does: 'answer', status })
}

/** The bank does what it was asked, and says so from now on. */
function settleBank({ bank }: Simulated) {
  bank.heal()
  Object.assign(bank.book.manner, { hidesPayments: false, refundStatus: 'DEVOLVIDO' })
  const open = bank.book.pix
    .flatMap(({ devolucoes }) => devolucoes)
    .filter((one) => one.status === 'EM_PROCESSAMENTO' && !isMed(one))
  for (const [i, one] of open.entries()) one.status = i % 5 ? 'DEVOLVIDO' : 'NAO_REALIZADO'
  endMeds(bank.book)
}

async function checkOnce({ db, needs }: Simulated, id: string) {
  await attempt(reloadTransaction(db, id).then((row) => checkPayment(needs, row)))
}

/** What a bank that fails may keep from being done now; nothing else goes wrong. */
async function attempt(work: Promise<unknown>) {
  try {
    await work
  } catch (error) {
    const isOurs = error instanceof AppError || isOfBank(error)
    if (!isOurs) throw error
  }
}

function isOfBank(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /bank|ProviderDown/i.test(`${error.name} ${error.message}`) || isOfBank(error.cause)
}

/** So many at a time. */
export async function playAll<T>(count: number, width: number, play: (i: number) => Promise<T>) {
  const done: T[] = []
  let next = 0
  const run = async () => {
    while (next < count) done.push(await play(next++))
  }
  await Promise.all(Array.from({ length: width }, run))
  return done
}
