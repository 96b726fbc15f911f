export const webhookTexts = {
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
  tooManyEndpoints: (max: number) => `Use no máximo ${max} endpoints por empresa.`,
  notResendable:
    'Esta entrega está em andamento ou seu endpoint está desativado. Tente novamente depois.',
  secretUnreadable:
    'O segredo deste endpoint não pôde ser lido com a SECRET_KEY atual. Gere um novo segredo.',
} as const
