// The Portuguese texts of e-mails to payers; the other languages have the same shape.
import type { Locale } from '../../database/enums.ts'
import { type Translated, texts } from '../../texts.ts'

export type PayerMailTexts = { locale: Locale } & Translated<typeof portuguese>

const portuguese = {
  /** The texts around the content of every e-mail. */
  frame: {
    lang: texts.layout.lang,
    testMode: texts.layout.testMode,
    noCharge: texts.layout.noCharge,
    test: (subject: string) => `[Teste] ${subject}`,
    sentBy: 'Enviado pelo Vintém',
  },
  questions: texts.layout.questions,
  labels: {
    recipient: 'Recebedor',
    cpf: 'CPF',
    cnpj: 'CNPJ',
    about: 'Referente a',
    payer: 'Pagador',
    amount: 'Valor',
    totalWithInterest: 'Total com juros',
    discount: 'Desconto no Pix',
    total: 'Total pago',
    paid: 'Valor pago',
    refunded: 'Total devolvido',
    method: 'Pago com',
    methods: 'Formas de pagamento',
    until: 'Pague até',
    installments: 'Parcelas',
    paidAt: 'Data e hora',
    endToEndId: 'ID do Pix',
    transaction: 'Transação',
  },
  methods: texts.methods,
  paidAt: texts.paidAt,
  part: (n: number, part: string) => `${n}x de ${part}`,
  firstPart: (first: string) => `primeira de ${first}`,
  receipt: {
    subject: (total: string, company: string) => `Comprovante: ${total} para ${company}`,
    preview: (title: string) => `Referente a ${title}`,
    heading: 'Pagamento aprovado',
    paid: (company: string) => `${company} recebeu o seu pagamento. Este é o seu comprovante.`,
    see: 'Ver comprovante',
    noValue: 'Pagamento de teste, sem valor.',
  },
  refund: {
    subject: (refund: string, company: string) => `Devolução de ${refund} por ${company}`,
    heading: 'Pagamento devolvido',
    done: (company: string) => `${company} devolveu este valor a você.`,
    when: {
      pix: 'Ele volta para a conta de onde o Pix saiu, em geral em instantes.',
      credit_card:
        'Ele aparece como crédito na fatura do cartão. Dependendo do banco, pode levar até duas faturas.',
    },
  },
  link: {
    sent: {
      subject: (amount: string, company: string) => `Link de pagamento: ${amount} para ${company}`,
      heading: (company: string) => `${company} enviou um link de pagamento`,
      text: 'Abra o link para ver os detalhes e pagar.',
      note: 'Não esperava esta cobrança? Não pague e fale com a empresa.',
    },
    reminder: {
      subject: (amount: string, company: string) => `Lembrete: ${amount} para ${company}`,
      heading: (_company: string) => 'Seu pagamento está em aberto',
      text: 'Ainda não recebemos este pagamento. Você pode pagar pelo link.',
      note: 'Já pagou por outro meio? Desconsidere este lembrete ou avise a empresa.',
    },
    pay: 'Ver e pagar',
    stop: 'Não receber mais e-mails sobre este link',
  },
}

export const pt: PayerMailTexts = { locale: 'pt', ...portuguese }
