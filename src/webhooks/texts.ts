export const webhookTexts = {
  /** The name of each event, and its description. */
  events: {
    'transaction.approved': ['Pagamento aprovado', 'O pagador pagou: é a hora de entregar.'],
    'transaction.created': [
      'Pagamento iniciado',
      'O pagador escolheu como pagar; a maioria espera.',
    ],
    'transaction.declined': ['Pagamento recusado', 'O banco não autorizou o cartão.'],
    'transaction.expired': ['Pix vencido', 'O código Pix venceu sem ser pago.'],
    'transaction.held': ['Pagamento retido', 'Entrou outro valor: a venda espera o resto ou você.'],
    'transaction.canceled': ['Cancelado', 'O banco retirou a cobrança, ou o que entrou voltou.'],
    'transaction.overpaid': ['Valor a mais', 'Entrou mais do que a venda: devolva o excedente.'],
    'transaction.surplus_refunded': ['Excedente devolvido', 'O valor a mais voltou ao pagador.'],
    'transaction.refunded': ['Devolução', 'O valor voltou ao pagador, todo ou em parte.'],
    'transaction.refund_failed': [
      'Devolução que falhou',
      'Nada voltou ao pagador: o valor continua com você.',
    ],
    'transaction.charged_back': [
      'Pagamento perdido',
      'Contestações tomaram tudo o que restava dele.',
    ],
    'dispute.opened': ['Contestação aberta', 'O pagador contestou um pagamento com o banco dele.'],
    'dispute.closed': ['Contestação encerrada', 'O valor ficou com você, ou voltou ao pagador.'],
    'incoming_payment.unmatched': [
      'Pix sem cobrança',
      'Entrou dinheiro que não é de um pagamento.',
    ],
    'incoming_payment.matched': ['Pix casado', 'Um Pix sem cobrança foi casado com um pagamento.'],
    'incoming_payment.refunded': ['Pix sem cobrança devolvido', 'Voltou a quem o mandou.'],
    'payment_link.completed': ['Link concluído', 'O link recebeu tudo o que aceita.'],
    'payment_link.expired': ['Link expirado', 'A validade do link passou.'],
    'payment_link.sent': ['Link enviado', 'A empresa enviou o link por e-mail.'],
    'payment_link.reminded': ['Lembrete de link', 'Quem deve pagar o link foi lembrado.'],
  },
  eventNotFound: 'Evento não encontrado: o id não existe, ou o evento é antigo e já foi apagado.',
  deliveryNotFound:
    'Entrega não encontrada: o endereço não existe, ou a entrega é antiga e já foi apagada.',
  endpointNotFound: 'Endpoint não encontrado.',
  endpointDisabled: 'Este endpoint está desativado. Reative-o para enviar eventos.',
  testEnvironmentOnly:
    'Eventos de teste só vão a endpoints do ambiente de teste. Crie um lá, com uma chave de teste, e envie de novo.',
  tooOld: (days: number) =>
    `Este evento tem mais de ${days} dias e não pode mais ser reenviado. Consulte a transação pela API.`,
  periodTooOld: (days: number) =>
    `Informe uma data dos últimos ${days} dias: eventos mais antigos não podem ser reenviados.`,
  periodReversed: 'O fim do período vem antes do começo.',
  tooManyInPeriod: (max: number) =>
    `São mais de ${max.toLocaleString('pt-BR')} entregas. Escolha um período menor ou um só tipo de evento.`,
  tooManyEndpoints: (max: number) => `Use no máximo ${max} endpoints por ambiente.`,
  changes: {
    moved: (from: string, to: string) => `endereço: ${from} → ${to}`,
    events: (from: string[], to: string[]) => `eventos: ${from.join(', ')} → ${to.join(', ')}`,
    headers: (from: string[], to: string[]) =>
      `cabeçalhos: ${from.join(', ') || 'nada'} → ${to.join(', ') || 'nada'}`,
    headerValues: (names: string[]) => `valores dos cabeçalhos enviados: ${names.join(', ')}`,
  },
  changedMeanwhile:
    'Este endpoint acabou de ser alterado por outra pessoa. Consulte-o e tente de novo.',
  headers: {
    tooMany: (max: number) => `Use no máximo ${max} cabeçalhos por endpoint.`,
    name: 'O nome de um cabeçalho tem de 1 a 64 letras, números ou hífens (ex.: X-Minha-Chave).',
    reserved: (name: string) => `O cabeçalho ${name} é reservado. Use outro nome.`,
    repeated: (name: string) => `O cabeçalho ${name} está repetido.`,
    value: (name: string) =>
      `Informe o valor de ${name}: de 1 a 500 caracteres visíveis, sem acentos.`,
    leftBehind: (names: string[]) =>
      `O novo endereço é de outro servidor: informe de novo o valor de ${names.join(', ')}, ou retire o cabeçalho.`,
  },
  cursorNotFound:
    'Evento não encontrado: o id não existe, ou o evento é antigo e já foi apagado. Leia os eventos por GET /events e comece sem este campo.',
  tooManyStreams: (max: number) =>
    `Use no máximo ${max} conexões abertas com os eventos por ambiente. Feche uma e tente novamente.`,
  streamsFull:
    'Este servidor não aceita mais conexões abertas com os eventos. Tente novamente em instantes.',
  streamEnds: {
    closing: 'O servidor está sendo reiniciado. Conecte de novo com Last-Event-ID.',
    unauthorized: 'A chave de API não vale mais para esta conexão.',
  },
  notResendable:
    'Esta entrega está em andamento ou seu endpoint está desativado. Tente novamente depois.',
  secretUnreadable:
    'O segredo deste endpoint não pôde ser lido com a SECRET_KEY atual. Gere um novo segredo.',
} as const
