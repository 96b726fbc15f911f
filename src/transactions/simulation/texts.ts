export const simulationTexts = {
  notPayable: 'Este link não pode ser pago agora. Confira a situação dele.',
  soldOut:
    'Os pagamentos que este link ainda aceita estão em andamento. Espere que terminem e tente de novo.',
  method: 'Escolha uma forma do link que o simulador receba neste ambiente.',
  installments: 'O link não oferece este número de parcelas.',
  scenario: 'Para Pix use ok ou pending; para cartão, qualquer outro que não pending.',
  document:
    'O link é de um cliente que tem outro documento. Envie o dele, ou nenhum payer, para que ele pague.',
  outcome: 'Escolha approve ou decline.',
  notHere:
    'Este pagamento está no ambiente de testes do provedor: pague-o lá. Aqui só se pagam os do simulador.',
  pixOutcome: 'Um Pix não é recusado: envie approve, ou deixe-o vencer.',
} as const
