// The guides: their addresses, and their descriptions in the menu, on the home page and in llms.txt. The text and title
// of each are in `views/docs/guides/<slug>.md`.
import { readGuideTitle } from './markdown.ts'

export const DOCS_PATH = '/api/docs'

export type Guide = ReturnType<typeof listGuides>[number]

/** In the order of the menu, by their addresses below the docs. */
const INTEGRATION = {
  comecar: 'Da chave ao primeiro pagamento de teste, em cinco minutos.',
  enviar: 'Envie um link por e-mail e lembre quem não pagou.',
  webhooks: 'Saiba do pagamento e confira a assinatura.',
  paginacao: 'Percorra listas de qualquer tamanho.',
  conciliacao: 'Confira o que entrou num dia, venda por venda.',
  reembolsos: 'Devolva tudo ou uma parte, sem devolver duas vezes.',
  idempotencia: 'Repita uma requisição sem medo de fazer duas vezes.',
  erros: 'O formato, todos os códigos e o que fazer em cada um.',
  'cartoes-de-teste': 'Aprovado, recusado, com autenticação: provoque cada caso.',
  producao: 'O que conferir antes da primeira cobrança real.',
  mudancas: 'O que mudou na API, por data.',
}

const OPERATION = {
  recebimentos: 'As credenciais em cada banco, no Mercado Pago e no Pagar.me, e o primeiro real.',
  pci: 'Por onde passa o número do cartão, e o que sobra para você.',
  acompanhar: 'Sondas, métricas e os alertas que importam.',
}

export function listGuideGroups() {
  return [
    { title: 'Integrar', guides: listGuides(INTEGRATION) },
    { title: 'Receber e operar', guides: listGuides(OPERATION) },
  ]
}

function listGuides(described: Record<string, string>) {
  return Object.entries(described).map(([slug, about]) => ({
    slug,
    about,
    title: readGuideTitle(slug),
  }))
}
