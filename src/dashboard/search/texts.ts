// Texts of the search.
export const searchTexts = {
  title: 'Busca',
  payments: 'Pagamentos',
  links: 'Links',
  people: 'Clientes',
  allPayments: 'Ver todos em Pagamentos',
  allLinks: 'Ver todos em Links',
  allPeople: 'Ver todos em Clientes',
} as const
