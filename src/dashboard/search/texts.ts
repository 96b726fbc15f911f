// What the search says.
export const searchTexts = {
  title: 'Busca',
  payments: 'Pagamentos',
  links: 'Links',
  people: 'Clientes',
  places: 'Ir para',
  allPayments: 'Ver todos em Transações',
  allLinks: 'Ver todos em Links',
  allPeople: 'Ver todos em Clientes',
  everything: (typed: string) => `Ver tudo o que há de “${typed}”`,
  newLink: 'Novo link',
  importLinks: 'Importar links',
  newCustomer: 'Novo cliente',
  disputes: 'Contestações',
  account: 'Minha conta',
  docs: 'Documentação da API',
} as const
