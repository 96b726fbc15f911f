// Refunds to payers ("devolução"), each with our id, so that a repeated request refunds once.
import type { RefundFailure } from '../../database/enums.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { equalsIgnoringCase } from '../answers.ts'
import { formatDecimal } from '../br-code.ts'
import type { RefundKey, RefundOutcome, RefundRequest } from '../provider.ts'
import { isRequestRefused, type ProviderRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { isNotFound } from './errors.ts'
import { getPix, getReturnedAt } from './received.ts'
import { Devolution, type Pix } from './responses.ts'

const USED_ID_PATTERN =
  /\b(id|identificador|utilizad\w+|usad\w+|duplicad\w+|repetid\w+|already)\b|já exist/i

type DevolutionKey = { endToEndId: string; id: string }

export async function refundPix(bank: BankClient, request: RefundRequest): Promise<RefundOutcome> {
  return putDevolution(bank, toDevolutionKey(request), request)
}

/** Reads a refund by its own address, or as listed with the Pix: a bank may show it in one place first. */
export async function findPixRefund(bank: BankClient, key: RefundKey): Promise<RefundOutcome> {
  const ids = toDevolutionKey(key)
  const standing = (await getDevolution(bank, ids)) ?? (await findListedDevolution(bank, ids))
  return standing ? toDevolutionOutcome(bank, standing, ids) : { status: 'unknown' }
}

/** Refunds what is left of a payment, once for each id. */
export async function refundWholePix(bank: BankClient, pix: Pix, id: string): Promise<void> {
  const { endToEndId, valor, devolucoes } = pix
  const gone = devolucoes.items
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((cents, devolution) => cents + (devolution.valor ?? 0), 0)
  if (gone >= valor) return
  const whole = { amountCents: valor - gone, isFirst: true }
  const outcome = await putDevolution(bank, { endToEndId, id }, whole)
  if (outcome.status === 'failed' || outcome.status === 'unconfirmed') {
    throw new Error(`The bank did not give ${endToEndId} back: ${outcome.status}`)
  }
}

function toDevolutionKey({ refundId, endToEndId }: RefundKey): DevolutionKey {
  if (!endToEndId) throw new Error('A Pix without its end-to-end id cannot be given back')
  return { endToEndId, id: refundId.replaceAll('-', '') }
}

async function putDevolution(
  bank: BankClient,
  ids: DevolutionKey,
  { amountCents, isFirst }: Pick<RefundRequest, 'amountCents' | 'isFirst'>,
): Promise<RefundOutcome> {
  const body = { valor: formatDecimal(amountCents) }
  try {
    const path = buildDevolutionPath(ids)
    const made = await bank.read(Devolution, { method: 'PUT', path, body })
    return toDevolutionOutcome(bank, made, ids)
  } catch (error) {
    if (!isRequestRefused(error)) throw error
    // A bank may refuse to create a refund that exists already.
    const standing = await getDevolution(bank, ids)
    if (standing) return toDevolutionOutcome(bank, standing, ids)
    if (isFirst && isRefundRefused(error)) {
      return { status: 'failed', reason: toRefundFailure(error.detail) }
    }
    return { status: 'unconfirmed', reference: ids.id }
  }
}

/** Whether the reason is the refund's own. A used id means that the bank has the refund. */
function isRefundRefused({ kind, detail }: ProviderRefusal) {
  const isOwn = kind === 'PixDevolucaoInvalida' || kind === 'PixNaoEncontrado'
  return isOwn && !USED_ID_PATTERN.test(detail ?? '')
}

async function findListedDevolution(bank: BankClient, { endToEndId, id }: DevolutionKey) {
  const pix = await getPix(bank, endToEndId)
  return pix?.devolucoes.items.find((devolution) => equalsIgnoringCase(devolution.id, id))
}

async function getDevolution(bank: BankClient, ids: DevolutionKey) {
  try {
    return await bank.read(Devolution, { method: 'GET', path: buildDevolutionPath(ids) })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function toDevolutionOutcome(
  { clock }: BankClient,
  devolution: Devolution,
  { id: reference }: DevolutionKey,
): RefundOutcome {
  const { id, status, motivo } = devolution
  if (id && !equalsIgnoringCase(id, reference))
    throw new Error(`The bank answered ${reference} with another refund`)
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'processing', reference }
    case 'DEVOLVIDO':
      return {
        ...{ status: 'succeeded', reference },
        at: getReturnedAt(devolution, clock.offsetHours * HOUR_MS),
      }
    case 'NAO_REALIZADO':
      return { status: 'failed', reason: toRefundFailure(motivo), reference }
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
