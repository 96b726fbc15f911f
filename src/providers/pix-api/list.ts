// Lists all Pix received on a bank account in a period (`GET /pix`), for any charge, page by page.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import type { ListedPix, ListWindow, NamedPix, PixListing } from '../received.ts'
import { ProviderRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { isMedDevolution } from './disputes.ts'
import { readPixPages } from './pages.ts'
import { nameItems, toReceivedPix } from './received.ts'
import type { Pix } from './responses.ts'

/** Banks limit the period of a list; no known bank refuses this one. */
const MAX_PERIOD_MS = 4 * DAY_MS
const PAGE_SIZE = 100
const MAX_PAGES = 200
/** A bank may refuse a period that ends in its future, and its clock may be behind ours. */
const LAG_MS = 30 * SECOND_MS
const LAG_AFTER_REFUSAL_MS = 10 * MINUTE_MS

export async function listAccountPix(
  bank: BankClient,
  window: ListWindow,
  now: Date,
): Promise<PixListing> {
  try {
    return await listUntil(bank, window, { now, lagMs: LAG_MS })
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || ![400, 422].includes(error.status)) throw error
    return listUntil(bank, window, { now, lagMs: LAG_AFTER_REFUSAL_MS })
  }
}

async function listUntil(
  bank: BankClient,
  { from, isReturned = false }: ListWindow,
  { now, lagMs }: { now: Date; lagMs: number },
): Promise<PixListing> {
  const untilMs = now.getTime() - lagMs
  const offsetMs = bank.clock.offsetHours * HOUR_MS
  const filter = isReturned ? { devolucaoPresente: 'true' } : {}
  const found = new Map<string, ListedPix>()
  const unread: NamedPix[] = []
  let endMs = untilMs
  while (endMs > Date.parse(from)) {
    const startMs = Math.max(Date.parse(from), endMs - MAX_PERIOD_MS)
    const inicio = new Date(startMs + offsetMs).toISOString()
    const fim = new Date(endMs + offsetMs).toISOString()
    const { items, unreadable } = await readPeriod(bank, { inicio, fim, ...filter })
    for (const one of items) found.set(one.endToEndId, toListedPix(bank, one, { offsetMs, now }))
    unread.push(...unreadable.map(({ value: { txid } }) => ({ txid: String(txid ?? '') })))
    endMs = startMs
  }
  const pix = [...found.values()].toSorted((a, b) => b.paidAt.localeCompare(a.paidAt))
  return { pix, until: new Date(untilMs).toISOString(), unread }
}

async function readPeriod(bank: BankClient, query: Record<string, string>) {
  const budget = { calls: MAX_PAGES }
  const paging = { 'paginacao.itensPorPagina': String(PAGE_SIZE) }
  const listed = await readPixPages(bank, { ...query, ...paging }, budget)
  if (budget.calls === 0) throw new Error('The bank lists more than is read at once')
  for (const { field } of listed.unreadable) bank.reportUnreadable(`pix.${field}`)
  // Money that went back is known by its end-to-end id.
  if (query.devolucaoPresente) return listed
  return { ...listed, items: await nameItems(bank, listed.items, budget) }
}

function toListedPix(
  { settings }: BankClient,
  pix: Pix,
  at: { offsetMs: number; now: Date },
): ListedPix {
  const disputeCount = pix.devolucoes.items.filter(isMedDevolution).length
  const isOfOtherKey = !!pix.chave && pix.chave.toLowerCase() !== settings.pixKey.toLowerCase()
  return {
    ...toReceivedPix(pix, at),
    txid: pix.txid || null,
    ...(disputeCount > 0 && { disputeCount }),
    ...(isOfOtherKey && { isOfOtherKey }),
  }
}
