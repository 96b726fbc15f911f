import type { DeclineCode, LinkBulkAction } from '../../database/enums.ts'
import type { BulkRefusal } from '../../database/tables.ts'
import { countOf, formatCount } from '../../format.ts'
import {
  PLAIN_TEXT_NAMES,
  PLAIN_TEXTS,
  type PlainTextName,
} from '../../payment-links/plain-texts.ts'
import { buildRecord } from '../../record.ts'

/** Why a card was declined, for the company; the payer reads what to do (texts.ts). */
const DECLINES: Record<DeclineCode, string> = {
  generic: 'Banco não autorizou',
  insufficient_funds: 'Sem saldo ou limite',
  expired_card: 'Cartão vencido',
  invalid_card: 'Número inválido',
  invalid_cvv: 'Código de segurança incorreto',
  suspected_fraud: 'Suspeita de fraude',
  lost_or_stolen: 'Cartão perdido ou roubado',
  not_permitted: 'Compra não permitida',
  invalid_installments: 'Parcelas não aceitas',
  attempts_exceeded: 'Tentativas demais',
  threeds_failed: 'Identidade não confirmada',
  provider_error: 'Provedor indisponível',
}

type PlainField = {
  /** Where the form and the page have the field. */
  part: 'main' | 'advanced' | 'technical'
  hint?: string
  /** The height of its text area; absent for a single line. */
  lines?: number
  type?: 'url'
  autocapitalize?: 'characters'
}

/** How the form asks for the optional texts of a link. */
export const PLAIN_FIELDS: Record<PlainTextName, PlainField> = {
  description: { part: 'main', lines: 3 },
  redirectUrl: {
    part: 'technical',
    hint: 'Um endereço do seu site, ou do seu app: br.com.loja://pago.',
    type: 'url',
  },
  successMessage: { part: 'advanced', hint: 'Aparece quando o pagamento é aprovado.', lines: 3 },
  statementDescriptor: {
    part: 'advanced',
    hint: 'Letras, números, espaço, ponto e hífen.',
    autocapitalize: 'characters',
  },
  inactiveMessage: {
    part: 'advanced',
    hint: 'Aparece com o link pausado, expirado ou concluído.',
    lines: 2,
  },
  externalReference: {
    part: 'technical',
    hint: 'O número do pedido no seu sistema, por exemplo.',
  },
}

function lowerFirst(label: string) {
  return label.charAt(0).toLowerCase() + label.slice(1)
}

