export const termsTexts = {
  rate: (most: string) => `Informe a taxa por mês, de 0 a ${most}, com até duas casas (ex.: 2,99).`,
  pixDiscount: 'Informe um desconto de 0 a 50% (ex.: 5 ou 7,5).',
  pixExpiry: (least: number, most: number) =>
    `Informe os minutos, de ${least} a ${most.toLocaleString('pt-BR')}.`,
  freeUpTo: (n: number, all: boolean) =>
    n === 1 ? 'Nenhuma' : all ? `Todas, até ${n}x` : `Até ${n}x`,
  atSight: 'à vista',
  free: 'sem juros',
  total: (total: string) => `total ${total}`,
} as const

/** The state of an account at a provider. */
export const stateTexts = {
  untested: 'Conexão ainda não testada',
  tested: (when: string) => `Conexão testada em ${when}`,
  kept: (url: string | null) =>
    `O banco avisa ${url ? `outro endereço, que foi mantido: ${url}` : 'ninguém por esta chave Pix'}. Os pagamentos são encontrados por consulta, com algum atraso.`,
  lost: (url: string | null) =>
    `O banco deixou de nos avisar: a chave Pix agora avisa ${url ?? 'ninguém'}. Os pagamentos são encontrados por consulta, com algum atraso.`,
  unreadable: (when: string, field: string) =>
    `Em ${when} uma resposta do provedor não pôde ser lida, no campo ${field}. Pagamentos que ele dê por pagos ficam retidos até que ela possa ser lida.`,
  failed: (when: string, why: string) => `O teste de ${when} falhou: ${why}`,
  notified: (when: string, count: string) => `Último aviso em ${when}; ${count} até agora`,
  neverNotified: 'Nenhum aviso recebido até agora',
  refused: (when: string, count: string) =>
    `${count} de assinatura errada desde o último bom; o mais recente em ${when}. Confira o segredo no provedor.`,
} as const

export const feeTexts = {
  title: 'Tarifas',
  rate: (most: string) => `Informe a taxa em %, de 0 a ${most}, com até duas casas (ex.: 3,19).`,
  fixed: (most: string) => `Informe o valor fixo, de R$ 0,00 a ${most} (ex.: 0,39).`,
  noRate: 'Informe a taxa; onde não há, 0.',
  noCardFee: 'Informe a tarifa em 1x: as outras começam dela.',
  pix: 'Pix',
  card: (band: string) => `tarifa do cartão em ${band}`,
  band: (from: number, to: number) => `${from}x a ${to}x`,
  several: (band: string, fees: string) =>
    `Em ${band} há mais de uma tarifa salva, cada uma a partir do seu número de parcelas: ${fees}. Em branco, continuam assim; preenchida, a nova vale para a faixa toda.`,
  nothing: 'não informado',
  asAbove: 'como a de cima',
  fee: (rate: string, fixed: string | null) => (fixed ? `${rate} + ${fixed}` : rate),
} as const

export const payoutTexts = { title: 'A receber' } as const

