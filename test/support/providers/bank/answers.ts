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

/** One page of a list, by the paging that was asked for. */
export function takePage<T>(found: readonly T[], { inicio, fim, paging }: ListQuery) {
  const size = Number(paging['paginacao.itensPorPagina'] ?? 100)
  const at = Number(paging['paginacao.paginaAtual'] ?? 0)
  const { paginacao } = buildListParameters(inicio, fim, found.length)
  const pages = {
    paginaAtual: at,
    itensPorPagina: size,
    quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
  }
  const parametros = { inicio, fim, paginacao: { ...paginacao, ...pages } }
  return { page: found.slice(at * size, (at + 1) * size), parametros }
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
