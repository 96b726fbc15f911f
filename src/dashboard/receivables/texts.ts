export const receivablesTexts = {
  rate: (most: string) => `Informe a taxa por mês, de 0 a ${most} (ex.: 2,99).`,
  pixExpiry: (least: number, most: number) =>
    `Informe os minutos, de ${least} a ${most.toLocaleString('pt-BR')}.`,
  freeUpTo: (n: number, all: boolean) =>
    n === 1 ? 'Nenhuma' : all ? `Todas, até ${n}x` : `Até ${n}x`,
  atSight: 'à vista',
  free: 'sem juros',
  total: (total: string) => `total ${total}`,
  states: {
    inUse: 'Em uso',
    missing: 'Não configurado',
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
  },
} as const

export const feeTexts = {
  title: 'Tarifas',
  rate: (most: string) => `Informe a taxa em %, de 0 a ${most} (ex.: 3,19).`,
  fixed: (most: string) => `Informe o valor fixo, de R$ 0,00 a ${most} (ex.: 0,39).`,
  noRate: 'Informe a taxa; onde não há, 0.',
  noCardFee: 'Informe a tarifa em 1x: as outras começam dela.',
  names: {
    pix: 'Pix',
    card: (n: number) => `tarifa do cartão em ${n}x`,
  },
  cells: {
    Rate: (n: number) => `Taxa em %, em ${n}x`,
    Fixed: (n: number) => `Valor fixo em reais, em ${n}x`,
  },
  nothing: 'não informado',
  asAbove: 'como a de cima',
  fee: (rate: string, fixed: string | null) => (fixed ? `${rate} + ${fixed}` : rate),
} as const

export const payoutTexts = { title: 'A receber' } as const

