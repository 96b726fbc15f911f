import { formatBrl } from '../../format.ts'

export const refundTexts = {
  amount: 'Informe um número inteiro em centavos, de ao menos 1 (ex.: 500 para R$ 5,00).',
  tooMuch: (leftCents: number) =>
    `Restam ${formatBrl(leftCents)} (${leftCents} centavos) a devolver.`,
  noPix: 'Esta transação não tem um pagamento recebido com este id que possa ser devolvido.',
  underWay: 'Há devoluções em andamento que somam todo o valor. Aguarde o resultado delas.',
  disputed:
    'O que resta deste pagamento está contestado pelo pagador. Aguarde o resultado da contestação.',
  notRefundable: (status: string) =>
    `Só transações approved, partially_refunded ou retidas podem ser devolvidas; esta está ${status}.`,
  heldWhole: (receivedCents: number) =>
    `Uma transação retida só pode ser devolvida por inteiro: ${formatBrl(receivedCents)} (${receivedCents} centavos).`,
  held: 'Esta transação está retida, e não se sabe quanto entrou. Devolva o valor recebido diretamente pelo provedor de pagamento.',
  unread:
    'O provedor ainda não mostra o Pix desta transação de um modo que possa ser lido. Devolva-o diretamente no provedor de pagamento.',
  tooLate: (days: number) =>
    `Um Pix só pode ser devolvido em até ${days} dias após o pagamento. Combine outra forma de devolução com o pagador.`,
  testTooLate: (days: number) =>
    `Um pagamento de teste com cartão só pode ser devolvido em até ${days} dias.`,
  noAccount:
    'A conta em que este pagamento entrou foi removida. Cadastre-a de novo em Recebimentos ou devolva diretamente pelo provedor de pagamento.',
  atProvider: 'Devolvido no provedor',
  allowanceExceeded:
    'Com as outras devoluções de hoje, passa do que se devolve sem confirmar quem é. Confira e envie de novo.',
  failures: {
    refused: 'O provedor de pagamento recusou a devolução.',
    insufficient_balance: 'Não há saldo suficiente na conta para a devolução.',
    lost: 'O provedor de pagamento não mostra esta devolução um dia depois de pedida.',
  },
} as const
