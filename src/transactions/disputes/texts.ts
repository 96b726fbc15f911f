/** By the provider's own code, if it is known. */
const REASONS = new Map([
  ['MED_FRAUDE', 'O pagador diz que foi vítima de golpe ou fraude'],
  ['MED_OPERACIONAL', 'Falha operacional do banco do pagador'],
  ['MED_PIX_AUTOMATICO', 'O pagador não reconhece um Pix Automático'],
])

export const disputeTexts = {
  notFound: 'Contestação não encontrada.',
  kinds: { med: 'Pix (MED)', card: 'Cartão' },
  statuses: { open: 'Em análise', won: 'Ganha', lost: 'Perdida' },
  noReason: 'Não informado pelo provedor',
} as const

/** Unknown reasons are shown as received: some providers write a sentence. */
export function formatDisputeReason(reason: string | null) {
  return reason === null ? disputeTexts.noReason : (REASONS.get(reason) ?? reason)
}
