/** By the provider's own word, as far as it is known. */
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

/** What is not known is told as it came: some providers write a sentence. */
export function formatDisputeReason(reason: string | null) {
  return reason === null ? disputeTexts.noReason : (REASONS.get(reason) ?? reason)
}
