// Mecanismo Especial de Devolução: what the payer's bank asks back of a Pix, for fraud or a fault. A bank tells
// of it as a devolução of another nature than ours; how long there is to answer it does not tell.
import type { DisputeStatus } from '../../database/enums.ts'
import type { ProviderDispute } from '../provider.ts'
import type { Devolution, Pix } from './responses.ts'

/** A word that is not the specification's keeps nobody from the payment: it lasts, until we know better. */
const CLOSED_STATUSES = new Map<string, DisputeStatus>([
  ['DEVOLVIDO', 'lost'],
  ['NAO_REALIZADO', 'won'],
])

export function isMedDevolution({ natureza }: Devolution) {
  return natureza?.startsWith('MED_') ?? false
}

export function listMedDisputes(received: readonly Pix[], now: Date): ProviderDispute[] {
  return received.flatMap((pix) =>
    (pix.devolucoes ?? [])
      .filter((devolution) => isMedDevolution(devolution) && devolution.valor > 0)
      .map((devolution, index) => toMedDispute(pix, devolution, index, now)),
  )
}

function toMedDispute(
  { endToEndId }: Pix,
  devolution: Devolution,
  index: number,
  now: Date,
): ProviderDispute {
  const { id, rtrId, natureza, valor, horario } = devolution
  const reference = id ?? rtrId ?? `${endToEndId}-${index}`
  const status = CLOSED_STATUSES.get(devolution.status) ?? 'open'
  return {
    reference,
    kind: 'med',
    endToEndId,
    reason: natureza ?? null,
    amountCents: valor,
    status,
    openedAt: horario?.solicitacao ?? now.toISOString(),
    closedAt: status === 'open' ? null : (horario?.liquidacao ?? now.toISOString()),
    respondBy: null,
  }
}