export const linkPageTexts = {
  titles: {
    list: 'Links',
    create: 'Novo link',
    change: 'Editar link',
    archive: 'Arquivar link',
    send: 'Enviar link por e-mail',
  },
  methods: {
    pix: 'Pix',
    card: (most: number) => (most === 1 ? 'Cartão' : `Cartão em até ${most}x`),
    both: (most: number) => (most === 1 ? 'Pix ou cartão' : `Pix ou cartão em até ${most}x`),
  },
  noun: ['link', 'links'],
  any: 'Todos',
  anyStatus: 'Todos, menos arquivados',
  /** Names of changed fields in the audit log. */
  fields: {
    ...buildRecord(PLAIN_TEXT_NAMES, (name) => lowerFirst(PLAIN_TEXTS[name].label)),
    title: 'título',
    amountCents: 'valor',
    methods: 'formas de pagamento',
    maxInstallments: 'parcelas',
    interestMode: 'juros',
    interestFreeInstallments: 'parcelas sem juros',
    pixDiscountBps: 'desconto no Pix',
    tags: 'etiquetas',
    expiresAt: 'validade',
    maxPayments: 'pagamentos que aceita',
    remindEveryDays: 'lembretes',
    linkedCustomerId: 'cliente',
    metadata: 'informações',
    customFields: 'perguntas',
  },
  oneCustomer: 'um cliente',
  title: 'Dê um título ao link.',
  noMethod: 'Escolha ao menos uma forma de pagamento.',
  expiresAt: 'Informe um dia que exista, com o ano (ex.: 31/12/2026, ou 31/12/2026 18:00).',
  maxPayments: 'Informe quantos pagamentos o link aceita, de 1 a 100.000.',
  remindEveryDays: 'Informe de 1 a 30 dias, ou deixe em branco para não lembrar.',
  noCustomer: 'Nenhum cliente seu tem este CPF ou CNPJ. Cadastre-o antes em Clientes.',
  namelessPair: 'Dê um nome a cada informação.',
  repeatedPair: (name: string) => `Use o nome "${name}" uma vez só.`,
  customFields: {
    nameless: 'Escreva o que cada campo pergunta.',
    repeated: (label: string) => `Pergunte "${label}" uma vez só.`,
    options: (label: string) => `Escreva de 2 a 20 opções de "${label}", uma por linha.`,
    longOption: (label: string, most: number) =>
      `Use no máximo ${most} caracteres em cada opção de "${label}".`,
    repeatedOption: (label: string, option: string) =>
      `Escreva a opção "${option}" de "${label}" uma vez só.`,
    cardData: (label: string) =>
      `Não peça dados de cartão ("${label}"). O pagador os informa apenas nos campos do cartão.`,
    types: {
      text: 'Texto',
      number: 'Número',
      choice: 'Opções',
      date: 'Data',
    },
    required: 'obrigatório',
    optional: 'opcional',
  },
  image: {
    title: 'Imagem do link',
    missing: 'Escolha uma imagem.',
    question: 'Remover a imagem deste link?',
    consequences: ['Ela some da página de pagamento e das prévias de quem recebe o link.'],
    remove: 'Remover',
  },
  companyDefault: 'o da empresa',
  interestFreeOfCompany: (most: number) =>
    most === 1 ? 'Como a empresa: nenhuma' : `Como a empresa: até ${most}x`,
  interestFree: (most: number) => `sem juros em até ${most}x`,
  pixDiscount: (share: string) => `${share} de desconto no Pix`,
  pixDiscountHint: (share: string) => `De 0 a 50%. Em branco, o da empresa: ${share}.`,
  noEnd: 'sem prazo',
  until: (day: string) => `até ${day}`,
  forCustomer: (name: string) => `para ${name}`,
  uses: (n: number | null) =>
    n === null ? 'Sem limite' : n === 1 ? 'Uso único' : `Até ${countOf(n, 'pagamento')}`,
  stillExpired: 'Este link expirou. Edite-o e escolha uma nova data antes de reativar.',
  stillComplete:
    'Este link já recebeu tudo o que aceita. Edite-o e aumente o limite de pagamentos.',
  funnel: {
    opened: 'Abriram o link',
    begun: 'Começaram a preencher',
    tried: 'Geraram o Pix ou enviaram o cartão',
    paid: 'Pagaram',
    expired: 'Pix não pago a tempo',
    declines: DECLINES,
  },
  archive: {
    question: (title: string) => `Arquivar o link "${title}"?`,
    consequences: [
      'Ninguém consegue pagar por ele enquanto estiver arquivado. Você pode desarquivá-lo quando quiser.',
      'Quem já recebeu um código Pix ainda pode pagá-lo até o código vencer.',
      'Os pagamentos recebidos continuam em Pagamentos.',
    ],
    button: 'Arquivar',
  },
  archived: 'Este link está arquivado. Desarquive-o antes.',
  archivedMeanwhile:
    'Este link foi arquivado enquanto você editava, e nada foi salvo. Desarquive-o e salve de novo.',
  poster: {
    title: (title: string) => `Cartaz de ${title}`,
    orCard: (pix: string, card: string) => `${pix}, ou ${card.toLowerCase()}`,
    until: (when: string) => `Até ${when}`,
    testMode: 'Ambiente de teste: este código não cobra ninguém.',
    states: {
      inactive: 'Este link está pausado: ninguém consegue pagar por ele.',
      expired: 'Este link expirou: ninguém consegue pagar por ele.',
      completed: 'Este link foi concluído: ninguém mais paga por ele.',
      archived: 'Este link está arquivado: ninguém consegue pagar por ele.',
    },
  },
  sending: {
    hint: 'Pode ser colado como Maria <maria@exemplo.com.br>. A resposta vai ao contato da sua empresa.',
    testHint:
      'No ambiente de teste, o e-mail só sai para as pessoas da sua empresa. Para outros endereços, só o evento sai.',
    every: (days: number) =>
      days === 1 ? 'Todo dia, até três vezes' : `A cada ${days} dias, até três vezes`,
    reminderHint:
      'Por e-mail, até três vezes, e na véspera de expirar. Vai ao cliente do link e a quem o recebeu daqui; um pagamento encerra.',
    reminderHintWithoutMail:
      'Este servidor não envia e-mails: só sai o evento payment_link.reminded, para você lembrar de outro jeito.',
    sent: 'Enviado',
    reminded: 'Lembrado',
    stopped: 'Pediu para parar',
    refused: 'Endereço recusado',
  },
  share: {
    subject: (title: string, company: string) => `${title} · ${company}`,
    text: (title: string, amount: string, url: string) => `${title}, ${amount}. Para pagar: ${url}`,
    whatsapp: 'Enviar pelo WhatsApp',
    whatsappTo: (name: string) => `Enviar a ${name} pelo WhatsApp`,
  },
} as const

