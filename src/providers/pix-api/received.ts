// The Pix that a bank received for a charge, with what has gone back of each by now.

import { DAY_MS, MINUTE_MS } from '../../database/instant.ts'
import type { BankClient } from './client.ts'
import { BankRefusal } from './errors.ts'
import { type Cob, Pix, PixList, parseBankResponse } from './responses.ts'

/** Banks limit how long a time they list; none is known to refuse this. */
const LIST_WINDOW_MS = 4 * DAY_MS
/** A charge that was made longer ago is not looked for in lists. */
const MAX_LIST_WINDOWS = 15

type KnownPayments = {
  /** Of every Pix that is known to have come in. */
  endToEndIds: readonly string[]
  now: Date
  /** How far the bank's clock is ahead. */
  offsetMs: number
}

/** Some banks do not list with a charge what paid it, others not what has gone back of that. */
export async function listReceivedPix(
  bank: BankClient,
  cob: Cob,
  { endToEndIds, now, offsetMs }: KnownPayments,
): Promise<Pix[]> {
  const { txid, status } = cob
  const listed = (cob.pix ?? []).filter((pix) => !pix.txid || pix.txid === txid)
  const isTold = (id: string) =>
    listed.some((pix) => pix.endToEndId === id && pix.devolucoes?.length)
  const unread = endToEndIds.filter((id) => !isTold(id))
  const known = (await Promise.all(unread.map((id) => getPix(bank, id)))).filter((pix) => !!pix)
  // What else has come in since is looked for among the newest alone.
  const windows = known.length > 0 ? 1 : MAX_LIST_WINDOWS
  const isHidden = listed.length === 0 && status === 'CONCLUIDA'
  const search = () => searchPix(bank, cob, { now, offsetMs, windows })
  const others = isHidden ? await search().catch(catchRefusedList) : listed
  const received = [
    ...known,
    ...others.filter((pix) => !known.some(({ endToEndId }) => endToEndId === pix.endToEndId)),
  ]
  if (isHidden && received.length === 0) {
    throw new Error(`The bank calls ${txid} paid and shows no payment`)
  }
  return received

  /** What is known has to do. */
  function catchRefusedList(error: unknown) {
    if (known.length > 0 && isRefused(error)) return []
    throw error
  }
}

/** By its own name: of whatever age. Undefined where the bank says nothing of it. */
export async function getPix(bank: BankClient, endToEndId: string): Promise<Pix | undefined> {
  const path = `/pix/${encodeURIComponent(endToEndId)}`
  try {
    const pix = parseBankResponse(Pix, await bank.call({ method: 'GET', path }))
    return pix.endToEndId === endToEndId ? pix : undefined
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  }
}

/** Then what is listed with the charge has to do. */
function isRefused(error: unknown): boolean {
  if (error instanceof BankRefusal) return [400, 401, 403, 404].includes(error.status)
  return error instanceof Error && isRefused(error.cause)
}

/** The newest first: a charge is asked about soon after it was paid. */
async function searchPix(
  bank: BankClient,
  { txid, calendario }: Cob,
  { now, offsetMs, windows: most }: Omit<KnownPayments, 'endToEndIds'> & { windows: number },
): Promise<Pix[]> {
  // In the bank's own time, or in ours.
  const madeMs = Date.parse(calendario.criacao)
  const from = Math.min(madeMs, madeMs - offsetMs)
  let until = Math.max(now.getTime(), now.getTime() + offsetMs, madeMs + MINUTE_MS)
  for (let windows = 0; windows < most && until > from; windows++) {
    const start = Math.max(from, until - LIST_WINDOW_MS)
    const query = {
      inicio: new Date(start).toISOString(),
      fim: new Date(until).toISOString(),
      txid,
    }
    const answer = await bank.call({ method: 'GET', path: '/pix', query })
    const found = (parseBankResponse(PixList, answer).pix ?? []).filter((pix) => pix.txid === txid)
    if (found.length > 0) return found
    until = start
  }
  return []
}
