export const providerAccountTexts = {
  missing: 'A empresa ainda não tem conta neste provedor. Cadastre-a antes de escolhê-lo.',
  methodNotSupported: 'Este provedor não oferece esta forma de pagamento.',
  untested:
    'Teste a conexão com estes dados antes de começar a cobrar de verdade: o último teste não passou ou ainda não foi feito.',
  testAccount:
    'Estas credenciais são de teste. Passe para o ambiente de teste para usá-las, ou informe as de produção.',
  realAccount:
    'Estas credenciais movem dinheiro de verdade. Passe para o ambiente real para usá-las, ou informe as de teste.',
  sandboxElsewhere: 'O simulador só existe no ambiente de teste.',
  chosenRemoved: 'Esta conta está em uso. Escolha outro provedor antes de removê-la.',
  changedMeanwhile: 'Esta conta mudou enquanto era salva. Confira e envie de novo.',
  underWay:
    'Há pagamentos ou devoluções em andamento nesta conta. Aguarde o resultado deles e tente novamente.',
  otherAccount:
    'Esta conta não conhece os pagamentos em andamento, que são da conta salva. Se for trocada agora, o que for pago neles não será percebido nem devolvido por aqui. Pare de receber por esta conta e troque-a quando eles terminarem.',
  unreadable:
    'Os dados desta conta não puderam ser lidos com a SECRET_KEY atual. Cadastre-os novamente.',
  secretLeftBehind:
    'O endereço é de outro servidor: informe de novo o que é secreto, que não vai para lá sozinho.',
  notRegistered:
    'O provedor não aceitou o endereço das notificações. Os pagamentos são acompanhados mesmo assim, com algum atraso.',
  keptAddress: (url: string) =>
    `A chave Pix já avisa outro endereço, que foi mantido: ${url}. Os pagamentos são encontrados por consulta, com algum atraso.`,
  clockOff: (hours: number) =>
    `O relógio do banco está ${Math.abs(hours)} ${Math.abs(hours) === 1 ? 'hora' : 'horas'} ${hours < 0 ? 'atrasado' : 'adiantado'}. Isso é descontado de tudo o que ele informa: os pagamentos ficam com a hora certa.`,
  unknownNotification: 'Notificação não reconhecida.',
  liabilityShift: {
    label: 'Quando o banco do cartão não assume o risco de fraude',
    choices: { required: 'Recusar o pagamento', preferred: 'Aprovar assim mesmo' },
    hint: 'O 3-D Secure é pedido sempre. Recusar: se o comprador contestar uma compra como fraude, o prejuízo é do banco dele. Aprovar assim mesmo: passam mais pagamentos, e nos que o banco não autenticou o prejuízo é da empresa.',
  },
  environment: {
    label: 'Ambiente',
    production: 'Produção',
    tests: 'Homologação (testes)',
    hint: 'Em homologação nada é cobrado e os pagamentos contam como testes.',
  },
} as const