/** The page of an account at a provider. */
export const accountTexts = {
  chooseBank: 'Escolha o banco',
  /** The whole account, when two people changed it. */
  wholeAccount: 'conta',
  savedAccount: 'o que está salvo',
  noValue: 'nada',
  /** A file, in the audit log. */
  sentFile: 'enviado',
  exchangedFile: 'trocado',
  pairs: 'Escreva um por linha, como nome: valor.',
  fillIn: (label: string) => `Preencha: ${label}.`,
  fillInAgain: (label: string) => `O endereço é de outro servidor: preencha de novo ${label}.`,
  source: (from: string, day: string) =>
    `O que sabemos deste banco vem de fontes públicas (${from}, lidas em ${day}). Se o banco informar outra coisa, preencha nas opções avançadas: vale o que você informar.`,
  kept: (shown: string) => `Salvo: ${shown}. Deixe em branco para manter.`,
  keptFile: 'Já enviado. Deixe em branco para manter.',
  again: 'Informe de novo: o que você tinha preenchido aqui não volta para a página.',
  steps: {
    token: 'Entrar com as credenciais',
    register: 'Registrar o endereço de notificações',
    payments: 'Encontrar os pagamentos em andamento',
    clock: 'Relógio do banco',
  },
  notSaved:
    'A conexão não funcionou e esta conta está em uso: nada foi salvo. Corrija os dados ou marque “Salvar mesmo assim”.',
  notReplaced:
    'Há pagamentos em andamento que esta conta não conhece: nada foi salvo. Espere o fim deles ou marque “Salvar mesmo assim”.',
  register: {
    title: 'Registrar notificações',
    question: 'Registrar o nosso endereço, para que os pagamentos sejam avisados?',
    button: 'Registrar',
  },
  replace: (theirs: string, ours: string) => ({
    title: 'Quem o banco avisa',
    question: 'A chave Pix já avisa outro endereço. Trocar pelo nosso?',
    consequences: [
      `Hoje o banco avisa: ${theirs}`,
      `O nosso endereço: ${ours}`,
      'Se trocar, o sistema que recebe hoje deixa de ser avisado dos Pix desta chave.',
      'Se manter, os pagamentos são encontrados por consulta ao banco, com algum atraso.',
    ],
    button: 'Trocar pelo nosso',
    keep: 'Manter como está',
  }),
  rotateAddress: (name: string) => ({
    title: 'Trocar o endereço das notificações',
    question: `Trocar o endereço em que ${name} nos avisa?`,
    consequences: [
      'O de agora deixa de valer neste instante: quem o conhece não nos avisa de mais nada.',
      'Onde o provedor deixa, registramos o novo por você; senão, informe-o no painel dele.',
      'Até ele usar o novo, os pagamentos são encontrados por consulta, com algum atraso.',
    ],
    button: 'Trocar endereço',
  }),
  remove: (name: string) => ({
    title: 'Remover a conta',
    question: `Remover a conta ${name}?`,
    consequences: [
      'As credenciais salvas são apagadas.',
      'Pagamentos já feitos continuam em Pagamentos, mas não podem mais ser consultados nem devolvidos por aqui.',
    ],
    button: 'Remover conta',
  }),
} as const

/** The choice of a method's provider. */
export const choiceTexts = {
  goLive: 'Começar a receber de verdade',
  toTest: (name: string, method: string) => ({
    title: 'Trocar de provedor',
    question: `Usar ${name} no ambiente de teste para ${method}?`,
    consequences: ['Pagamentos em andamento terminam onde começaram.'],
    button: `Usar ${name}`,
  }),
  toSandbox: (method: string) => ({
    title: 'Voltar ao simulador',
    question: `Voltar ao simulador para ${method}?`,
    consequences: [
      'Pagamentos em andamento terminam onde começaram.',
      'A conta configurada continua salva.',
    ],
    button: 'Voltar ao simulador',
  }),
  off: (method: string) => ({
    title: 'Parar de receber',
    question: `Parar de receber por ${method}?`,
    consequences: [
      'Ninguém mais consegue pagar por esta forma, nos links que já existem também.',
      'Pagamentos em andamento terminam onde começaram.',
      'A conta configurada continua salva.',
    ],
    button: 'Parar de receber',
  }),
  checks: {
    taxId: {
      text: 'CNPJ ou CPF da empresa',
      todo: 'Preencha o CNPJ ou CPF da empresa: ele sai nos comprovantes.',
      see: 'Ajustes',
    },
    support: {
      text: 'Contato de atendimento',
      todo: 'Informe um e-mail ou telefone de atendimento: é onde quem paga tira dúvidas.',
      see: 'Ajustes',
    },
    connection: {
      text: 'Conexão testada com estes dados',
      todo: 'Teste a conexão com os dados salvos: o último teste não passou ou ainda não foi feito.',
      see: 'Testar conexão',
    },
    https: {
      text: 'Este servidor atende por https',
      todo: 'O endereço deste servidor (BASE_URL) precisa ser https. Fale com quem o opera.',
      see: null,
    },
    notice: {
      text: 'Alguém fica sabendo de cada pagamento',
      todo: 'Ligue os avisos por e-mail ou, se tem um sistema, crie um endpoint de webhooks: alguém precisa saber que um pagamento chegou.',
      see: 'Webhooks',
    },
    secondStep: {
      text: 'Sua verificação em duas etapas',
      todo: 'Recomendado: ative a verificação em duas etapas na sua conta, que agora mexe com dinheiro.',
      see: 'Minha conta',
    },
  },
  understand: 'Marque que entendeu: a partir de agora os pagamentos são reais.',
} as const
