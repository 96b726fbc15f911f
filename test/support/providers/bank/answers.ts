// What the fake bank is asked, and how it puts what it answers.
import type { Answer } from '../server.ts'

export const BANK_PAGE_SIZE = 100

export function buildListParameters(inicio: string, fim: string, count: number, paginaAtual = 0) {
  const paginacao = {
    paginaAtual,
    itensPorPagina: BANK_PAGE_SIZE,
    quantidadeDePaginas: Math.max(1, Math.ceil(count / BANK_PAGE_SIZE)),
    quantidadeTotalDeItens: count,
  }
  return { inicio, fim, paginacao }
}

type ListQuery = { inicio: string; fim: string; paging: Record<string, string> }
export type PagingManner = { maxPageSize: number; firstPage: number; countsPageAlone: boolean }

/** One page of a list, by the paging that was asked for. */
export function takePage<T>(
  found: readonly T[],
  { inicio, fim, paging }: ListQuery,
  { maxPageSize, firstPage, countsPageAlone }: PagingManner,
) {
  const size = Math.min(Number(paging['paginacao.itensPorPagina'] ?? 100), maxPageSize)
  const at = Number(paging['paginacao.paginaAtual'] ?? firstPage)
  const from = (at - firstPage) * size
  const page = found.slice(from, from + size)
  const count = countsPageAlone ? page.length : found.length
  const { paginacao } = buildListParameters(inicio, fim, count)
  const pages = {
    paginaAtual: at,
    itensPorPagina: size,
    quantidadeDePaginas: Math.max(1, Math.ceil(count / size)),
  }
  return { page, parametros: { inicio, fim, paginacao: { ...paginacao, ...pages } } }
}

export function buildBankProblem(
  status: number,
  kind: string,
  detail = 'A requisição não pôde ser atendida.',
): Answer {
  const type = `https://pix.bcb.gov.br/api/v2/error/${kind}`
  return { status, body: { type, title: kind, status, detail }, type: 'application/problem+json' }
}

export function parseValorCents(valor: string) {
  return Math.round(Number(valor) * 100)
}
