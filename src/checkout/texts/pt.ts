// What payers read in Portuguese. The others have the same shape: what is missing in one does not compile.
// Of what the page of a link says, nothing lies beyond U+00FF: see test/checkout/texts/texts.test.ts.

// biome-ignore-all lint/style/noExcessiveLinesPerFile: a language is read as a whole
import type { Locale } from '../../database/enums.ts'
import { MAX_NAME_LENGTH } from '../../payer-rules.js'
import { type Translated, texts } from '../../texts.ts'

export type CheckoutTexts = { locale: Locale } & Translated<typeof portuguese>

const BELOW = ', pelos contatos abaixo'
const UNREADABLE = 'Não foi possível ler o que foi enviado. Tente novamente.'

const portuguese = {
  /** Of itself, for who looks for it. */
  language: 'Português',
  layout: texts.layout,
  /** Failures that any page may have, named as in src/texts.ts, which says them to programs. */
  failures: {
    notFound: 'Não há nada neste endereço.',
    rateLimited: texts.rateLimited,
    tooManyAttempts: texts.tooManyAttempts,
    invalidEncoding: UNREADABLE,
    invalidRequest: UNREADABLE,
    invalidJson: UNREADABLE,
    payloadTooLarge: 'O que foi enviado é grande demais.',
    unsupportedMediaType: UNREADABLE,
    internal:
      'Algo deu errado do nosso lado. Tente novamente; se continuar, informe o código do erro.',
    unavailable: texts.unavailable,
    crossSite: texts.crossSite,
    cardDataRefused: texts.cardDataRefused,
  },
  errorPages: texts.errorPages,
  methods: texts.methods,
  /** To payers; the API tells its callers in Portuguese. */
  declines: texts.declines,
  paidAt: texts.paidAt,

  /** What the form's script says too. */
  form: {
    tooMany: { one: 'Confira 1 campo', many: 'Confira $ campos' },
    suggestion: { before: 'Você quis dizer ', after: '?' },
    letters: 'CNPJ com letras',
    digits: 'Só números',
    error: 'Erro: ',
    name: 'Informe seu nome completo.',
    longName: `O nome pode ter até ${MAX_NAME_LENGTH} caracteres. Abrevie-o.`,
    taxId: texts.fields.taxId,
    foreignDocument:
      'Informe o número do passaporte ou do documento do seu país: de 5 a 20 letras e números.',
    phone: texts.fields.phone,
    email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
    unreadableCard: 'Não foi possível ler o cartão. Tente novamente ou pague de outra forma.',
    offline: 'Sem conexão: nada foi enviado. Tente de novo quando a internet voltar.',
  },
  /** What the scripts say that take a card. */
  card: {
    /** One of those that the provider's own fields speak. */
    framesLocale: 'pt-BR',
    number: 'Confira o número do cartão.',
    holder: 'Informe o nome como está no cartão.',
    expiry: 'Informe a validade como está no cartão, por exemplo 09 / 30.',
    expired: 'Este cartão está vencido. Use outro cartão.',
    code: 'Informe o código de segurança do cartão.',
    codeOfThree: 'Informe o código de segurança, com 3 dígitos.',
    codeOfFour: 'Informe o código de segurança, com 4 dígitos.',
    testCard: 'No modo de teste, use um cartão de teste.',
    codeBehind: '3 dígitos no verso',
    codeInFront: '4 dígitos na frente',
    credit: 'Este cartão não é aceito. Use um cartão de crédito.',
    closed: 'Os campos do cartão não carregaram. Tente de novo em instantes.',
    labels: {
      number: 'Número do cartão',
      expiry: 'Validade',
      code: 'Código de segurança',
      expiryFormat: 'MM / AA',
    },
  },
  /** Of the address that the card's bank knows. */
  address: {
    legend: 'Endereço de cobrança do cartão',
    why: 'O banco do cartão confere. Não guardamos este endereço.',
    zipCode: { label: 'CEP', problem: 'Informe o CEP, com 8 números.' },
    street: { label: 'Rua ou avenida', problem: 'Informe a rua ou avenida.' },
    streetNumber: { label: 'Número', problem: 'Informe o número, ou s/n se não houver.' },
    city: { label: 'Cidade', problem: 'Informe a cidade.' },
    state: { label: 'Estado', problem: 'Informe o estado, como SP ou São Paulo.' },
  },
  answers: {
    required: (label: string) => `Preencha o campo "${label}".`,
    text: (label: string) => `Use até 200 caracteres no campo "${label}".`,
    number: (label: string) => `Informe um número no campo "${label}", como 1.234,56.`,
    choice: (label: string) => `Escolha uma das opções do campo "${label}".`,
    date: (label: string) => `Informe uma data no campo "${label}", como 31/12/2026.`,
  },
  problems: {
    cardNumber:
      'Não digite dados de cartão aqui. Apague deste campo o número que parece ser de um cartão; se for outro, envie direto para a loja.',
    confirmationOpen:
      'Você tem um pagamento aguardando confirmação no seu banco. Se pagar de outra forma, ele será cancelado.',
    confirmationHolds: (time: string) =>
      `Este pagamento não foi feito, porque você tem outro aguardando confirmação no seu banco. Confirme o outro até ${time} (horário de Brasília) ou tente novamente depois desse horário.`,
    resumeConfirmation: 'Continuar a confirmação',
    method: 'Escolha como pagar.',
    card: 'Confira os dados do cartão.',
    installments: 'Escolha uma das opções de parcelamento.',
    documentRefused: 'Não foi possível confirmar o documento. Confira o CPF ou CNPJ informado.',
    tooManyDocuments: 'Muitas tentativas em pouco tempo. Aguarde dez minutos e tente novamente.',
    amountChanged: 'O valor deste link mudou. Confira o novo valor e confirme.',
    installmentsChanged: 'As parcelas deste link mudaram. Confira e confirme.',
    formExpired: 'Este formulário expirou. Confira os dados e envie novamente.',
    soldOut:
      'Outro pagamento deste link está em andamento. Aguarde alguns minutos e tente novamente.',
    manyPix:
      'Há muitos códigos Pix em aberto neste link. Nada foi cobrado: tente de novo em um minuto.',
    methodUnavailable: 'Esta forma de pagamento não está disponível agora. Tente outra.',
    cardUnavailable: 'O cartão não está disponível agora neste link. Tente novamente mais tarde.',
    pixUnavailable: 'O Pix não está disponível agora neste link. Pague com cartão.',
    noQuotes: 'Não foi possível consultar as parcelas deste cartão agora.',
  },
  cards: {
    blocked: 'Não é possível tentar este cartão de novo. Use outro cartão ou pague com Pix.',
    needsScript:
      'Para pagar com cartão, recarregue a página com o JavaScript ativado, ou escolha Pix.',
    paused: 'Cartão indisponível neste link por enquanto. Pague com Pix.',
    tooMany: 'Muitas tentativas com cartão em pouco tempo. Pague com Pix ou aguarde 15 minutos.',
    overCapacity:
      'Há muitos pagamentos com cartão em andamento. Pague com Pix ou tente novamente em um minuto.',
  },
  cardsOnly: {
    blocked: 'Não é possível tentar este cartão de novo. Use outro cartão.',
    needsScript: 'Para pagar com cartão, recarregue a página com o JavaScript ativado.',
    declines: {
      generic: 'Pagamento não autorizado. Fale com o seu banco.',
      insufficient_funds: 'Saldo ou limite insuficiente. Tente outro cartão.',
      lost_or_stolen: 'Pagamento não autorizado. Fale com o seu banco.',
      not_permitted: 'Este cartão não permite esta compra. Use outro cartão.',
      attempts_exceeded: 'Número de tentativas excedido neste cartão. Use outro cartão.',
    },
    paused: 'Cartão indisponível neste link por enquanto. Tente novamente mais tarde.',
    tooMany: 'Muitas tentativas com cartão em pouco tempo. Tente novamente em 15 minutos.',
    overCapacity: 'Há muitos pagamentos com cartão em andamento. Tente novamente em um minuto.',
  },
  declineSteps: {
    correctCode: {
      action: 'Corrigir código',
      advice: (card: string) =>
        `Nada foi cobrado. Digite o cartão ${card} de novo, com o código certo. Seus outros dados continuam preenchidos.`,
    },
    correctCard: {
      action: 'Corrigir cartão',
      advice: (card: string) =>
        `Nada foi cobrado. Confira o número e a validade do cartão ${card}. Seus outros dados continuam preenchidos.`,
    },
    changeInstallments: {
      action: 'Mudar parcelas',
      advice: (card: string) => `Nada foi cobrado no cartão ${card}.`,
    },
    retry: {
      action: 'Tentar novamente',
      advice: (card: string) =>
        `Nada foi cobrado no cartão ${card}. Você pode tentar outra vez, com este ou com outro cartão.`,
    },
    otherCard: {
      action: 'Usar outro cartão',
      advice: (card: string) => `Nada foi cobrado no cartão ${card}.`,
    },
  },
  someCard: 'informado',
  rateNote: (rate: string, total: string, amount: string) =>
    `Taxa de ${rate} a.m. Total a prazo ${total}; à vista ${amount}.`,
  part: (n: number, part: string) => `${n}x de ${part}`,
  firstPart: (first: string) => `primeira de ${first}`,
  terms: { atSight: 'à vista', interestFree: 'sem juros', rate: (rate: string) => `${rate} a.m.` },
  discount: (share: string) => `${share} de desconto`,
  /** Null where it is paid by Pix alone. */
  pricesWithPix: (price: string | null, pix: string, discount: string) =>
    `${price ? `${price}, ou ` : ''}${pix} no Pix (${discount})`,
  cardOffer: {
    atSight: 'À vista',
    upTo: (n: number) => `Até ${n}x`,
    upToParts: (n: number, part: string) => `Até ${n}x de ${part}`,
    upToFree: (n: number, part: string) => `Até ${n}x de ${part} sem juros`,
  },
  payIn: (total: string, n: number) => (n === 1 ? `Pagar ${total}` : `Pagar ${total} em ${n}x`),
  preview: {
    title: (company: string) => `Pagamento para ${company}`,
    pix: 'Pix',
    card: (n: number) => (n === 1 ? 'cartão' : `cartão em até ${n}x`),
    or: ' ou ',
  },

  link: {
    total: 'total',
    showMore: 'Ver mais',
    showLess: 'Ver menos',
    ifCard: '(se você pagar com cartão)',
    title: (title: string, company: string) => `Pagar ${title} · ${company}`,
    amount: 'Valor: ',
    pay: 'Pagar',
    payByPix: (amount: string) => `Pagar ${amount} com Pix`,
    busy: 'Processando',
    howToPay: 'Como você quer pagar?',
    pix: 'Pix',
    /** What Pix is, in a line, where payers may not know it. */
    aboutPix: 'Aprovação na hora',
    creditCard: 'Cartão de crédito',
    onlyPix: 'Pague com Pix',
    codeFollows: 'O código aparece no próximo passo.',
    onlyCard: 'Pague com cartão de crédito',
    /** Above the form, for who may not know that a payment in Brazil names a document; empty where all know. */
    documentNeeded: '',
    /** The same where a card may be paid with another document. */
    foreignDocumentAccepted: '',
    payer: 'Seus dados',
    chargeFor: 'Cobrança para',
    name: 'Nome completo',
    taxId: 'CPF ou CNPJ',
    foreignDocument: 'Passaporte ou documento do seu país',
    noTaxId: 'Não tenho CPF',
    otherDocument: 'Usar outro documento',
    holderDocument: 'CPF ou CNPJ do titular',
    confirmDocument: 'Digite seu CPF ou CNPJ para confirmar que a cobrança é para você.',
    email: 'E-mail',
    emailForCards: 'Obrigatório para pagar com cartão.',
    phone: 'Celular com DDD',
    more: 'Mais informações',
    optional: '(opcional)',
    noAnswer: 'Não informar',
    choose: 'Escolha',
    cardData: 'Dados do cartão',
    cardNeedsScript: 'Para digitar o cartão, o navegador precisa de JavaScript.',
    pixNeedsNone: 'O Pix funciona sem ele: escolha Pix acima.',
    turnScriptOn: 'Ative o JavaScript e abra este link de novo.',
    holder: 'Nome impresso no cartão',
    codeBehind: 'No verso do cartão',
    installments: 'Parcelas',
    changeInstallments: 'Ver outras opções',
    quotesFollow: 'As parcelas aparecem quando você digita o número do cartão.',
    framesFailed: 'Não foi possível carregar os campos do cartão.',
    framesFailedOrPix:
      'Não foi possível carregar os campos do cartão. Tente de novo ou pague com Pix.',
    cardSecured: (provider: string, company: string) =>
      `Os dados do cartão vão direto para ${provider}. Nem ${company} nem este site têm acesso a eles.`,
    /** The button, where the card is entered at the provider's own page. */
    continueAt: (provider: string) => `Continuar no ambiente seguro de ${provider}`,
    cardElsewhere: (provider: string, company: string) =>
      `O cartão é digitado na página de ${provider}, para onde você vai em seguida. Nem ${company} nem este site têm acesso aos dados dele.`,
    testCards: 'Cartões de teste',
    testCardsHint: 'Validade futura, qualquer código e qualquer nome.',
    testCardOutcomes: {
      approved: 'aprovado',
      challenge: 'pede confirmação do banco',
      challengeDeclined: 'pede confirmação e recusa',
      challengeFails: 'confirmação falha',
      declined: 'recusado pelo banco',
      funds: 'sem limite',
      expired: 'vencido',
      code: 'código incorreto',
      fraud: 'suspeita de fraude',
      slow: 'aprovado após 10 s',
      down: 'provedor fora do ar',
    },
  },
  unpayable: {
    contactSubject: (title: string) => `Pagamento de ${title}`,
    contactText: (title: string, url: string) =>
      `Olá! Quero pagar "${title}", mas o link não está disponível: ${url}`,
    write: 'Enviar e-mail para a loja',
    again: 'Tentar de novo',
    headings: {
      unknown: 'Link não encontrado',
      inactive: 'Este link está indisponível',
      expired: 'Este link venceu',
      completed: 'Este link já foi pago',
      full: 'Este link não aceita mais pagamentos',
      cards_paused: 'Cartão indisponível por enquanto',
      method_unavailable: 'Ainda não é possível pagar este link',
    },
    unknown:
      'Confira se você copiou o endereço inteiro, com as mesmas letras maiúsculas e minúsculas, ou peça um novo link a quem enviou.',
    completed:
      'Não há mais nada a pagar aqui. Se você já pagou, seu comprovante está na página do seu pagamento.',
    full: 'O limite de pagamentos deste link já foi atingido. Se você já pagou, seu comprovante está na página do seu pagamento.',
    cardsPaused:
      'Este link só aceita cartão, e os pagamentos com cartão estão suspensos por segurança. Nada foi cobrado.',
    tryLater: (company: string, hasContacts: boolean) =>
      `Tente novamente mais tarde, ou combine outra forma de pagamento com ${company}${hasContacts ? BELOW : ''}.`,
    methodsUnavailable:
      'As formas de pagamento deste link não estão disponíveis agora. Nada foi cobrado.',
    arrange: (company: string, hasContacts: boolean) =>
      `Combine outra forma com ${company}${hasContacts ? BELOW : ''}.`,
    askForNew: (company: string, hasContacts: boolean) =>
      `Para pagar, peça um novo link a ${company}${hasContacts ? BELOW : ''}.`,
  },
  receiptRequest: {
    open: 'Receber meu comprovante',
    heading: 'Receber meu comprovante',
    why: (title: string) =>
      `Já pagou ${title}? Digite o e-mail ou o CPF/CNPJ que você usou. O comprovante é enviado para o e-mail informado no pagamento.`,
    payer: 'E-mail ou CPF/CNPJ',
    wrong: 'Informe um e-mail ou um CPF/CNPJ válido.',
    send: 'Enviar comprovante',
    sent: 'Confira seu e-mail',
    onItsWay:
      'Se encontrarmos um pagamento com esses dados, o comprovante chega em alguns minutos ao e-mail informado no pagamento. Confira também a caixa de spam. Se não chegar, fale com a loja.',
  },
  mailStop: {
    heading: 'Não receber mais e-mails?',
    what: (title: string, company: string) =>
      `${company} não vai mais enviar e-mails sobre ${title} para o seu endereço. O link continua valendo, e você ainda pode pagar por ele.`,
    stop: 'Não receber mais',
    stopped: 'Pronto',
    done: (title: string) => `Você não vai mais receber e-mails sobre ${title}.`,
  },
  report: {
    title: 'Denunciar link',
    heading: 'Denunciar este link',
    whatIsWrong: (title: string, company: string) =>
      `Conte o que há de errado com ${title}, de ${company}. A denúncia é anônima.`,
    reason: 'Motivo',
    reasons: {
      fraud: 'É um golpe ou se passa por outra empresa',
      unrecognized: 'Não reconheço esta cobrança',
      not_delivered: 'Paguei e não recebi',
      other: 'Outro motivo',
    },
    reasonMissing: 'Escolha um motivo.',
    cardNumber:
      'Dados de cartão não são aceitos aqui. O que parecia ser o número de um cartão foi apagado do texto: confira e envie de novo.',
    detailsWrong: 'Use até 1.000 caracteres nos detalhes.',
    details: 'Detalhes',
    detailsHint: 'Não escreva senhas nem dados de cartão.',
    send: 'Enviar denúncia',
    received: 'Denúncia recebida',
    thanks:
      'Obrigado por avisar. Se você já pagou e acha que caiu em um golpe, fale agora com o seu banco: um Pix pode ser contestado pelo Mecanismo Especial de Devolução.',
  },
  payment: {
    help: (title: string, total: string, url: string) =>
      `Olá! Preciso de ajuda com este pagamento: ${title}, ${total}. ${url}`,
    openChat: 'Falar com a loja no WhatsApp',
    closed: (company: string) =>
      `Este link não aceita mais pagamentos. Se ainda precisar pagar, fale com ${company}.`,
    payByPix: (amount: string) => `Pagar com Pix: ${amount}`,
    unknown: {
      heading: 'Pagamento não encontrado',
      why: 'Não encontramos nenhum pagamento neste endereço. Confira se você copiou o endereço inteiro.',
      openLink: 'Abrir o link de pagamento',
      askForNew: 'Para pagar, peça um novo link a quem enviou.',
    },
    back: 'Voltar ao pagamento',
    offline: 'Sem conexão. Assim que ela voltar, verificamos o pagamento.',
    titles: {
      pix: 'Pague com Pix',
      processing: 'Processando',
      challenge: 'Confirme a compra',
      redirect: 'Continue para pagar',
      declined: 'Pagamento não aprovado',
      expired: 'Código vencido',
      canceled: 'Pagamento cancelado',
      approved: 'Pagamento aprovado',
      held: 'Pagamento em análise',
      returned: 'Pagamento devolvido',
    },
    total: 'Total: ',
    until: (time: string) => `até ${time}`,
    untilDay: (day: string, time: string) => `até ${day} às ${time}`,
    zone: '(horário de Brasília)',
    otherWay: 'Escolher outra forma de pagamento',
    startOver: 'Começar de novo',
    nothingCharged: 'Nada foi cobrado.',
  },
  pix: {
    copyFailed: { before: 'Toque e segure para copiar', after: ', ou use Ctrl+C' },
    confirmPayee: { before: 'Confira o valor e o nome de quem recebe, ', after: ', e confirme.' },
    heading: 'Pague com Pix',
    pay: 'Pague',
    code: 'Código Pix copia e cola',
    copy: 'Copiar código Pix',
    qr: 'QR Code do Pix',
    steps: {
      open: 'Abra o aplicativo do seu banco e entre na área Pix.',
      paste: 'Escolha Pix copia e cola e cole o código, ou leia o QR Code.',
      confirm: 'Confira o nome e o valor e confirme.',
    },
    verify: 'Já paguei: verificar',
    waiting: 'Aguardando o pagamento. A confirmação aparece aqui em segundos.',
    mayClose:
      'Você pode fechar esta página: o pagamento é confirmado do mesmo jeito, e o comprovante fica neste endereço.',
    testOnly: 'Modo de teste: este código não pode ser pago em um banco.',
    simulate: 'Simular pagamento',
    /** What the page's script says. */
    script: {
      copied: 'Código copiado',
      copiedAloud: 'Código Pix copiado',
      over: 'vencido',
      threeMinutes: 'Faltam 3 minutos para pagar.',
      oneMinute: 'Falta 1 minuto para pagar.',
      halfMinute: 'Faltam 30 segundos para pagar.',
    },
  },
  processing: {
    pix: 'Estamos gerando o código Pix',
    pixSlow:
      'O banco costuma responder em poucos segundos. Se ele demorar, continuamos tentando: o código aparece aqui.',
    card: 'Estamos processando seu pagamento',
    cardSlow: 'Isso costuma levar poucos segundos. Não é preciso pagar de novo.',
    mayClose:
      'Esta página se atualiza sozinha. Se você a fechar, o resultado fica neste mesmo endereço.',
  },
  challenge: {
    cannot: 'Não consigo confirmar: pagar de outra forma',
    byPix: (amount: string) => `${amount} com Pix`,
    goToBank: 'Confirmar no meu banco',
    comeBack: 'Depois de confirmar, você volta para esta página.',
    heading: 'Confirme a compra no seu banco',
    why: 'Seu banco pede uma confirmação para proteger você. Você tem',
    frame: 'Confirmação do seu banco',
    noScript: 'Continue na página do banco e depois volte para cá.',
    verify: 'Já confirmei: verificar',
    fullScreen: 'Abrir em tela cheia',
  },
  redirect: {
    heading: (provider: string) => `Continue em ${provider}`,
    why: (provider: string, company: string) =>
      `O cartão é digitado no ambiente seguro de ${provider}, que recebe por ${company}. Você tem`,
    goOn: 'Continuar para o pagamento',
    back: 'Já pagou ou desistiu? O resultado aparece aqui.',
    verify: 'Verificar agora',
  },
  over: {
    expired: 'O código Pix venceu',
    cardExpired: 'O prazo deste pagamento acabou',
    renew: 'Gere um novo código para pagar. Seus dados já estão preenchidos.',
    canceled: 'Este pagamento foi cancelado',
    renewCanceled: 'Para pagar, gere um novo código Pix com os mesmos dados.',
    soldOut: 'Não pague mais este código Pix.',
    soldOutElsewhere: 'Não pague mais na página do provedor.',
    newCode: 'Gerar novo código',
    paidAlready:
      'Já pagou? Não pague de novo: assim que o banco confirmar, o comprovante aparece nesta página.',
  },
  held: {
    askCompany: 'Se precisar, fale com a empresa.',
    received: (received: string, total: string, company: string) =>
      `Recebemos ${received}, mas o valor deste pagamento é ${total}. Ele precisa ser conferido por ${company} antes de ser confirmado. Não pague o valor inteiro de novo.`,
    reviewed: (company: string) =>
      `Recebemos o seu pagamento, mas ele precisa ser conferido por ${company} antes de ser confirmado. Não pague o valor inteiro de novo.`,
    keepAddress: 'Guarde este endereço: o resultado aparece aqui.',
  },
  returned: {
    why: (company: string) =>
      `Você pagou um valor diferente do cobrado, e ${company} devolveu o dinheiro. Ele volta para a conta ou o cartão de onde saiu.`,
    payRight: 'Pagar o valor certo',
  },
  receipt: {
    heading: 'Comprovante de pagamento',
    messageFrom: 'Mensagem de',
    recipient: 'Recebedor',
    about: 'Referente a',
    amount: 'Valor',
    paidWith: 'Pago com',
    installments: 'Parcelas',
    discount: 'Desconto no Pix',
    total: 'Total pago',
    totalWithInterest: 'Total com juros',
    payer: 'Pagador',
    paidAt: 'Data e hora',
    endToEndId: 'ID do Pix',
    transaction: 'Transação',
    testPayment: 'Pagamento de teste, sem valor.',
    refunded: (amount: string) => `${amount} devolvidos.`,
    chargedBack: (amount: string) => `${amount} devolvidos pelo banco, depois de uma contestação.`,
    surplus: (amount: string) =>
      `Você pagou ${amount} a mais. A empresa foi avisada para devolver essa diferença.`,
    goBack: (host: string) => `Voltar para ${host}`,
    /** Around the number of seconds. */
    goingBack: { before: 'Você volta em', after: 'segundos.' },
    stay: 'Ficar nesta página',
    whatsapp: 'Enviar por WhatsApp',
    print: 'Imprimir ou salvar PDF',
    again: 'Fazer outro pagamento',
    message: (company: string, title: string, total: string, url: string) =>
      `Comprovante de pagamento para ${company}: ${title}, ${total}. ${url}`,
  },
  /** The sandbox's bank. */
  bank: {
    name: 'Banco de teste',
    done: 'Pronto',
    sent: 'Sua resposta foi enviada à loja.',
    goOn: 'Continuar',
    authorize: 'Autorizar esta compra?',
    store: 'Loja',
    amount: 'Valor',
    card: 'Cartão',
    approve: 'Aprovar',
    refuse: 'Recusar',
  },
  /** The sandbox's acquirer. */
  acquirer: {
    name: 'Adquirente de teste',
    heading: 'Pague com cartão',
    explain: 'Aqui o cliente digitaria o cartão. No teste, escolha o que acontece.',
    installments: 'Parcelas',
    approve: 'Pagar: aprovado',
    refuse: 'Pagar: recusado',
    leave: 'Voltar à loja sem pagar',
  },
}

export const pt: CheckoutTexts = { locale: 'pt', ...portuguese }
