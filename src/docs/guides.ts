// The guides: where each is, and what the menu, the home page and llms.txt say of it.

export const DOCS_PATH = '/api/docs'

type Guide = {
  /** Its address below the docs; its view is `docs/guides/<view>`. */
  slug: string
  view: string
  title: string
  about: string
}

const INTEGRATION = [
  {
    slug: 'comecar',
    view: 'start',
    title: 'Começar',
    about: 'Da chave ao primeiro pagamento de teste, em cinco minutos.',
  },
  {
    slug: 'webhooks',
    view: 'webhooks',
    title: 'Webhooks',
    about: 'Saiba do pagamento e confira a assinatura.',
  },
  {
    slug: 'paginacao',
    view: 'paging',
    title: 'Paginação',
    about: 'Percorra listas de qualquer tamanho.',
  },
  {
    slug: 'conciliacao',
    view: 'reconciliation',
    title: 'Conciliação',
    about: 'Confira o que entrou num dia, venda por venda.',
  },
  {
    slug: 'reembolsos',
    view: 'refunds',
    title: 'Devoluções',
    about: 'Devolva tudo ou uma parte, sem devolver duas vezes.',
  },
  {
    slug: 'idempotencia',
    view: 'idempotency',
    title: 'Idempotência',
    about: 'Repita uma requisição sem medo de fazer duas vezes.',
  },
  {
    slug: 'erros',
    view: 'errors',
    title: 'Erros',
    about: 'O formato, todos os códigos e o que fazer em cada um.',
  },
  {
    slug: 'cartoes-de-teste',
    view: 'test-cards',
    title: 'Cartões de teste',
    about: 'Aprovado, recusado, com autenticação: provoque cada caso.',
  },
  {
    slug: 'producao',
    view: 'going-live',
    title: 'Ir para produção',
    about: 'O que conferir antes da primeira cobrança real.',
  },
  {
    slug: 'mudancas',
    view: 'changes',
    title: 'Mudanças',
    about: 'O que mudou na API, por data.',
  },
] as const satisfies Guide[]

const OPERATION = [
  {
    slug: 'recebimentos',
    view: 'real-money',
    title: 'Receber de verdade',
    about: 'As credenciais em cada banco e no Mercado Pago, e o primeiro real.',
  },
  {
    slug: 'pci',
    view: 'pci',
    title: 'PCI e dados de cartão',
    about: 'Por onde passa o número do cartão, e o que sobra para você.',
  },
  {
    slug: 'acompanhar',
    view: 'operating',
    title: 'Acompanhar o serviço',
    about: 'Sondas, métricas e os alertas que importam.',
  },
] as const satisfies Guide[]

export const GUIDE_GROUPS = [
  { title: 'Integrar', guides: INTEGRATION },
  { title: 'Receber e operar', guides: OPERATION },
]

export const GUIDES = [...INTEGRATION, ...OPERATION]
