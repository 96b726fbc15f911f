// The guides: where each is, and what the menu, the home page and llms.txt say of it.

export const DOCS_PATH = '/api/docs'

type Guide = {
  /** Its address below the docs; it is written in `views/docs/guides/<slug>.md`. */
  slug: string
  title: string
  about: string
}

const INTEGRATION: Guide[] = [
  {
    slug: 'comecar',
    title: 'Começar',
    about: 'Da chave ao primeiro pagamento de teste, em cinco minutos.',
  },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    about: 'Saiba do pagamento e confira a assinatura.',
  },
  {
    slug: 'paginacao',
    title: 'Paginação',
    about: 'Percorra listas de qualquer tamanho.',
  },
  {
    slug: 'conciliacao',
    title: 'Conciliação',
    about: 'Confira o que entrou num dia, venda por venda.',
  },
  {
    slug: 'reembolsos',
    title: 'Devoluções',
    about: 'Devolva tudo ou uma parte, sem devolver duas vezes.',
  },
  {
    slug: 'idempotencia',
    title: 'Idempotência',
    about: 'Repita uma requisição sem medo de fazer duas vezes.',
  },
  {
    slug: 'erros',
    title: 'Erros',
    about: 'O formato, todos os códigos e o que fazer em cada um.',
  },
  {
    slug: 'cartoes-de-teste',
    title: 'Cartões de teste',
    about: 'Aprovado, recusado, com autenticação: provoque cada caso.',
  },
  {
    slug: 'producao',
    title: 'Ir para produção',
    about: 'O que conferir antes da primeira cobrança real.',
  },
  {
    slug: 'mudancas',
    title: 'Mudanças',
    about: 'O que mudou na API, por data.',
  },
]

const OPERATION: Guide[] = [
  {
    slug: 'recebimentos',
    title: 'Receber de verdade',
    about: 'As credenciais em cada banco e no Mercado Pago, e o primeiro real.',
  },
  {
    slug: 'pci',
    title: 'PCI e dados de cartão',
    about: 'Por onde passa o número do cartão, e o que sobra para você.',
  },
  {
    slug: 'acompanhar',
    title: 'Acompanhar o serviço',
    about: 'Sondas, métricas e os alertas que importam.',
  },
]

export const GUIDE_GROUPS = [
  { title: 'Integrar', guides: INTEGRATION },
  { title: 'Receber e operar', guides: OPERATION },
]

export const GUIDES = [...INTEGRATION, ...OPERATION]