const countLinks = (n: number) => (n === 1 ? '1 link' : `${formatCount(n)} links`)
const links = (n: number, done: string) => `${countLinks(n)} ${done}${n === 1 ? '' : 's'}`

type ActionTexts = {
  /** The value in the form. */
  value: string
  button: string
  done: (n: number, tag: string) => string
}

const actions: Record<LinkBulkAction, ActionTexts> = {
  archive: { value: 'arquivar', button: 'Arquivar', done: (n) => links(n, 'arquivado') },
  unarchive: {
    value: 'desarquivar',
    button: 'Desarquivar',
    done: (n) => links(n, 'desarquivado'),
  },
  pause: { value: 'pausar', button: 'Pausar', done: (n) => links(n, 'pausado') },
  resume: { value: 'reativar', button: 'Reativar', done: (n) => links(n, 'reativado') },
  add_tag: {
    value: 'etiquetar',
    button: 'Adicionar',
    done: (n, tag) => `${countLinks(n)} com a etiqueta “${tag}”`,
  },
  remove_tag: {
    value: 'desetiquetar',
    button: 'Remover',
    done: (n, tag) => `${countLinks(n)} sem a etiqueta “${tag}”`,
  },
}

/** Of one link, and of several. */
const refusals: Record<BulkRefusal, readonly [one: string, many: string]> = {
  archived: ['está arquivado; desarquive-o antes', 'estão arquivados; desarquive-os antes'],
  expired: [
    'expirou; edite-o e escolha uma nova data',
    'expiraram; edite-os e escolha uma nova data',
  ],
  complete: ['já recebeu tudo o que aceita', 'já receberam tudo o que aceitam'],
  tooManyTags: ['já tem 20 etiquetas', 'já têm 20 etiquetas'],
  tooBig: ['tem etiquetas e informações demais', 'têm etiquetas e informações demais'],
}

export const linkBulkTexts = {
  actions,
  refusals,
  choice: {
    all: (count: string) => `Todos os ${count} links desta lista`,
    newest: (most: string) => `Os ${most} links mais novos desta lista`,
    chosen: (count: string) => `${count} escolhidos`,
    upTo: (most: string) => `Até ${most} escolhidos`,
  },
  none: 'Nada mudou',
  refused: (n: number, names: string, [one, many]: readonly [one: string, many: string]) =>
    `${formatCount(n)} não: ${n === 1 ? one : many} (${names})`,
  unchanged: (n: number) => (n === 1 ? '1 já estava assim' : `${formatCount(n)} já estavam assim`),
  names: (titles: readonly string[], more: number) =>
    titles.map((title) => `“${title}”`).join(', ') +
    (more > 0 ? ` e mais ${formatCount(more)}` : ''),
  unfinished: (left: number) =>
    `${formatCount(left)} ainda por fazer: envie de novo para continuar`,
  missing: {
    links: 'Escolha ao menos um link.',
    acao: 'Escolha o que fazer com os links.',
    etiqueta: 'Escreva uma etiqueta de até 50 caracteres, sem vírgula.',
  },
  sentence: (parts: readonly string[]) => `${parts.join('. ')}.`,
} as const
