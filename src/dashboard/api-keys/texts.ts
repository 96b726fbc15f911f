export const apiKeyPageTexts = {
  titles: {
    create: 'Nova chave',
    created: 'Sua nova chave',
    roll: 'Trocar chave',
    restrict: 'Endereços permitidos',
    revoke: 'Revogar chave',
  },
  name: 'Dê um nome à chave, como o do sistema que vai usá-la.',
  noScope: 'Escolha ao menos uma permissão.',
  overlap: 'Escolha até quando a chave antiga vale.',
  network: (typed: string) =>
    `"${typed}" não é um endereço IP nem uma rede. Use 203.0.113.7, 203.0.113.0/24 ou 2001:db8::/48.`,
  tooManyNetworks: (max: number) => `Informe no máximo ${max} endereços ou redes.`,
  onlyFrom: (networks: string) => `Só de ${networks}`,
  anywhere: 'qualquer lugar',
  all: 'Tudo',
  scopes: {
    read: 'Ver tudo',
    'payment-links:read': 'Ver links',
    'payment-links': 'Ver, criar e alterar links',
    'customers:read': 'Ver clientes',
    customers: 'Ver, criar e alterar clientes',
    'transactions:read': 'Ver pagamentos',
    transactions: 'Ver pagamentos e devolver',
    'events:read': 'Ver eventos de webhooks',
    events: 'Ver e reenviar eventos de webhooks',
    'webhook-endpoints:read': 'Ver endpoints de webhooks',
    'webhook-endpoints': 'Ver, criar e alterar endpoints de webhooks',
  },
  states: {
    active: 'Ativa',
    until: (when: string) => `Vale até ${when}`,
    replaced: 'Substituída',
    revoked: 'Revogada',
  },
  overlaps: { 0: 'Não, deixa de valer agora', 1: '1 hora', 24: '24 horas', 168: '7 dias' },
  revoke: {
    question: (name: string, last4: string) => `Revogar a chave "${name}" (••••${last4})?`,
    used: (when: string) => `Último uso: ${when}.`,
    unused: 'Ela nunca foi usada.',
    refused: 'Quem a usa passa a receber 401 na próxima chamada.',
    forEver: 'Isso não pode ser desfeito.',
    button: 'Revogar',
  },
} as const

export const failedCallTexts = {
  title: 'Chamadas com erro',
  anyKey: 'Todas',
  anyStatus: 'Todas',
  noRoute: 'endereço que não existe',
} as const
