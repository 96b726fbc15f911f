// The texts of the OpenAPI document about the whole API and its groups; those about an operation are at its route.

export const API_DESCRIPTION = `Crie um link de pagamento com uma chamada, compartilhe o endereço e saiba por webhook que foi pago. Os [guias](/api/docs) mostram cada passo.

Corpos e respostas são JSON. Dinheiro é um inteiro em centavos; instantes são ISO 8601 em UTC; ids são UUIDs. Uma chave é do ambiente de teste (\`sk_live_test…\`) ou do real, e nada sabe do outro; faz até 100 requisições em quaisquer 60 segundos. Listas se percorrem por \`cursor\`. Toda resposta diz o seu nome em \`X-Request-Id\`. Um cliente ignora campos que não conhece e aceita que falte um opcional.`

/** `name` is what generated clients use, `x-displayName` the title that readers see. */
export const TAGS = [
  {
    name: 'Payment links',
    'x-displayName': 'Links de pagamento',
    description: 'Um preço, as formas de pagamento e um endereço para compartilhar com quem paga.',
  },
  {
    name: 'Transactions',
    'x-displayName': 'Transações',
    description: 'Cada tentativa de pagar, do código Pix ou do cartão até a devolução.',
  },
  {
    name: 'Customers',
    'x-displayName': 'Clientes',
    description:
      'Quem paga, reconhecido pelo documento. A página de pagamento os cria no primeiro pagamento.',
  },
  {
    name: 'Reports',
    'x-displayName': 'Relatórios',
    description: 'O que entrou, como o painel o conta.',
  },
  {
    name: 'Events',
    'x-displayName': 'Eventos',
    description: 'O que os webhooks disseram, para ler e enviar de novo.',
  },
  {
    name: 'Webhook endpoints',
    'x-displayName': 'Endpoints de webhook',
    description: 'Os seus endereços que recebem webhooks, cada um com o próprio segredo.',
  },
  {
    name: 'Webhooks',
    'x-displayName': 'Eventos por webhook',
    description:
      'O que é enviado aos seus endpoints. Standard Webhooks 1.0: assinado, entregue pelo menos uma vez.',
  },
]
