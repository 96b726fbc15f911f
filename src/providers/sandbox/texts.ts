export const sandboxTexts = {
  names: {
    sandbox: {
      name: 'Simulador',
      about: 'Para experimentar. Pagamentos são simulados e nada é cobrado.',
    },
    'sandbox-page': {
      name: 'Adquirente de teste',
      about:
        'Para experimentar um adquirente com página própria: o cartão é digitado lá, fora deste site. Nada é cobrado.',
    },
  },
  answerDisputesAt: 'É um pagamento de teste: num de verdade, aqui está onde responder.',
} as const
