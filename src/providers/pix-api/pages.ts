// Reads a list of Pix (`GET /pix`) page by page. Banks number the pages from 0 or from 1, make them smaller than they
// were asked to, repeat items on the next page, and some give a wrong number of items or none.
import type { ReadList, UnreadableItem } from '../answers.ts'
import { isRequestRefused } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { type Pix, PixList } from './responses.ts'

/** The calls that may still be made. */
export type CallBudget = { calls: number }

/** Ends after two pages with nothing new: where pages are numbered from 1, the first one comes twice. */
export async function readPixPages(
  bank: BankClient,
  query: Record<string, string>,
  budget: CallBudget,
): Promise<ReadList<Pix>> {
  const items = new Map<string, Pix>()
  const unreadable = new Map<string, UnreadableItem>()
  let repeated = 0
  for (let page = 0; budget.calls > 0 && repeated < 2; page++) {
    budget.calls--
    const before = items.size + unreadable.size
    const answer = await readPage(bank, query, page)
    const { pix } = answer
    for (const one of pix.items) items.set(one.endToEndId, one)
    // An unreadable item counts too, so that it does not hide others.
    for (const one of pix.unreadable) unreadable.set(nameUnreadableItem(one), one)
    const read = items.size + unreadable.size
    if (isLastPage(answer, read)) break
    repeated = read === before ? repeated + 1 : 0
  }
  return { items: [...items.values()], unreadable: [...unreadable.values()] }
}

function nameUnreadableItem({ value: { endToEndId, txid } }: UnreadableItem) {
  return String(endToEndId ?? txid)
}

type Page = { pix: ReadList<Pix>; total: number; size: number }

/** A full page may be followed by another, whatever the number of all items is said to be. */
function isLastPage({ pix, total, size }: Page, read: number) {
  const count = pix.items.length + pix.unreadable.length
  return count === 0 || (read >= total && count < size)
}

async function readPage(
  bank: BankClient,
  query: Record<string, string>,
  page: number,
): Promise<Page> {
  // The first page is the default, whatever its number is.
  const paging = page > 0 ? { 'paginacao.paginaAtual': String(page) } : {}
  try {
    const call = { method: 'GET', path: '/pix', query: { ...query, ...paging } } as const
    const { pix, parametros } = await bank.read(PixList, call)
    const { quantidadeTotalDeItens, itensPorPagina } = parametros?.paginacao ?? {}
    const unknown = Number.POSITIVE_INFINITY
    return { pix, total: quantidadeTotalDeItens || unknown, size: itensPorPagina || unknown }
  } catch (error) {
    // There are no more pages. A gateway's refusal does not say so: what is behind it would be lost.
    if (page > 0 && isRequestRefused(error))
      return { pix: { items: [], unreadable: [] }, total: 0, size: 0 }
    throw error
  }
}
