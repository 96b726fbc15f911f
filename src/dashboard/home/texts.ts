import { countOf, formatCount } from '../../format.ts'
import { MANIFOLD_PERCENT } from '../layout/texts.ts'

const whoFormat = new Intl.ListFormat('pt-BR', { type: 'disjunction' })

export const homeTexts = {
  all: 'Ver todos',
  allToday: (n: number) => `Ver os ${formatCount(n)} de hoje`,
  yesterday: (value: string) => `ontem, até esta hora: ${value}`,
  last7: 'Recebido em 7 dias',
  last30: 'Recebido em 30 dias',
  approval: 'Aprovação em 30 dias',
  refunded30: 'Devolvido em 30 dias',
  before: (value: string) => `antes ${value}`,
  refunded: (value: string) => `${value} devolvidos`,
  change: (percent: number, text: string) => {
    if (percent === 0) return 'Igual ao período anterior'
    if (percent >= MANIFOLD_PERCENT) return `${text} o período anterior`
    return `${text} ${percent > 0 ? 'acima' : 'abaixo'} do período anterior`
  },
  nothingBefore: 'Nada entrou no período anterior',
  noAttempts: 'Nenhuma tentativa concluída ainda',
  attempts: (approved: number, decided: number) =>
    `${approved} de ${countOf(decided, 'tentativa concluída', 'tentativas concluídas')}`,
  looks: {
    noProvider:
      'Ninguém pode pagar no ambiente real ainda: escolha em Recebimentos o provedor, que move o dinheiro.',
    noProviderYet:
      'Ninguém pode pagar no ambiente real ainda: um proprietário escolhe em Recebimentos o provedor, que move o dinheiro.',
    held: (n: number) => `${countOf(n, 'pagamento')} a verificar`,
    overpaid: (n: number) =>
      `${countOf(n, 'pagamento', 'pagamentos')} com valor a mais para devolver`,
    duplicates: (n: number) =>
      `${countOf(n, 'pagamento que pode ser repetido', 'pagamentos que podem ser repetidos')}`,
    unmatched: (n: number) => `${countOf(n, 'Pix', 'Pix')} sem cobrança: de que pagamento?`,
    disputes: (n: number, until: string | null) => {
      const open = countOf(n, 'pagamento contestado', 'pagamentos contestados')
      return until === null ? `${open} em análise` : `${open}: responda até ${until}`
    },
    lostRegistration: 'O banco deixou de avisar os pagamentos por Pix: veja quem ele avisa agora',
    certificateEnds: (day: string) =>
      `O certificado do banco vale até ${day}, e depois disso não há Pix: peça um novo ao banco`,
    certificateEnded: (day: string) =>
      `O certificado do banco venceu em ${day}, e sem ele não há Pix: peça um novo ao banco`,
    deliveries: (n: number) =>
      `${countOf(n, 'notificação com falha', 'notificações com falha')} em 24 horas`,
  },
  keyName: 'Primeiros passos',
  keyTitle: 'Sua chave de API',
  progress: (done: number, all: number) => `${done} de ${all} feitos`,
  whoMay: (roles: readonly string[]) => `Quem faz isto: ${whoFormat.format(roles)}.`,
  providerFirst: 'Vem depois de escolher o provedor.',
  steps: {
    brand: {
      title: 'Dê a cara da sua empresa',
      text: 'Com o logotipo, ou só a cor, quem paga reconhece a página e os e-mails.',
      action: 'Escolher logotipo e cor',
    },
    testPayment: {
      title: 'Faça um pagamento de teste',
      text: 'Crie um link no ambiente de teste e pague você mesmo: nada é cobrado.',
      action: 'Criar link de teste',
    },
    webhook: {
      title: 'Avise o seu sistema',
      text: 'Se você tem um sistema, ele pode receber um aviso (webhook) de cada pagamento, na hora.',
      action: 'Criar endpoint',
    },
    provider: {
      title: 'Escolha o provedor',
      text: 'É quem move o dinheiro: seu banco ou outro provedor, na conta que recebe de verdade.',
      action: 'Escolher quem recebe',
    },
    realLink: {
      title: 'Crie o primeiro link de verdade',
      text: 'Título e valor bastam. Depois é só enviar pelo WhatsApp.',
      action: 'Criar link real',
    },
  },
  /** The same steps, once something exists. */
  begun: {
    testPayment: {
      text: 'O link de teste está pronto: abra e pague você mesmo. Nada é cobrado.',
      action: 'Abrir e pagar',
    },
    webhook: {
      text: 'O endpoint está criado. Falta ele aceitar um evento: envie um de teste.',
      action: 'Enviar evento de teste',
    },
    provider: {
      text: 'A conta está salva e a conexão funciona. Falta colocá-la em uso.',
      action: 'Colocar em uso',
    },
    untested: {
      text: 'A conta está salva. Falta a conexão funcionar, e colocá-la em uso.',
      action: 'Testar conexão',
    },
  },
} as const
