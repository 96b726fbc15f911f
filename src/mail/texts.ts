export const mailTexts = {
  us: 'Vintém',
  turnOff: (address: string) => `Para não receber mais estes avisos, abra Ajustes: ${address}`,
  /** Labels in addition to those that payers read (payer/pt.ts). */
  labels: {
    link: 'Link',
    reason: 'Motivo',
    respondBy: 'Responder até',
    address: 'Endereço registrado',
    endpoint: 'Endpoint',
    event: 'Evento',
    outcome: 'Última resposta',
    lastAttempt: 'Última tentativa',
    company: 'Empresa',
    actor: 'Quem',
    device: 'Aparelho',
    network: 'De onde (IP)',
    when: 'Quando',
  },
  roles: {
    owner: 'proprietário',
    finance: 'financeiro',
    member: 'membro',
    accountant: 'contador',
  },
  payment: {
    subject: (total: string, title: string) => `Pagamento recebido: ${total} · ${title}`,
    preview: (title: string) => `Pelo link ${title}`,
    heading: 'Você recebeu um pagamento',
    late: 'Este pagamento chegou depois do prazo, ou com o link já completo. Se não puder atender o pagador, devolva o valor na página dele.',
    see: 'Ver pagamento',
  },
  held: {
    subject: (received: string, title: string) => `Pagamento retido: ${received} · ${title}`,
    heading: 'Pagamento retido',
    whatNow:
      'Por isso ele não foi aprovado, e o pagador não recebeu comprovante. Se é um Pix e o resto entrar pelo mesmo código, ele é aprovado; se não, confira o pagamento e fale com o pagador.',
    whatNowUnreadable:
      'Por isso ele não foi aprovado, e o pagador não recebeu comprovante. Confira no extrato da conta se o valor entrou. Continuamos consultando: assim que a resposta puder ser lida, o pagamento é aprovado sozinho.',
  },
  overpaid: {
    subject: (surplus: string, title: string) => `Entraram ${surplus} a mais · ${title}`,
    heading: 'Entrou mais do que a venda',
    why: (received: string, surplus: string, total: string) =>
      `Chegaram ${received} para uma venda de ${total}, e ${surplus} são a mais. Em geral o mesmo código Pix, ou a mesma página de cartão, foi pago duas vezes.`,
    whatNow: 'A venda continua como está. Devolva o excedente na página do pagamento.',
  },
  refundFailed: {
    subject: (amount: string, title: string) => `Devolução que falhou: ${amount} · ${title}`,
    heading: 'Uma devolução não foi feita',
    whatNow:
      'O pagador não recebeu o valor, que continua na sua conta. Devolva-o de novo na página do pagamento.',
  },
  dispute: {
    opened: (amount: string, title: string) => `Pagamento contestado: ${amount} · ${title}`,
    openedHeading: 'Um pagamento foi contestado',
    what: {
      med: 'O pagador pediu o dinheiro de volta ao banco dele (MED). Enquanto a análise dura, o valor fica bloqueado e não pode ser devolvido por aqui.',
      card: 'O titular do cartão contestou a compra com o banco dele. Enquanto a análise dura, o valor não pode ser devolvido por aqui.',
    },
    won: {
      subject: (amount: string, title: string) => `Contestação ganha: ${amount} · ${title}`,
      heading: 'Você ganhou a contestação',
      means: 'O valor fica com você, e o pagamento continua valendo.',
    },
    lost: {
      subject: (amount: string, title: string) => `Contestação perdida: ${amount} · ${title}`,
      heading: 'A contestação foi perdida',
      means: 'O valor voltou para o pagador e sai do que você recebeu.',
    },
  },
  webhook: {
    subject: (host: string) => `Webhook não entregue em ${host}`,
    heading: 'Um webhook não foi entregue',
    gaveUp: (attempts: number, event: string) =>
      attempts === 1
        ? `O evento ${event} não foi aceito pelo seu endpoint.`
        : `Tentamos ${attempts} vezes entregar o evento ${event} ao seu endpoint e paramos.`,
    whatNow:
      'Corrija o endpoint e reenvie o evento na página da entrega. Isso é possível por até 30 dias.',
    disabled:
      'Ele respondeu 410 (Gone), que significa que não quer mais eventos, e foi desativado. Reative-o em Webhooks se foi engano.',
    atMost:
      'Enviamos no máximo um aviso como este a cada 6 horas por endpoint: pode haver outras entregas com falha.',
    see: 'Ver entrega',
  },
  outcomes: {
    delivered: (status: number | null) => `HTTP ${status}`,
    http_error: (status: number | null) => `HTTP ${status}`,
    timeout: () => 'Não respondeu a tempo',
    dns_failure: () => 'Domínio não encontrado',
    connection_refused: () => 'Conexão recusada',
    tls_failure: () => 'Falha na conexão segura (TLS)',
    private_address: () => 'O endereço não é público',
    response_too_large: () => 'Resposta grande demais',
    gone: () => 'HTTP 410 (Gone)',
    secret_unreadable: () => 'O segredo do endpoint não pôde ser lido',
  },
  cards: {
    subject: (title: string) => `Cartões pausados no link ${title}`,
    heading: 'Pagamentos com cartão pausados',
    why: 'Muitos cartões foram recusados neste link em pouco tempo. Isso costuma ser alguém testando cartões roubados.',
    until: (time: string) =>
      `Para proteger você, o link não aceita cartões até as ${time} (horário de Brasília).`,
    pixOpen: 'O Pix continua funcionando.',
    whatNow: 'Se isso se repetir, pause o link e envie um novo a quem deve pagar.',
    see: 'Ver link',
  },
  notifications: {
    subject: 'O banco deixou de avisar os seus Pix',
    heading: 'O banco deixou de nos avisar',
    other:
      'A chave Pix da sua empresa agora avisa outro endereço. Alguém o trocou no banco: outro sistema seu, talvez.',
    none: 'Não há mais um endereço registrado no banco para a chave Pix da sua empresa.',
    meanwhile:
      'Nenhum pagamento se perde: eles são encontrados por consulta ao banco, com algum atraso.',
    whatNow: 'Para voltar a ser avisado na hora, registre o nosso endereço de novo.',
    see: 'Ver as notificações',
    refused: {
      subject: 'Os avisos do seu provedor não puderam ser conferidos',
      heading: 'Os avisos do provedor são recusados',
      why: 'A assinatura dos últimos avisos não confere com o segredo que está salvo: talvez ele tenha sido trocado no provedor.',
      whatNow: 'Copie o segredo de novo do provedor e salve-o em Recebimentos.',
    },
    silent: {
      subject: 'O seu provedor deixou de avisar os pagamentos',
      heading: 'O provedor deixou de nos avisar',
      why: 'Os últimos Pix foram todos encontrados por consulta, sem um aviso do provedor: talvez o endereço dos avisos tenha sido trocado lá.',
      whatNow: 'Confira no provedor o endereço dos avisos, que está em Recebimentos.',
    },
  },
  unmatched: {
    subject: (n: number) =>
      n === 1 ? 'Entrou um Pix sem cobrança' : `Entraram ${n} Pix sem cobrança`,
    heading: 'Dinheiro que não diz de que cobrança é',
    what: 'O banco do pagador perdeu o identificador da cobrança, ou alguém pagou a sua chave à mão.',
    whatNow: 'Case cada Pix com o pagamento a que pertence, ou devolva-o.',
    amount: 'Valor',
    see: 'Ver os Pix sem cobrança',
  },
  security: {
    what: {
      new_device: 'Entrada por um aparelho novo',
      password_changed: 'Senha trocada',
      password_reset: 'Senha redefinida',
      totp_enabled: 'Verificação em duas etapas ativada',
      totp_disabled: 'Verificação em duas etapas desativada',
      recovery_codes_renewed: 'Novos códigos de recuperação gerados',
      user_joined: 'Novo proprietário na empresa',
      user_removed: 'Pessoa removida da empresa',
      role_changed: 'Papel de uma pessoa alterado',
      key_created: 'Chave de API criada',
      key_restricted: 'Endereços permitidos de uma chave de API alterados',
      key_rolled: 'Chave de API trocada',
      provider_account_saved: 'Conta de recebimento alterada',
      provider_account_removed: 'Conta de recebimento removida',
      provider_chosen: 'Provedor de pagamento trocado',
      method_turned_off: 'Forma de pagamento desligada',
      endpoint_created: 'Endpoint de webhooks criado',
      endpoint_changed: 'Endereço de um endpoint de webhooks alterado',
      settings_changed: 'Contato da empresa alterado',
      secret_revealed: 'Segredo de um endpoint revelado',
      secret_rotated: 'Segredo de um endpoint trocado',
      redirect_secret_rotated: 'Segredo dos retornos trocado',
      notify_address_rotated: 'Endereço de notificações trocado',
      refund_asked: 'Devolução acima do limite pedida',
      sign_in_failed: 'Muitas tentativas de entrar com a senha errada',
      csv_exported: 'Planilha de pagamentos exportada',
    },
    subject: (heading: string, company: string) => `${heading} · ${company}`,
    preview: (actor: string) => `Por ${actor}`,
    known: 'Se foi você, ou alguém da empresa a pedido dela, não é preciso fazer nada.',
    unknown: {
      self: 'Se não foi: troque a sua senha agora e encerre as outras sessões em Minha conta.',
      selfOwner:
        'Se não foi: troque a sua senha agora, encerre as outras sessões em Minha conta e confira Registro, Chaves de API e Recebimentos.',
      owner:
        'Se não foi: veja em Registro o que essa pessoa fez, confira Chaves de API e Recebimentos e, se for preciso, retire o acesso dela em Equipe.',
      former: 'Se você não esperava por isso, fale com um proprietário da empresa.',
    },
    seeAccount: 'Abrir Minha conta',
    seeLog: 'Abrir Registro',
    always:
      'Avisos de segurança vão para a pessoa e para todos os proprietários, e não podem ser desligados.',
  },
  reset: {
    subject: 'Crie uma nova senha do Vintém',
    heading: 'Nova senha',
    asked: 'Recebemos um pedido para trocar a senha da sua conta.',
    choose: 'Criar nova senha',
    once: 'O link vale por 1 hora desde o pedido e funciona uma única vez.',
    notYou: 'Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.',
  },
  invitation: {
    subject: (company: string) => `Convite para ${company} no Vintém`,
    heading: (company: string) => `Convite para ${company}`,
    invited: (by: string, company: string, role: string) =>
      `${by} convidou você para entrar como ${role} em ${company} no Vintém, onde a empresa recebe por links de pagamento.`,
    may: {
      owner: 'Como proprietário, você pode tudo: links, pagamentos, equipe e configurações.',
      finance:
        'Como financeiro, você cuida de links, clientes e pagamentos, devolve valores e define as condições de recebimento.',
      member: 'Como membro, você cuida de links, clientes e pagamentos.',
      accountant:
        'Como contador, você consulta links, pagamentos, clientes e relatórios e baixa as tabelas, sem mudar nada.',
    },
    accept: 'Aceitar convite',
    once: 'O link vale por 7 dias e funciona uma única vez.',
    notYou: 'Se você não esperava este convite, ignore este e-mail.',
  },
} as const
