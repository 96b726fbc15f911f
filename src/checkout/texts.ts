import { texts } from '../texts.ts'

export const checkoutTexts = {
  name: 'Informe seu nome completo.',
  taxId: texts.fields.taxId,
  phone: texts.fields.phone,
  email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
  method: 'Escolha como pagar.',
  card: 'Confira os dados do cartão.',
  cardNeedsScript: 'Para pagar com cartão, ative o JavaScript do navegador ou escolha Pix.',
  installments: 'Escolha uma das opções de parcelamento.',
  answers: {
    required: (label: string) => `Preencha o campo "${label}".`,
    text: (label: string) => `Use até 200 caracteres comuns no campo "${label}".`,
    number: (label: string) => `Informe um número no campo "${label}", como 1.234,56.`,
    choice: (label: string) => `Escolha uma das opções do campo "${label}".`,
    date: (label: string) => `Informe uma data no campo "${label}", como 31/12/2026.`,
  },
  documentRefused: 'Não foi possível confirmar o documento. Confira o CPF ou CNPJ informado.',
  tooManyDocuments: 'Muitas tentativas em pouco tempo. Aguarde dez minutos e tente novamente.',
  quoteChanged: 'O valor deste link mudou. Confira o novo valor e confirme.',
  formExpired: 'Este formulário perdeu a validade. Confira os dados e envie novamente.',
  cardBlocked: 'Este cartão não pode ser tentado de novo. Use outro cartão ou pague com Pix.',
  cards: {
    paused: 'Cartão indisponível neste link por enquanto. Pague com Pix.',
    tooMany: 'Muitas tentativas com cartão em pouco tempo. Pague com Pix ou aguarde 15 minutos.',
    overCapacity:
      'Há muitos pagamentos com cartão em andamento. Pague com Pix ou tente novamente em um minuto.',
  },
  cardsOnly: {
    paused: 'Cartão indisponível neste link por enquanto. Tente novamente mais tarde.',
    tooMany: 'Muitas tentativas com cartão em pouco tempo. Tente novamente em 15 minutos.',
    overCapacity: 'Há muitos pagamentos com cartão em andamento. Tente novamente em um minuto.',
  },
  soldOut:
    'Outro pagamento deste link está em andamento. Aguarde alguns minutos e tente novamente.',
  confirmationOpen: 'Você tem um pagamento que espera pela confirmação no seu banco.',
  resumeConfirmation: 'Continuar a confirmação',
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
  helpText: (title: string, total: string, url: string) =>
    `Olá! Preciso de ajuda com este pagamento: ${title}, ${total}. ${url}`,
  reportReason: 'Escolha um motivo.',
  methodUnavailable: 'Esta forma de pagamento não está disponível agora. Tente outra.',
  cardUnavailable: 'O cartão não está disponível agora neste link. Tente novamente mais tarde.',
  pixUnavailable: 'O Pix não está disponível agora neste link. Pague com cartão.',
  noQuotes: 'Não foi possível consultar as parcelas deste cartão agora.',
  rateNote: (rate: string, total: string, amount: string) =>
    `Taxa de ${rate} a.m. Total a prazo ${total}; à vista ${amount}.`,
  part: (n: number, part: string) => `${n}x de ${part}`,
  firstPart: (first: string) => `primeira de ${first}`,
  terms: { atSight: 'à vista', interestFree: 'sem juros', rate: (rate: string) => `${rate} a.m.` },
  cardOffer: {
    atSight: 'À vista',
    upTo: (n: number) => `Até ${n}x`,
    upToParts: (n: number, part: string) => `Até ${n}x de ${part}`,
    upToFree: (n: number, part: string) => `Até ${n}x de ${part} sem juros`,
  },
  contactSubject: (title: string) => `Pagamento de ${title}`,
  contactText: (title: string, url: string) =>
    `Olá! Quero pagar "${title}", mas o link não está disponível: ${url}`,
  payIn: (total: string, n: number) => (n === 1 ? `Pagar ${total}` : `Pagar ${total} em ${n}x`),
  previewTitle: (company: string) => `Pagamento para ${company}`,
  previewPix: 'Pix',
  previewCard: (n: number) => (n === 1 ? 'cartão' : `cartão em até ${n}x`),
  until: (time: string) => `até ${time}`,
  untilDay: (day: string, time: string) => `até ${day} às ${time}`,
  refunded: (amount: string) => `${amount} devolvidos.`,
  surplus: (amount: string) =>
    `Entraram ${amount} a mais do que o valor. A empresa foi avisada para devolver a você.`,
  receiptText: (company: string, title: string, total: string, url: string) =>
    `Comprovante de pagamento para ${company}: ${title}, ${total}. ${url}`,
} as const
