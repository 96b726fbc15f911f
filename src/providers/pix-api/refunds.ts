// Money that goes back to the payer ("devolução"), each under our id: asked for twice it is one refund.
import type { RefundFailure } from '../../database/enums.ts'
import { formatDecimal } from '../br-code.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import type { BankClient } from './client.ts'
import { BankRefusal, isNotFound } from './errors.ts'
import { Devolution, type Pix, parseBankResponse } from './responses.ts'

type DevolutionKey = { endToEndId: string; id: string }

export async function refundPix(bank: BankClient, request: RefundRequest): Promise<RefundOutcome> {
  return putDevolution(bank, toDevolutionKey(request), request.amountCents)
}

export async function findPixRefund(bank: BankClient, key: RefundKey): Promise<RefundOutcome> {
  const place = toDevolutionKey(key)
  const standing = await getDevolution(bank, place)
  return standing ? toDevolutionOutcome(standing, place) : { status: 'unknown' }
}

/** Gives back what is left of a payment, once for each id. */
export async function refundWholePix(bank: BankClient, pix: Pix, id: string): Promise<void> {
  const { endToEndId, valor, devolucoes } = pix
  const gone = (devolucoes ?? [])
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((cents, devolution) => cents + devolution.valor, 0)
  if (gone >= valor) return
  const outcome = await putDevolution(bank, { endToEndId, id }, valor - gone)
  if (outcome.status === 'failed') {
    throw new Error(`The bank did not give ${endToEndId} back: ${outcome.reason}`)
  }
}

function toDevolutionKey({ refundId, endToEndId }: RefundKey): DevolutionKey {
  if (!endToEndId) throw new Error('A Pix without its end-to-end id cannot be given back')
  return { endToEndId, id: refundId.replaceAll('-', '') }
}

async function putDevolution(
  bank: BankClient,
  place: DevolutionKey,
  cents: number,
): Promise<RefundOutcome> {
  const body = { valor: formatDecimal(cents) }
  try {
    const answer = await bank.call({ method: 'PUT', path: buildDevolutionPath(place), body })
    return toDevolutionOutcome(parseBankResponse(Devolution, answer), place)
  } catch (error) {
    if (!isRefundRefusal(error)) throw error
    // A bank may refuse to make what it has made before.
    const standing = await getDevolution(bank, place)
    if (standing) return toDevolutionOutcome(standing, place)
    return { status: 'failed', reason: toRefundFailure(error.detail) }
  }
}

/** Whether the refund itself was refused; a refusal of the application may be put right in a while. */
function isRefundRefusal(error: unknown): error is BankRefusal {
  return (
    error instanceof BankRefusal && [400, 404, 409, 422].includes(error.status) && error.isFromApi
  )
}

async function getDevolution(bank: BankClient, place: DevolutionKey) {
  try {
    return parseBankResponse(
      Devolution,
      await bank.call({ method: 'GET', path: buildDevolutionPath(place) }),
    )
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function toDevolutionOutcome(
  { id, status, motivo }: Devolution,
  { id: reference }: DevolutionKey,
): RefundOutcome {
  if (id && id !== reference) throw new Error(`The bank answered ${reference} with another refund`)
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'processing', reference }
    case 'DEVOLVIDO':
      return { status: 'succeeded', reference }
    case 'NAO_REALIZADO':
      return { status: 'failed', reason: toRefundFailure(motivo) }
    default:
      throw new Error(`The bank calls the refund ${reference} ${status}`)
  }
}

function toRefundFailure(said: string | null | undefined): RefundFailure {
  return /saldo/i.test(said ?? '') ? 'insufficient_balance' : 'refused'
}

function buildDevolutionPath({ endToEndId, id }: DevolutionKey) {
  return `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(id)}`
}
