// Reads disputes by the Mecanismo Especial de Devolução, in which the payer's bank asks for a Pix back, because of
// fraud or a fault. The bank shows it as a devolução with another nature than ours, without a deadline.
import type { DisputeStatus } from '../../database/enums.ts'
import type { ProviderDispute } from '../provider.ts'
import { correctInstant } from './clock.ts'
import type { Devolution, Pix } from './responses.ts'

/** A status outside the specification does not make the payment unreadable: it counts as open. */
const CLOSED_STATUSES = new Map<string, DisputeStatus>([
  ['DEVOLVIDO', 'lost'],
  ['NAO_REALIZADO', 'won'],
])

export function isMedDevolution({ natureza }: Devolution) {
  return natureza?.startsWith('MED_') ?? false
}

/** `offsetMs`: how far the bank's clock is ahead. */
type BankTime = { offsetMs: number; now: Date }

export function listMedDisputes(received: readonly Pix[], time: BankTime): ProviderDispute[] {
  return received.flatMap((pix) =>
    pix.devolucoes.items
      .filter((devolution) => isMedDevolution(devolution) && (devolution.valor ?? 0) > 0)
      .map((devolution, index) => toMedDispute(pix, devolution, index, time)),
  )
}

function toMedDispute(
  { endToEndId }: Pix,
  devolution: Devolution,
  index: number,
  time: BankTime,
): ProviderDispute {
  const { id, rtrId, natureza, valor, horario } = devolution
  const reference = id ?? rtrId ?? `${endToEndId}-${index}`
  const status = CLOSED_STATUSES.get(devolution.status ?? '') ?? 'open'
  const opened = readInstant(horario?.solicitacao, time)
  const closed = status === 'open' ? undefined : readInstant(horario?.liquidacao, time)
  return {
    reference,
    kind: 'med',
    endToEndId,
    reason: natureza ?? null,
    amountCents: valor ?? 0,
    status,
    openedAt: opened.at,
    closedAt: closed?.at ?? null,
    ...(opened.reported && { reportedOpenedAt: opened.reported }),
    ...(closed?.reported && { reportedClosedAt: closed.reported }),
    respondBy: null,
  }
}

/** Returns now when the bank gives no instant; `reported` is the bank's own, if it differs. */
function readInstant(said: string | null | undefined, { offsetMs, now }: BankTime) {
  if (!said) return { at: now.toISOString() }
  return offsetMs === 0 ? { at: said } : { at: correctInstant(said, offsetMs), reported: said }
}
