import type { PayerMailTexts } from './pt.ts'

export const en: PayerMailTexts = {
  locale: 'en',
  frame: {
    lang: 'en',
    testMode: 'TEST MODE',
    noCharge: 'no real charge is made',
    test: (subject) => `[Test] ${subject}`,
    sentBy: 'Sent by Vintém',
  },
  questions: 'Questions about this charge?',
  labels: {
    recipient: 'Paid to',
    cpf: 'CPF (Brazilian tax ID)',
    cnpj: 'CNPJ (Brazilian tax ID)',
    about: 'For',
    payer: 'Paid by',
    amount: 'Amount',
    total: 'Total with interest',
    paid: 'Amount paid',
    refunded: 'Total refunded',
    method: 'Payment method',
    methods: 'Ways to pay',
    until: 'Pay by',
    installments: 'Installments',
    paidAt: 'Date and time',
    endToEndId: 'Pix ID',
    transaction: 'Transaction',
  },
  methods: { pix: 'Pix', credit_card: 'Credit card' },
  paidAt: (day, time) => `${day}, ${time} (Brasília time)`,
  part: (n, part) => `${n} × ${part}`,
  firstPart: (first) => `first one ${first}`,
  receipt: {
    subject: (total, company) => `Receipt: ${total} to ${company}`,
    preview: (title) => `For ${title}`,
    heading: 'Payment approved',
    paid: (company) => `${company} has received your payment. This is your receipt.`,
    see: 'View receipt',
    noValue: 'Test payment, with no value.',
  },
  refund: {
    subject: (refund, company) => `Refund of ${refund} from ${company}`,
    heading: 'Payment refunded',
    done: (company) => `${company} has refunded this amount to you.`,
    when: {
      pix: 'It goes back to the account that the Pix came from, usually within moments.',
      credit_card:
        'It will appear as a credit on your card statement. Depending on your bank, this may take up to two statements.',
    },
  },
  link: {
    sent: {
      subject: (amount, company) => `Payment link: ${amount} to ${company}`,
      heading: (company) => `${company} sent you a payment link`,
      text: 'Open the link to see the details and pay.',
      note: 'Not expecting this charge? Do not pay, and contact the company.',
    },
    reminder: {
      subject: (amount, company) => `Reminder: ${amount} to ${company}`,
      heading: () => 'Your payment is still open',
      text: 'We have not received this payment yet. You can pay through the link.',
      note: 'Already paid in another way? Ignore this reminder or let the company know.',
    },
    pay: 'View and pay',
    stop: 'Stop e-mails about this link',
  },
}
