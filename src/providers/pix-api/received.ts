// Reads the Pix that a bank received for a charge, with the refunds of each.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import {
  equalsIgnoringCase,
  type ReadList,
  readEndToEndInstant,
  toOwnCase,
  UnreadableAnswer,
  type UnreadableItem,
} from '../answers.ts'
import type { ReceivedPix } from '../received.ts'
import { findRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { correctInstant } from './clock.ts'
import { isMedDevolution } from './disputes.ts'
import { type CallBudget, readPixPages } from './pages.ts'
import { type Cob, type Devolution, Pix } from './responses.ts'

/** Banks limit the period of a list; no known bank refuses this one. */
const LIST_WINDOW_MS = 4 * DAY_MS
/** Older charges are not searched in lists. */
const MAX_LIST_WINDOWS = 15
/** Limits for banks that ignore the filters and list everything. */
const MAX_CALLS = 50
const MAX_CALLS_OF_UNPAID = 10
/** For so long a charge that the bank calls open is believed; later the list is searched for it too. */
const BELIEVED_MS = MINUTE_MS
/** A refused list is requested again with an earlier end: its end may be in the future of the bank's clock. */
const EARLIER_ENDS_MS = [SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS]
/** A larger difference is no clock's: no time zone explains it. */
const MAX_SKEW_MS = 15 * HOUR_MS
const CALL_MS = 5 * SECOND_MS

type KnownPayments = {
  txid: string
  createdAt: string
  /** The end-to-end ids of all known Pix of the charge. */
  endToEndIds: readonly string[]
  now: Date
  /** How far the bank's clock is ahead. */
  offsetMs: number
}

type PixOfCharge = {
  received: Pix[]
  /** Set when the bank calls the charge paid, or shows money, and no Pix can be read. */
  unreadable?: { field: string | null }
}

/** Some banks do not list the payments with a charge, others not their refunds. */
export async function listReceivedPix(
  bank: BankClient,
  cob: Cob,
  payments: KnownPayments,
): Promise<PixOfCharge> {
  const { txid, endToEndIds } = payments
  const shown = selectOwn(cob.pix, ({ txid: named }) => !named || equalsIgnoringCase(named, txid))
  const listed = joinPix(shown.items)
  const isReported = (id: string) =>
    listed.some((pix) => equalsIgnoringCase(pix.endToEndId, id) && pix.devolucoes.items.length > 0)
  const unread = endToEndIds.filter((id) => !isReported(id))
  const known = (await Promise.all(unread.map((id) => getPix(bank, id)))).filter((pix) => !!pix)
  const broken = shown.unreadable.filter(
    ({ value }) => !known.some(({ endToEndId }) => isNamed(value, endToEndId)),
  )
  const isPaid = cob.status === 'CONCLUIDA' || broken.length > 0
  const isHidden = broken.length > 0 || (listed.length === 0 && !isBelievedOpen(cob, payments))
  // With a known payment, further ones are searched only among the newest.
  const windows = known.length > 0 ? 1 : MAX_LIST_WINDOWS
  const search = { ...payments, windows, isPaid }
  const found = isHidden ? await searchPix(bank, cob, search) : EMPTY
  const received = joinPix([...known, ...listed, ...found.items]).map((pix) => ({
    ...pix,
    // In the spelling with which it was booked, so that it is booked once.
    endToEndId: endToEndIds.find((id) => equalsIgnoringCase(pix.endToEndId, id)) ?? pix.endToEndId,
  }))
  const [unreadable] = [...broken, ...found.unreadable]
  if (unreadable) bank.reportUnreadable(`pix.${unreadable.field}`)
  if (received.length > 0 || (!isPaid && !unreadable)) return { received }
  return { received, unreadable: { field: unreadable?.field ?? null } }
}

function isBelievedOpen({ status }: Cob, { createdAt, now }: KnownPayments) {
  return status === 'ATIVA' && now.getTime() - Date.parse(createdAt) < BELIEVED_MS
}

/** Reads a Pix of any age by its end-to-end id. Undefined when the bank's answer cannot be read. */
export async function getPix(bank: BankClient, endToEndId: string): Promise<Pix | undefined> {
  const path = `/pix/${encodeURIComponent(endToEndId)}`
  try {
    const pix = await bank.read(Pix, { method: 'GET', path })
    return equalsIgnoringCase(pix.endToEndId, endToEndId) ? { ...pix, endToEndId } : undefined
  } catch (error) {
    if (isRefused(error) || error instanceof UnreadableAnswer) return undefined
    throw error
  }
}

/** Money taken by a dispute is not a refund. */
export function toReceivedPix(
  { endToEndId, valor: amountCents, horario, pagador, devolucoes }: Pix,
  { offsetMs, now }: { offsetMs: number; now: Date },
): ReceivedPix {
  const returned = devolucoes.items.filter(
    (devolution) => devolution.status === 'DEVOLVIDO' && !isMedDevolution(devolution),
  )
  return {
    endToEndId,
    amountCents,
    ...(horario
      ? toPaidAt(horario, offsetMs)
      : { paidAt: readEndToEndInstant(endToEndId) ?? now.toISOString() }),
    ...(pagador && {
      payer: { name: pagador.nome ?? null, taxId: pagador.cpf ?? pagador.cnpj ?? null },
    }),
    refundedCents: returned.reduce((cents, { valor }) => cents + (valor ?? 0), 0),
    ...(returned.length > 0 && {
      returns: returned.flatMap((devolution) => {
        const { id } = devolution
        return id ? { reference: toOwnCase(id), at: getReturnedAt(devolution, offsetMs) } : []
      }),
    }),
  }
}

/** Returns when the money of a devolução left, if the bank says it. `offsetMs`: how far its clock is ahead. */
export function getReturnedAt({ horario }: Devolution, offsetMs: number) {
  const { liquidacao } = horario ?? {}
  return liquidacao ? correctInstant(liquidacao, offsetMs) : undefined
}

function toPaidAt(horario: string, offsetMs: number) {
  if (offsetMs === 0) return { paidAt: horario }
  return { paidAt: correctInstant(horario, offsetMs), reportedPaidAt: horario }
}

/** Keeps each Pix once. */
function joinPix(all: readonly Pix[]): Pix[] {
  return all.filter(
    ({ endToEndId }, i) =>
      all.findIndex((pix) => equalsIgnoringCase(pix.endToEndId, endToEndId)) === i,
  )
}

type NamedPix = { txid?: string | null | undefined }

function selectOwn(list: ReadList<Pix>, isOwn: (pix: NamedPix) => boolean): ReadList<Pix> {
  return {
    items: list.items.filter(isOwn),
    unreadable: list.unreadable.filter(({ value: { txid } }: UnreadableItem) =>
      isOwn({ txid: txid === undefined ? null : String(txid) }),
    ),
  }
}

function isNamed({ endToEndId }: Record<string, unknown>, id: string) {
  return typeof endToEndId === 'string' && equalsIgnoringCase(endToEndId, id)
}

const EMPTY: ReadList<Pix> = { items: [], unreadable: [] }

/** Then only the payments listed with the charge are used. */
function isRefused(error: unknown, statuses = [400, 401, 403, 404, 422]) {
  return statuses.includes(findRefusal(error)?.status ?? 0)
}

type PixSearch = KnownPayments & { windows: number; isPaid: boolean }

/**
 * Searches for a charge that the bank calls paid; for another one too, since some banks show a Pix for a canceled charge
 * in their list alone. An unpaid charge was read already, so that a list that fails does not matter.
 */
async function searchPix(bank: BankClient, cob: Cob, search: PixSearch): Promise<ReadList<Pix>> {
  if (search.isPaid) return searchLists(bank, cob, search, { calls: MAX_CALLS })
  const budget = { calls: MAX_CALLS_OF_UNPAID }
  const { items, unreadable } = await searchLists(bank, cob, search, budget).catch(() => EMPTY)
  return { items, unreadable: unreadable.filter(({ value }) => value.txid !== undefined) }
}

/** Searches newest first, since charges are asked about soon after payment. Empty if the bank has no list. */
async function searchLists(
  bank: BankClient,
  { calendario }: Cob,
  search: PixSearch,
  budget: CallBudget,
): Promise<ReadList<Pix>> {
  const createdMs = Date.parse(search.createdAt)
  const saidMs = Date.parse(calendario.criacao ?? search.createdAt)
  const isOdd = !calendario.criacao || Math.abs(saidMs - createdMs) > MAX_SKEW_MS
  const skewMs = isOdd ? search.offsetMs : saidMs - createdMs
  const ends = listEnds(search.now.getTime(), skewMs)
  // With a known payment, the search is limited to two lists.
  const isKnown = search.endToEndIds.length > 0
  for (const end of isKnown ? [ends[0], ends.at(-2)] : ends) {
    if (end === undefined) continue
    const from = Math.min(createdMs + skewMs, createdMs, end) - MINUTE_MS
    const found = await searchBefore(bank, search, { from, end, budget }).catch(catchUnlisted)
    if (found) return found
  }
  return EMPTY
}

/** Undefined when the list may be requested with an earlier end. */
function catchUnlisted(error: unknown): ReadList<Pix> | undefined {
  if (error instanceof UnreadableAnswer) {
    return { items: [], unreadable: [{ value: {}, field: error.field }] }
  }
  if (!isRefused(error)) throw error
  return isRefused(error, [400, 422]) ? undefined : EMPTY
}

/** Lists ends by our clock and by the bank's, which is ahead by `skewMs` (negative: behind), and then earlier ones. */
function listEnds(nowMs: number, skewMs: number) {
  const bankMs = nowMs + (Math.abs(skewMs) < CALL_MS ? Math.min(skewMs, 0) : skewMs)
  const earlier = EARLIER_ENDS_MS.map((ms) => bankMs - ms)
  return [...new Set([Math.max(bankMs, nowMs), nowMs, bankMs, ...earlier])].sort((a, b) => b - a)
}

async function searchBefore(
  bank: BankClient,
  { txid, windows: most }: PixSearch,
  { from, end, budget }: { from: number; end: number; budget: CallBudget },
): Promise<ReadList<Pix>> {
  let until = end
  for (let windows = 0; windows < most && until > from; windows++) {
    const start = Math.max(from, until - LIST_WINDOW_MS)
    const found = await listPix(bank, { txid, start, until }, budget)
    if (found.items.length > 0 || found.unreadable.length > 0) return found
    until = start
  }
  return EMPTY
}

type ListWindow = { txid: string; start: number; until: number }

/** A bank may list other payments too. */
async function listPix(
  bank: BankClient,
  { txid, start, until }: ListWindow,
  budget: CallBudget,
): Promise<ReadList<Pix>> {
  const [inicio, fim] = [new Date(start).toISOString(), new Date(until).toISOString()]
  const pix = await readPixPages(bank, { inicio, fim, txid }, budget)
  const named = { ...pix, items: await nameItems(bank, pix.items, budget) }
  return selectOwn(named, (one) => equalsIgnoringCase(one.txid, txid))
}

/** A Pix that is listed without its charge is read by itself, since the list may have other payments. */
export async function nameItems(bank: BankClient, items: readonly Pix[], budget: CallBudget) {
  const named: Pix[] = []
  for (const pix of items) {
    const isNameless = !pix.txid && budget.calls > 0
    if (isNameless) budget.calls--
    named.push((isNameless && (await getPix(bank, pix.endToEndId))) || pix)
  }
  return named
}
