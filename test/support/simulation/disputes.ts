// Disputes (MED) of a simulated payment at the fake bank: opened and ended there, told as they come, once more,
// or too late; and what the bank's book says of all of them in the end.

import { checkPayment } from '../../../src/transactions/check.ts'
import { listIncomingPayments } from '../../../src/transactions/incoming/incoming-payment.ts'
import { toChargeKey } from '../../../src/transactions/provider-account.ts'
import { settle } from '../../../src/transactions/settle.ts'
import { reloadTransaction, type TransactionRow } from '../../../src/transactions/transaction.ts'
import { parseValorCents } from '../providers/bank/answers.ts'
import {
  type BankDevolution,
  type BankLedger,
  type BankPix,
  returnPix,
  sumDevolutions,
} from '../providers/bank/ledger.ts'
import type { TestApp } from '../test-app.ts'
import type { SeededRandom } from './random.ts'

type Simulated = Pick<TestApp, 'db' | 'needs'> & { bank: { book: BankLedger } }

const NATUREZAS = ['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO']

const ENDS = [
  ['DEVOLVIDO', 60],
  ['NAO_REALIZADO', 40],
] as const

const WAYS_TO_TELL = [
  ['untold', 20],
  ['once', 30],
  ['twice', 25],
  ['out of order', 25],
] as const

const STATUSES: Record<string, string> = { DEVOLVIDO: 'lost', NAO_REALIZADO: 'won' }

/** All that is left of a Pix is contested, or a part of it; some are over at once, some stay open. */
export async function contestPix(
  simulated: Simulated,
  random: SeededRandom,
  row: TransactionRow,
  pix: BankPix,
) {
  const left = getPixLeft(pix)
  if (left === 0) return
  const cents = random.chance(0.5) ? left : random.integer(1, left)
  const med = returnPix(simulated.bank.book, pix, cents, random.pick(NATUREZAS))
  const end = random.pickWeighted(ENDS)
  const isOverAtOnce = random.chance(0.25)
  const isEnded = isOverAtOnce || random.chance(0.6)
  const way = random.pickWeighted(WAYS_TO_TELL)
  med.status = isOverAtOnce ? end : 'EM_PROCESSAMENTO'
  const finish = () => {
    if (isEnded) med.status = end
  }
  await reportDispute(simulated, row, way, finish)
}

async function reportDispute(
  simulated: Simulated,
  row: TransactionRow,
  way: (typeof WAYS_TO_TELL)[number][0],
  finish: () => void,
) {
  switch (way) {
    case 'untold':
      return finish()
    case 'once':
      finish()
      return checkNow(simulated, row)
    case 'twice':
      await Promise.all([checkNow(simulated, row), checkNow(simulated, row)]).finally(finish)
      return Promise.all([checkNow(simulated, row), checkNow(simulated, row)])
    case 'out of order':
      return reportTooLate(simulated, row, finish)
  }
}

/** What the bank said before the end is heard after it. */
async function reportTooLate(simulated: Simulated, row: TransactionRow, finish: () => void) {
  const { db, needs } = simulated
  const booked = await listIncomingPayments(db, row.id)
  const ids = booked.map(({ endToEndId }) => endToEndId)
  const account = await needs.providers.open(row.companyId, row.provider)
  const before = await account.find(toChargeKey(row, ids), needs.now()).finally(finish)
  await checkNow(simulated, row)
  const current = await reloadTransaction(db, row.id)
  await settle(needs, current, { kind: 'answer', outcome: before, source: 'reconciliation' })
}

async function checkNow({ db, needs }: Simulated, { id }: TransactionRow) {
  await checkPayment(needs, await reloadTransaction(db, id))
}

/** A third of those that are open is lost, a third is won, the others stay open. */
export function endMeds(book: BankLedger) {
  const open = listMeds(book).filter(({ med }) => med.status === 'EM_PROCESSAMENTO')
  for (const [i, { med }] of open.entries()) {
    if (i % 3) med.status = i % 3 === 1 ? 'DEVOLVIDO' : 'NAO_REALIZADO'
  }
}

export function isMed({ natureza }: BankDevolution) {
  return natureza.startsWith('MED_')
}

export function getPixLeft(pix: BankPix) {
  return parseValorCents(pix.valor) - sumDevolutions(pix)
}

/** As our book is to have them. */
export function listMedsAtBank(book: BankLedger) {
  return listMeds(book)
    .map(({ pix, med: { id, natureza: reason, status, valor } }) => {
      const cents = parseValorCents(valor)
      return { id, pix: pix.endToEndId, reason, status: STATUSES[status] ?? 'open', cents }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Of each charge that was paid what has not gone back; what is blocked is still there. */
export function listLeftAtBank(book: BankLedger) {
  const left = new Map<string, number>()
  for (const pix of book.pix) {
    const devolucoes = pix.devolucoes.filter(({ status }) => status === 'DEVOLVIDO')
    left.set(pix.txid, (left.get(pix.txid) ?? 0) + getPixLeft({ ...pix, devolucoes }))
  }
  return [...left]
    .map(([txid, cents]) => ({ txid, cents }))
    .sort((a, b) => (a.txid < b.txid ? -1 : 1))
}

function listMeds({ pix: paid }: BankLedger) {
  return paid.flatMap((pix) => pix.devolucoes.filter(isMed).map((med) => ({ pix, med })))
}
