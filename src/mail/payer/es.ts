import type { PayerMailTexts } from './pt.ts'

export const es: PayerMailTexts = {
  locale: 'es',
  frame: {
    lang: 'es',
    testMode: 'MODO DE PRUEBA',
    noCharge: 'no se hace ningún cobro real',
    test: (subject) => `[Prueba] ${subject}`,
    sentBy: 'Enviado por Vintém',
  },
  questions: '¿Tienes dudas sobre este cobro?',
  labels: {
    recipient: 'Beneficiario',
    cpf: 'CPF (identificación fiscal de Brasil)',
    cnpj: 'CNPJ (identificación fiscal de Brasil)',
    about: 'Concepto',
    payer: 'Pagador',
    amount: 'Monto',
    total: 'Total con interés',
    paid: 'Monto pagado',
    refunded: 'Total devuelto',
    method: 'Forma de pago',
    methods: 'Formas de pago',
    until: 'Paga hasta',
    installments: 'Cuotas',
    paidAt: 'Fecha y hora',
    endToEndId: 'ID de Pix',
    transaction: 'Transacción',
  },
  methods: { pix: 'Pix', credit_card: 'Tarjeta de crédito' },
  paidAt: (day, time) => `${day} a las ${time} (hora de Brasilia)`,
  part: (n, part) => (n === 1 ? `1 pago de ${part}` : `${n} cuotas de ${part}`),
  firstPart: (first) => `la primera de ${first}`,
  receipt: {
    subject: (total, company) => `Comprobante: ${total} a ${company}`,
    preview: (title) => `Por ${title}`,
    heading: 'Pago aprobado',
    paid: (company) => `${company} recibió tu pago. Este es tu comprobante.`,
    see: 'Ver comprobante',
    noValue: 'Pago de prueba, sin valor.',
  },
  refund: {
    subject: (refund, company) => `Devolución de ${refund} de ${company}`,
    heading: 'Pago devuelto',
    done: (company) => `${company} te devolvió este monto.`,
    when: {
      pix: 'Vuelve a la cuenta desde la que se hizo el Pix, por lo general en instantes.',
      credit_card:
        'Aparecerá como crédito en el estado de cuenta de tu tarjeta. Según el banco, puede tardar hasta dos estados de cuenta.',
    },
  },
  link: {
    sent: {
      subject: (amount, company) => `Enlace de pago: ${amount} a ${company}`,
      heading: (company) => `${company} te envió un enlace de pago`,
      text: 'Abre el enlace para ver los detalles y pagar.',
      note: '¿No esperabas este cobro? No pagues y comunícate con la empresa.',
    },
    reminder: {
      subject: (amount, company) => `Recordatorio: ${amount} a ${company}`,
      heading: () => 'Tu pago está pendiente',
      text: 'Todavía no recibimos este pago. Puedes pagar con el enlace.',
      note: '¿Ya pagaste por otro medio? Ignora este recordatorio o avisa a la empresa.',
    },
    pay: 'Ver y pagar',
    stop: 'No recibir más correos sobre este enlace',
  },
}
