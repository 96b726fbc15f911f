export const mercadoPagoTexts = {
  key: 'Copie a credencial inteira: começa com APP_USR- ou TEST-.',
  mixedKeys:
    'O Access Token e a Public Key são de ambientes diferentes. Use as duas credenciais de teste ou as duas de produção.',
  tokenRefused:
    'O Mercado Pago recusou o Access Token. Copie-o de novo em Suas integrações > Credenciais.',
  tokenForbidden:
    'Este Access Token não tem permissão para isto. Confira em Suas integrações se a aplicação usa o Checkout Transparente.',
  tooMany: 'O Mercado Pago limitou as consultas desta conta. Aguarde um minuto e teste de novo.',
  unreachable:
    'Não foi possível chegar ao Mercado Pago. Confira a saída para a internet deste servidor.',
  noAnswer:
    'O Mercado Pago não respondeu a tempo ou respondeu algo inesperado. Tente novamente em instantes.',
  strangeAnswer: (status: number) =>
    `O Mercado Pago deu uma resposta inesperada (${status}). Tente novamente em instantes.`,
  noCards: 'Esta conta do Mercado Pago não recebe cartões de crédito.',
} as const