export const providerPageTexts = {
  /** The whole of it, where two people changed it. */
  wholeAccount: 'conta',
  yourAccount: 'o que está nesta página (segredos e arquivos, informe de novo)',
  savedAccount: 'o que está salvo',
  noValue: 'nada',
  /** Of a file, in Registro. */
  sentFile: 'enviado',
  exchangedFile: 'trocado',
  titles: {
    remove: 'Remover a conta',
    goLive: 'Começar a receber de verdade',
    test: 'Trocar quem move o dinheiro',
    sandbox: 'Voltar para o simulador',
    off: 'Parar de receber',
  },
  chooseBank: 'Escolha o banco',
  environment: 'Ambiente',
  environments: { producao: 'Produção', homologacao: 'Homologação (testes)' },
  environmentHint: 'Em homologação nada é cobrado e os pagamentos contam como testes.',
  accessToken: 'Access Token',
  publicKey: 'Public Key',
  webhookSecret: 'Assinatura secreta dos webhooks',
  liabilityShift: 'Quando o banco do cartão não assume o risco de fraude',
  liabilityShifts: { required: 'Recusar o pagamento', preferred: 'Aprovar assim mesmo' },
  liabilityShiftHint:
    'O 3-D Secure é pedido sempre. Recusar: se o comprador contestar uma compra como fraude, o prejuízo é do banco dele. Aprovar assim mesmo: passam mais pagamentos, e nos que o banco não autenticou o prejuízo é da empresa.',
  testUser: 'São credenciais de um usuário de teste',
  testUserHint: 'Começam com APP_USR, mas nada é cobrado. As que começam com TEST já são.',
  mercadoPagoUrl: 'Endereço da API do Mercado Pago',
  appId: 'AppID',
  openPixUrl: 'Endereço da API da Woovi',
  openPixUrlHint: 'Em branco, o da Woovi para este ambiente.',
  /** Where the credentials are had, but of banks: of each its preset tells. */
  credentials: {
    mercadopago:
      'Em mercadopago.com.br, abra Suas integrações e crie uma aplicação com o Checkout Transparente. Em Credenciais, copie a Public Key e o Access Token. Em Webhooks, cole o endereço das notificações que está nesta página, marque os eventos Order (Mercado Pago) e Chargebacks e copie a assinatura secreta.',
    openpix:
      'Em app.woovi.com, abra API/Plugins e crie uma API com os escopos de cobranças, reembolsos, transações, disputas e webhooks. Copie o AppID. Para ensaiar, crie a conta e a API em app.woovi-sandbox.com e escolha Homologação.',
  },
  notifications: {
    'pix-api':
      'O banco avisa aqui quando um Pix é pago. O endereço é registrado quando você começa a usar a conta; registre de novo se trocar a chave Pix.',
    mercadopago:
      'Cole este endereço em Suas integrações › Webhooks e marque dois eventos: Order (Mercado Pago), que avisa de pagamentos, e Chargebacks, que avisa de contestações.',
    openpix:
      'A Woovi avisa aqui de pagamentos, devoluções e disputas. O endereço é registrado quando você começa a usar a conta; registre de novo se apagar os webhooks na Woovi.',
  },
  /** When the account begins to be used for real money. */
  registration: {
    'pix-api': 'Ao confirmar, registramos no banco o endereço onde ele avisa que um Pix foi pago.',
    mercadopago:
      'Confira se este endereço está em Suas integrações › Webhooks, com os eventos Order (Mercado Pago) e Chargebacks marcados.',
    openpix: 'Ao confirmar, registramos na Woovi o endereço onde ela avisa que um Pix foi pago.',
  },
  tokenAuth: 'Como a aplicação se identifica',
  tokenAuths: {
    basic: 'Client ID e Client Secret no cabeçalho (Basic)',
    body: 'Client ID e Client Secret no formulário',
    none: 'Só pelo certificado',
  },
  grantInQuery: 'grant_type no endereço do token',
  skipMtls: 'Pedir ao banco que notifique sem mTLS (x-skip-mtls-checking)',
  ofBank: 'Como o banco usa',
  yes: 'Sim',
  no: 'Não',
  scope: 'Escopos pedidos',
  scopeHint: 'Separados por espaço. Em branco, os que o banco usa.',
  extraHeaders: 'Cabeçalhos a mais',
  extraQuery: 'Parâmetros a mais no endereço',
  pairsHint: 'Um por linha: nome: valor. {clientId} e {uuid} são preenchidos a cada chamada.',
  pairs: 'Escreva um por linha, como nome: valor.',
  fillIn: (label: string) => `Preencha: ${label}.`,
  fillInAgain: (label: string) => `O endereço é de outro servidor: preencha de novo ${label}.`,
  merchantName: 'Nome no código Pix',
  merchantCity: 'Cidade no código Pix',
  merchantHint: 'Usado só quando o banco não devolve o código pronto. Em branco, o da empresa.',
  copyPasteFields: 'Campos da resposta com o código Pix',
  copyPasteHint: 'Separados por vírgula, na ordem de preferência.',
  ownAddress: 'Em branco, o endereço conhecido do banco.',
  knownAddress: (url: string) => `Em branco: ${url} (em homologação, o de testes do banco).`,
  presetSource: (from: string, day: string) =>
    `O que sabemos deste banco vem de fontes públicas (${from}, lidas em ${day}). Se o banco informar outra coisa, preencha nas opções avançadas: vale o que você informar.`,
  kept: (shown: string) => `Salvo: ${shown}. Deixe em branco para manter.`,
  keptFile: 'Já enviado. Deixe em branco para manter.',
  again: 'Informe de novo: o que você tinha preenchido aqui não volta para a página.',
  pfxHint: 'O arquivo .p12 ou .pfx, com certificado e chave juntos.',
  pemHint: 'O arquivo em texto (PEM), ou o conteúdo dele colado abaixo.',
  steps: {
    token: 'Entrar com as credenciais',
    read: {
      'pix-api': 'Consultar cobranças Pix',
      mercadopago: 'Consultar pedidos',
      openpix: 'Consultar pagamentos, devoluções e disputas',
    },
    webhook: {
      'pix-api': 'Chave Pix e permissão de notificações',
      mercadopago: 'Permissão de notificações',
      openpix: 'Permissão de notificações',
    },
    register: 'Registrar o endereço de notificações',
    payments: 'Encontrar os pagamentos em andamento',
    clock: 'Relógio do banco',
  },
  notSaved:
    'A conexão não funcionou e esta conta está em uso: nada foi salvo. Corrija os dados ou marque “Salvar mesmo assim”.',
  notReplaced:
    'Há pagamentos em andamento que esta conta não conhece: nada foi salvo. Espere o fim deles ou marque “Salvar mesmo assim”.',
  replace: {
    title: 'Quem o banco avisa',
    question: 'A chave Pix já avisa outro endereço. Trocar pelo nosso?',
    consequences: (theirs: string, ours: string) => [
      `Hoje o banco avisa: ${theirs}`,
      `O nosso endereço: ${ours}`,
      'Se trocar, o sistema que recebe hoje deixa de ser avisado dos Pix desta chave.',
      'Se manter, os pagamentos são encontrados por consulta ao banco, com algum atraso.',
    ],
    button: 'Trocar pelo nosso',
    keep: 'Manter como está',
  },
  rotateAddress: {
    title: 'Trocar o endereço das notificações',
    question: (name: string) => `Trocar o endereço em que ${name} nos avisa?`,
    consequences: [
      'O de agora deixa de valer neste instante: quem o conhece não nos avisa de mais nada.',
      'Onde o provedor deixa, registramos o novo por você; senão, informe-o no painel dele.',
      'Até ele usar o novo, os pagamentos são encontrados por consulta, com algum atraso.',
    ],
    button: 'Trocar endereço',
  },
  remove: {
    question: (name: string) => `Remover a conta ${name}?`,
    consequences: [
      'As credenciais salvas são apagadas.',
      'Pagamentos já feitos continuam em Pagamentos, mas não podem mais ser consultados nem devolvidos por aqui.',
    ],
    button: 'Remover conta',
  },
  choose: {
    toTest: (name: string, method: string) => `Usar ${name} no ambiente de teste para ${method}?`,
    testConsequences: ['Pagamentos em andamento terminam onde começaram.'],
    toSandbox: (method: string) => `Voltar ao simulador para ${method}?`,
    sandboxConsequences: [
      'Pagamentos em andamento terminam onde começaram.',
      'A conta configurada continua salva.',
    ],
    button: (name: string) => `Usar ${name}`,
    back: 'Voltar ao simulador',
  },
  off: {
    question: (method: string) => `Parar de receber por ${method}?`,
    consequences: [
      'Ninguém mais consegue pagar por esta forma, nos links que já existem também.',
      'Pagamentos em andamento terminam onde começaram.',
      'A conta configurada continua salva.',
    ],
    button: 'Parar de receber',
  },
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
      todo: 'Crie um endpoint de webhooks ou ligue os avisos por e-mail: alguém precisa saber que um pagamento chegou.',
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
