export const pixApiTexts = {
  profile: {
    name: 'Pix do seu banco',
    about:
      'O dinheiro cai direto na conta da empresa, pela API Pix do banco (Efí, Inter, Banco do Brasil, Itaú, Santander, Sicoob, Sicredi, Bradesco, C6, Banrisul e outros).',
    answerDisputesAt: 'Responda pelo seu banco, que recebeu a contestação.',
  },
  notifications: {
    text: 'O banco avisa aqui quando um Pix é pago. O endereço é registrado quando você começa a usar a conta; registre de novo se trocar a chave Pix.',
    onChoice: 'Ao confirmar, registramos no banco o endereço onde ele avisa que um Pix foi pago.',
  },
  steps: {
    read: 'Consultar cobranças Pix',
    webhook: 'Chave Pix e permissão de notificações',
  },
  credentials: {
    efi: 'Na conta Efí, abra API › Aplicações, crie uma aplicação com os escopos da API Pix e copie o Client ID e o Client Secret. Em API › Meus Certificados, gere o certificado .p12 (sem senha) do mesmo ambiente.',
    inter:
      'No Internet Banking PJ do Inter, abra Soluções para sua empresa › Nova integração, marque a API Pix e os webhooks e baixe o certificado e a chave. O Client ID e o Client Secret aparecem na tela da integração.',
    bb: 'No Portal Developers BB, crie uma aplicação com a API Pix e copie o Client ID, o Client Secret e a chave do desenvolvedor (gw-dev-app-key). Envie ali o certificado da sua empresa, que a produção exige.',
    itau: 'Peça ao seu gerente o acesso à API Pix Recebimentos do Itaú. Com o Client ID e o token temporário que chegam por e-mail, envie um CSR e receba de volta o certificado; a chave é a que gerou o CSR.',
    santander:
      'No Portal do Desenvolvedor Santander, cadastre uma aplicação para a API Pix e envie o certificado da sua empresa (ICP-Brasil). O Client ID e o Client Secret aparecem na aplicação aprovada.',
    sicoob:
      'No portal Sicoob Developers, crie um aplicativo para a API Pix e envie o certificado público da sua empresa. O Client ID aparece no aplicativo; não há Client Secret, pois é o certificado que identifica a empresa.',
    sicredi:
      'Peça à sua cooperativa o acesso à API Pix do Sicredi. O Client ID e o Client Secret chegam com a liberação; o certificado é o que o Sicredi emitiu a partir do seu CSR, com a chave que o gerou.',
    bradesco:
      'Peça ao seu gerente o acesso à API Pix do Bradesco. Com a liberação chegam o Client ID e o Client Secret; o certificado é o da sua empresa, cadastrado no banco.',
    c6: 'Peça ao C6 Bank o acesso à API Pix. Com a liberação chegam o Client ID, o Client Secret, o certificado e a chave.',
    banrisul:
      'Peça ao seu gerente o acesso à API Pix do Banrisul. Com a liberação chegam o Client ID e o Client Secret; o certificado é o da sua empresa, cadastrado no banco.',
    custom:
      'Peça ao seu banco os dados da API Pix do Banco Central: os endereços da API e do token, o Client ID, o Client Secret e o certificado de cliente.',
  },
  fields: {
    clientId: 'Client ID',
    clientSecret: 'Client Secret',
    pixKey: 'Chave Pix da conta',
    pfx: 'Certificado (.p12 ou .pfx)',
    passphrase: 'Senha do certificado',
    cert: 'Certificado (.crt ou .pem)',
    key: 'Chave do certificado (.key)',
    ca: 'Autoridade certificadora do banco (.pem)',
    baseUrl: 'Endereço da API Pix',
    tokenUrl: 'Endereço do token',
    developerKey: 'Chave do desenvolvedor (gw-dev-app-key)',
    account: 'Conta-corrente, se a integração tiver várias',
    pfxHint: 'O arquivo .p12 ou .pfx, com certificado e chave juntos.',
    pemHint: 'O arquivo em texto (PEM), ou o conteúdo dele colado abaixo.',
    ownAddress: 'Em branco, o endereço conhecido do banco.',
    knownAddress: (url: string) => `Em branco: ${url} (em homologação, o de testes do banco).`,
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
    merchantName: 'Nome no código Pix',
    merchantCity: 'Cidade no código Pix',
    merchantHint: 'Usado só quando o banco não devolve o código pronto. Em branco, o da empresa.',
    institutionCnpj: 'CNPJ da instituição que recebe',
    institutionName: 'Nome da instituição que recebe',
    institutionHint:
      'Documentos fiscais a nomeiam. Em branco, o do próprio banco; preencha se a conta é de uma cooperativa, ou de outro banco.',
    copyPasteFields: 'Campos da resposta com o código Pix',
    copyPasteHint: 'Separados por vírgula, na ordem de preferência.',
  },
  config: {
    url: 'Informe um endereço https completo, sem usuário nem senha.',
    institutionCnpj: 'Informe o CNPJ da instituição, como 00.000.000/0001-91.',
    pixKey: 'Informe a chave Pix da conta: CPF, CNPJ, e-mail, telefone com DDD ou chave aleatória.',
    base64: 'O certificado deve vir em base64.',
    pem: 'Informe o arquivo em formato PEM (começa com -----BEGIN).',
    header: 'Nome ou valor de cabeçalho inválido.',
    copyPasteFields: 'Informe nomes de campos, como pixCopiaECola, separados por vírgula.',
    urlNeeded: 'Informe o endereço.',
    noHomologation:
      'Este banco não tem um ambiente de testes com a mesma API. Use a produção ou informe os endereços.',
    secretNeeded: 'Informe o Client Secret.',
    certificateNeeded: 'Envie o certificado de cliente que o banco emitiu ou aceitou.',
    oneCertificate: 'Envie um arquivo .p12 ou um par de certificado e chave, não os dois.',
    keyNeeded: 'O certificado e a chave vão juntos: falta um deles.',
  },
  connection: {
    wrongPassphrase: 'A senha do certificado está errada ou faltando.',
    oldPfx:
      'O arquivo .p12 usa uma cifra antiga. Envie-o de novo nesta página: ele é convertido ao ser salvo.',
    unreadableCertificate: 'O certificado não pôde ser lido. Confira se enviou o arquivo certo.',
    keyMismatch: 'A chave não é a deste certificado.',
    ourExpired: (day: string) =>
      `O certificado da sua empresa venceu em ${day}. Emita outro no banco.`,
    ourNotYet: (day: string) => `O certificado da sua empresa só vale a partir de ${day}.`,
    ourRefused:
      'O banco não aceitou o certificado da sua empresa. Confira se é o que o banco emitiu para este ambiente.',
    theirExpired: 'O certificado do banco está vencido. Fale com o banco.',
    theirUnknown:
      'O certificado do banco não é de uma autoridade conhecida. Confira o endereço e a autoridade certificadora informada.',
    theirName: 'O certificado do banco é de outro endereço. Confira o endereço da API.',
    notTls: 'O endereço não respondeu como um servidor https.',
    hostNotFound: (host: string) => `O endereço ${host} não existe. Confira se está certo.`,
    refused: 'O servidor do banco recusou a conexão. Confira o endereço ou tente mais tarde.',
    timeout: 'O banco demorou demais para responder. Tente novamente em instantes.',
    closed:
      'O banco encerrou a conexão sem responder. Em geral, é o certificado da sua empresa que ele não aceitou.',
    privateAddress: 'Este endereço não é público. Use o endereço da API do banco.',
    credentials: 'O banco não aceitou o Client ID ou o Client Secret.',
    scope:
      'A aplicação não tem permissão para isto. Libere no banco os escopos cob e pix (leitura e escrita).',
    noWebhooks:
      'A aplicação não tem os escopos de webhook: dá para cobrar, mas o banco não avisa, e os pagamentos são encontrados por consulta, com algum atraso.',
    notThere: 'Nada foi encontrado neste endereço da API. Confira o endereço.',
    unavailable: 'O banco está fora do ar no momento. Tente novamente em instantes.',
    notTheKey:
      'O banco não aceitou a chave Pix. Confira se ela é desta conta e se a aplicação tem os escopos de webhook.',
    garbage: 'A resposta não é a de uma API Pix. Confira o endereço.',
    said: (reason: string, bank: string) => `${reason} O banco respondeu: “${bank}”`,
  },
} as const
