import { countOf } from '../../format.ts'
import { INTEGRATIONS_PATH, LINKS_PATH, SETTINGS_PATH } from '../layout/paths.ts'

export const homeTexts = {
  today: 'Recebido hoje',
  last7: 'Recebido em 7 dias',
  last30: 'Recebido em 30 dias',
  refunded: (value: string) => `${value} devolvidos`,
  change: (percent: number, text: string) =>
    percent === 0
      ? 'Igual ao período anterior'
      : `${text} ${percent > 0 ? 'acima' : 'abaixo'} do período anterior`,
  noAttempts: 'Nenhuma tentativa concluída ainda',
  attempts: (approved: number, decided: number) =>
    `${approved} de ${countOf(decided, 'tentativa concluída', 'tentativas concluídas')}`,
  looks: {
    noProvider:
      'Ninguém pode pagar no ambiente real ainda: escolha em Recebimentos quem move o dinheiro.',
    noProviderYet:
      'Ninguém pode pagar no ambiente real ainda: um proprietário escolhe em Recebimentos quem move o dinheiro.',
    held: (n: number) => `${countOf(n, 'pagamento')} a verificar`,
    overpaid: (n: number) =>
      `${countOf(n, 'pagamento', 'pagamentos')} com valor a mais para devolver`,
    disputes: (n: number, until: string | null) => {
      const open = `${countOf(n, 'pagamento contestado', 'pagamentos contestados')} em análise`
      return until === null ? open : `${open}, com resposta até ${until}`
    },
    lostRegistration: 'O banco deixou de avisar os pagamentos por Pix: veja quem ele avisa agora',
    deliveries: (n: number) =>
      `${countOf(n, 'webhook com falha', 'webhooks com falha')} nas últimas 24 horas`,
  },
  keyName: 'Primeiros passos',
  keyTitle: 'Sua chave de API',
  steps: {
    company: {
      title: 'Diga quem é a sua empresa',
      text: 'Nome, CNPJ, cor e logotipo aparecem na página de pagamento.',
      href: SETTINGS_PATH,
    },
    link: {
      title: 'Crie o primeiro link',
      text: 'Título e valor bastam. Depois é só enviar pelo WhatsApp.',
      href: `${LINKS_PATH}/novo`,
    },
    payment: {
      title: 'Receba o primeiro pagamento',
      text: 'Abra o link e simule um Pix: no ambiente de teste nada é cobrado.',
      href: LINKS_PATH,
    },
    webhook: {
      title: 'Avise o seu sistema',
      text: 'Um webhook assinado conta de cada pagamento, se você tem um sistema para ouvir.',
      href: INTEGRATIONS_PATH,
    },
  },
  /** The step `payment` in the real environment. */
  realPayment: {
    title: 'Receba o primeiro pagamento',
    text: 'Abra o link, pague com o seu próprio Pix e depois faça a devolução.',
    href: LINKS_PATH,
  },
} as const
