// Money that goes back to the payer ("devolução"), each under our id: asked for twice it is one refund.
import type { RefundFailure } from '../../database/enums.ts'
import { decimal } from '../br-code.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import { type Bank, readAnswer } from './client.ts'
import { BankRefusal, isNotFound } from './errors.ts'
import { Devolution, type Pix } from './responses.ts'

type Place = { endToEndId: string; id: string }

export async function refundPix(bank: Bank, request: RefundRequest): Promise<RefundOutcome> {
  return putDevolution(bank, placeOf(request), request.amountCents)
}

export async function findPixRefund(bank: Bank, key: RefundKey): Promise<RefundOutcome> {
  const place = placeOf(key)
  const standing = await getDevolution(bank, place)
  return standing ? outcomeOf(standing, place) : { status: 'unknown' }
}

/** Gives back what is left of a payment, once for each id. */
export async function giveBackPix(bank: Bank, pix: Pix, id: string): Promise<void> {
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

function placeOf({ refundId, endToEndId }: RefundKey): Place {
  if (!endToEndId) throw new Error('A Pix without its end-to-end id cannot be given back')
  return { endToEndId, id: refundId.replaceAll('-', '') }
}

async function putDevolution(bank: Bank, place: Place, cents: number): Promise<RefundOutcome> {
  const body = { valor: decimal(cents) }
  try {
    const answer = await bank.call({ method: 'PUT', path: pathOf(place), body })
    return outcomeOf(readAnswer(Devolution, answer), place)
  } catch (error) {
    if (!isVerdict(error)) throw error
    // A bank may refuse to make what it has made before.
    const standing = await getDevolution(bank, place)
    if (standing) return outcomeOf(standing, place)
    return { status: 'failed', reason: reasonOf(error.said) }
  }
}

/** Whether the refund itself was refused; a refusal of the application may be put right in a while. */
function isVerdict(error: unknown): error is BankRefusal {
  return (
    error instanceof BankRefusal &&
    [400, 404, 409, 422].includes(error.status) &&
    error.inItsOwnWords
  )
}

async function getDevolution(bank: Bank, place: Place) {
  try {
    return readAnswer(Devolution, await bank.call({ method: 'GET', path: pathOf(place) }))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function outcomeOf({ id, status, motivo }: Devolution, { id: reference }: Place): RefundOutcome {
  if (id && id !== reference) throw new Error(`The bank answered ${reference} with another refund`)
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'processing', reference }
    case 'DEVOLVIDO':
      return { status: 'succeeded', reference }
    case 'NAO_REALIZADO':
      return { status: 'failed', reason: reasonOf(motivo) }
    default:
      throw new Error(`The bank calls the refund ${reference} ${status}`)
  }
}

function reasonOf(said: string | null | undefined): RefundFailure {
  return /saldo/i.test(said ?? '') ? 'insufficient_balance' : 'refused'
}

function pathOf({ endToEndId, id }: Place) {
  return `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(id)}`
}
