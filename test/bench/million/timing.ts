// How long one request after the other takes, at the median.
import type { TimedRequest } from './requests.ts'

const TIMES = 7
/** What an answer may take at the median, and any of them at all. */
const LIMIT_MS = { api: 100, other: 500, worst: 1_000 }

type Outcome = {
  status: number
  /** Of the whole answer; of a table its first bytes. */
  medianMs: number
  firstMs: number
  worstMs: number
  bytes: number
}

/** The first is told apart: it finds nothing in Postgres's memory. */
export async function measureRequest(
  url: string,
  headersOf: (turn: number) => Record<string, string>,
): Promise<Outcome> {
  const tries: { status: number; ms: number; bytes: number }[] = []
  for (let turn = 0; turn <= TIMES; turn++) tries.push(await timeRequest(url, headersOf(turn)))
  const [first, ...rest] = tries
  const sorted = rest.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    status: Math.max(...tries.map(({ status }) => status)),
    medianMs: sorted[Math.floor(TIMES / 2)] ?? Number.NaN,
    firstMs: first?.ms ?? Number.NaN,
    worstMs: sorted.at(-1) ?? Number.NaN,
    bytes: Math.max(...tries.map(({ bytes }) => bytes)),
  }
}

async function timeRequest(url: string, headers: Record<string, string>) {
  const ended = new AbortController()
  const startedAt = performance.now()
  const response = await fetch(url, { headers, redirect: 'manual', signal: ended.signal })
  const isTable = response.headers.get('content-type')?.startsWith('text/csv')
  if (!isTable) {
    const bytes = (await response.arrayBuffer()).byteLength
    return { status: response.status, ms: performance.now() - startedAt, bytes }
  }
  const part = await response.body?.getReader().read()
  const ms = performance.now() - startedAt
  ended.abort()
  return { status: response.status, ms, bytes: part?.value?.length ?? 0 }
}

export function headText() {
  return `\n${'median of one at a time'.padEnd(62)}   ms  worst ms  first ms  status`
}

export function outcomeText(
  { title, path }: TimedRequest,
  { medianMs, worstMs, firstMs, status }: Outcome,
) {
  const limit = path.startsWith('/api/') ? LIMIT_MS.api : LIMIT_MS.other
  const over = medianMs > limit ? limit : worstMs > LIMIT_MS.worst ? LIMIT_MS.worst : null
  const mark = over === null ? '' : `  over ${over} ms`
  return `${title.padEnd(60)} ${medianMs.toFixed(1).padStart(7)} ${worstMs.toFixed(1).padStart(9)} ${firstMs.toFixed(1).padStart(9)}   ${status}${mark}`
}
