// Reads a list of Pix (`GET /pix`) page by page. Banks number the pages from 0 or from 1, make them smaller than they
// were asked to, repeat items on the next page, and some give a wrong number of items or none.
import type { ReadList } from '../answers.ts'
import { ProviderRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { type Pix, PixList } from './responses.ts'

/** The calls that may still be made. */
export type CallBudget = { calls: number }

/** Ends after two pages with nothing new: where pages are numbered from 1, the first one comes twice. */
export async function* readPixPages(
  bank: BankClient,
  query: Record<string, string>,
  budget: CallBudget,
): AsyncGenerator<ReadList<Pix>> {
  const seen = new Set<string>()
  let repeated = 0
  for (let page = 0; budget.calls > 0 && repeated < 2; page++) {
    budget.calls--
    const { pix, total, size } = await readPage(bank, query, page)
    // An unreadable item counts too, so that it does not hide others.
    const values = [...pix.items, ...pix.unreadable.map(({ value }) => value)]
    if (values.length === 0) return
    const before = seen.size
    for (const { endToEndId, txid } of values) seen.add(String(endToEndId ?? txid))
    yield pix
    // A full page may be followed by another, whatever the number of all items is said to be.
    if (seen.size >= total && values.length < size) return
    repeated = seen.size === before ? repeated + 1 : 0
  }
}

async function readPage(bank: BankClient, query: Record<string, string>, page: number) {
  // The first page is the default, whatever its number is.
  const paging = page > 0 ? { 'paginacao.paginaAtual': String(page) } : {}
  try {
    const call = { method: 'GET', path: '/pix', query: { ...query, ...paging } } as const
    const { pix, parametros } = await bank.read(PixList, call)
    const { quantidadeTotalDeItens, itensPorPagina } = parametros?.paginacao ?? {}
    const unknown = Number.POSITIVE_INFINITY
    return { pix, total: quantidadeTotalDeItens || unknown, size: itensPorPagina || unknown }
  } catch (error) {
    // There are no more pages.
    if (page > 0 && error instanceof ProviderRefusal && [400, 404, 422].includes(error.status))
      return { pix: { items: [], unreadable: [] }, total: 0, size: 0 }
    throw error
  }
}
