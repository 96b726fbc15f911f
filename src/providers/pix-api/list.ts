// Lists all Pix received on a bank account in a period (`GET /pix`), for any charge, page by page.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../database/instant.ts'
import type { ListedPix, ListWindow, PixListing } from '../provider.ts'
import { ProviderRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { isMedDevolution } from './disputes.ts'
import { toReceivedPix } from './received.ts'
import { type Pix, PixList } from './responses.ts'

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
  const unread = new Set<string>()
  let endMs = untilMs
  while (endMs > Date.parse(from)) {
    const startMs = Math.max(Date.parse(from), endMs - MAX_PERIOD_MS)
    const inicio = new Date(startMs + offsetMs).toISOString()
    const fim = new Date(endMs + offsetMs).toISOString()
    for await (const { pix, unreadTxids } of readPages(bank, { inicio, fim, ...filter })) {
      for (const one of pix) found.set(one.endToEndId, toListedPix(bank, one, { offsetMs, now }))
      for (const txid of unreadTxids) unread.add(txid)
    }
    endMs = startMs
  }
  const pix = [...found.values()].toSorted((a, b) => b.paidAt.localeCompare(a.paidAt))
  return { pix, until: new Date(untilMs).toISOString(), unreadTxids: [...unread] }
}

/** Reads pages up to the last one, or until a bank without paging repeats itself. */
async function* readPages(bank: BankClient, query: Record<string, string>) {
  const seen = new Set<string>()
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await getPage(bank, query, page)
    yield answer
    const before = seen.size
    for (const { endToEndId } of answer.pix) seen.add(endToEndId)
    for (const txid of answer.unreadTxids) seen.add(txid)
    if (answer.isLast || seen.size === before) return
  }
  throw new Error('The bank lists more than is read at once')
}

async function getPage(bank: BankClient, query: Record<string, string>, page: number) {
  const paging = {
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(PAGE_SIZE),
  }
  const call = { method: 'GET', path: '/pix', query: { ...query, ...paging } } as const
  const { pix, parametros } = await bank.read(PixList, call)
  // An unreadable item counts too, so that it does not hide others.
  const count = pix.items.length + pix.unreadable.length
  const total = parametros?.paginacao?.quantidadeTotalDeItens
  const isLast = count === 0 || (total ? (page + 1) * PAGE_SIZE >= total : count < PAGE_SIZE)
  const unreadTxids = pix.unreadable.flatMap(({ value: { txid } }) => (txid ? `${txid}` : []))
  return { isLast, pix: pix.items, unreadTxids }
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
