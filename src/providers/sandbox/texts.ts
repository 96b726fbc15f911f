export const sandboxTexts = {
  name: 'Simulador',
  about: 'Para experimentar. Pagamentos são simulados e nada é cobrado.',
  answerDisputesAt: 'É um pagamento de teste: não há o que responder.',
} as const
