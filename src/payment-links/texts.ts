import { countOf, formatBrl } from '../format.ts'

export const linkTexts = {
  qr: 'QR Code do link de pagamento',
  cents: 'Informe um número inteiro em centavos (ex.: 1990 para R$ 19,90).',
  minAmount: (cents: number) => `O valor mínimo é ${formatBrl(cents)} (${cents} centavos).`,
  maxAmount: (cents: number) => `O valor máximo é ${formatBrl(cents)} (${cents} centavos).`,
  pixOnce: 'Para links somente Pix, maxInstallments deve ser 1.',
  installments: 'Informe de 1 a 12 parcelas.',
  interestFree: (most: number) =>
    `Este link vai até ${most}x. Informe no máximo ${most} em parcelas sem juros, ou aumente as parcelas.`,
  pixDiscount: 'Informe de 0 a 5000 centésimos de por cento (ex.: 500 para 5%).',
  redirectUrl:
    'Informe uma URL completa, sem usuário nem senha: de um site (https://loja.com.br/obrigado) ou de um app (br.com.loja://pago).',
  expiresAt: 'Informe uma data futura, em no máximo um ano.',
  methodUnavailable: (method: string) =>
    `Ninguém recebe por ${method} ainda. Um proprietário escolhe o provedor em Recebimentos (/painel/recebimentos); no ambiente de teste o link já pode ser criado.`,
  customerNotFound: 'Cliente não encontrado.',
  metadataRepeated: (key: string) => `A chave ${key} está repetida.`,
  metadataParameter: 'Informe cada par como metadata[chave]=valor.',
  metadataTooMany: 'Informe no máximo 20 pares.',
  customFields: {
    key: 'Use de 1 a 40 letras minúsculas sem acento, números, hífen ou sublinhado.',
    options: 'Envie de 2 a 20 opções num campo do tipo choice, e nenhuma nos outros.',
    repeatedOption: 'Não repita opções.',
    repeatedLabel: 'Não repita o rótulo de um campo.',
    repeatedKey: 'Não repita a chave de um campo.',
    cardData:
      'Não peça dados de cartão (número, validade, código de segurança, senha). O pagador os informa apenas nos campos do cartão.',
  },
  prefill: 'Só um link de um pagamento é preenchido: envie também maxPayments 1.',
  prefillDocument:
    'Este link é de um cliente com outro documento. Envie o dele, ou deixe taxId de fora.',
  statementDescriptor: 'Use só letras, números, espaço, ponto e hífen.',
  imageMissing: 'Envie a imagem no campo image, como multipart/form-data.',
  carriedTooBig:
    'Pares, etiquetas e campos passam do que cabe num webhook. Envie menos ou mais curtos.',
  metadataTooBig: 'Os pares passam de 12 kB ao todo. Envie menos ou mais curtos.',
  changedMeanwhile: 'O link mudou enquanto era alterado. Envie de novo.',
  repeated: {
    reference: (day: string) => `Já há um link com esta referência, de ${day}.`,
    content: (day: string) => `Já há um link com este título, valor e cliente, de ${day}.`,
    line: (line: number) => `Igual à linha ${line} deste arquivo.`,
  },
  archived:
    'Este link está arquivado. Desarquive-o antes: na página dele, ou com status active ou inactive no PATCH.',
  sending: {
    whom: 'Informe o e-mail para onde enviar: o link não tem um cliente com e-mail.',
    notPayable:
      'Este link não pode ser pago agora, e por isso não foi enviado. Confira a situação dele.',
    noMail:
      'Este servidor não envia e-mails: quem o opera precisa configurar SMTP_URL. Envie o endereço do link de outro jeito.',
    stopped:
      'Quem lê este endereço pediu para não receber mais e-mails sobre este link. Envie o endereço do link de outro jeito.',
    justSent:
      'Este link acaba de ser enviado a este endereço. Espere dez minutos para enviar de novo.',
    tooMany: 'Sua empresa já enviou 1.000 e-mails com links em um dia. Tente de novo mais tarde.',
  },
  stillComplete: (paid: number) =>
    `Este link já recebeu ${countOf(paid, 'pagamento')}. Envie um maxPayments maior que ${paid}, ou null, para reativá-lo.`,
  isComplete: 'Este link está concluído: já não recebe pagamentos, e não precisa ser desativado.',
  stillExpired: 'Este link expirou. Envie também um expiresAt futuro, ou null, para reativá-lo.',
  csv: {
    name: 'links-de-pagamento',
    id: 'ID',
    slug: 'Código',
    url: 'Endereço',
    title: 'Título',
    amount: 'Valor (R$)',
    methods: 'Formas de pagamento',
    maxInstallments: 'Parcelas',
    interest: 'Juros',
    interestFree: 'Parcelas sem juros',
    pixDiscount: 'Desconto no Pix',
    status: 'Situação',
    tags: 'Etiquetas',
    maxPayments: 'Limite de pagamentos',
    expiresAt: 'Expira em',
    createdAt: 'Criado em',
    updatedAt: 'Alterado em',
    testMode: 'Teste',
  },
  statuses: {
    active: 'Ativo',
    inactive: 'Pausado',
    expired: 'Expirado',
    completed: 'Concluído',
    archived: 'Arquivado',
  },
  interest: { absorb: 'Por conta da empresa', pass_to_customer: 'Por conta do pagador' },
  upTo: (n: number) => (n === 1 ? 'À vista' : `Até ${n}x`),
} as const

export const installmentTexts = {
  atSight: (total: string) => `1x de ${total} à vista`,
  interestFree: (n: number, part: string) => `${n}x de ${part} sem juros`,
  interestFreeUneven: (n: number, part: string, first: string) =>
    `${n}x de ${part} sem juros (primeira de ${first})`,
  withInterest: (n: number, part: string, total: string) =>
    `${n}x de ${part} com juros (total ${total})`,
  pix: (price: string, share: string | null) =>
    share ? `${price} no Pix (${share} de desconto)` : `${price} no Pix`,
  orPix: (price: string, pix: string) => `${price}, ou ${pix}`,
} as const
