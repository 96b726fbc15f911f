// What a field is, where its own schema does not say it: many fields mean the same in every resource,
// and are told once. A key is a field's name, or `Component.field` where one differs.

type Entry = { description: string; example?: unknown }

const ID = '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'
const LINK_ID = '019a3f5d-1b2c-7d3e-8f40-516273849506'
const NOW = '2026-11-21T14:05:09.120Z'

const COMMON: Record<string, Entry> = {
  id: { description: 'Assigned by the service.', example: ID },
  createdAt: { description: 'When it was made.', example: NOW },
  updatedAt: { description: 'When it last changed.', example: NOW },
  metadata: {
    description: 'Your own pairs of texts, copied to every transaction and webhook of the link.',
    example: { vendedor: 'Ana' },
  },
  tags: { description: 'Free labels.', example: ['balcao'] },
  externalReference: {
    description: 'Your own name for it, such as the number of an order. Need not be unique.',
    example: 'pedido-1042',
  },
  testMode: {
    description: 'Whether it is of the test environment, where no money moves.',
    example: false,
  },
  status: { description: 'Where it stands.' },
  interestMode: {
    description:
      '`absorb`: the company bears the interest of installments; `pass_to_customer`: the payer does.',
    example: 'absorb',
  },
  idOrSlug: { description: 'The id or the slug of the link.', example: 'k7Pm3XwQzt' },
  type: { description: 'What happened.' },
  timestamp: { description: 'When it happened, not when it was sent.', example: NOW },
  data: { description: 'What is told.' },
  hasMore: { description: 'Whether there is another page.', example: false },
  nextCursor: {
    description: 'What to send as `cursor` for the next page; `null` on the last.',
    example: null,
  },
  limit: { description: 'How many were asked for.', example: 20 },
  message: { description: 'A sentence in Portuguese that says what to do. It may change.' },
  code: { description: 'A word for programs. It does not change.', example: 'validation_error' },
  errors: { description: 'With `validation_error`: all that is wrong, one entry per field.' },
  field: { description: 'The path of the field.', example: 'amountCents' },
  createdFrom: { description: 'Created at or after this instant.' },
  createdTo: { description: 'Created at or before this instant.' },
  method: { description: 'How it is paid.' },
}

const LINK: Record<string, Entry> = {
  slug: { description: "The link's name in its address.", example: 'k7Pm3XwQzt' },
  'PaymentLink.url': {
    description: "The checkout's full address.",
    example: 'https://links.example.com.br/pagar/k7Pm3XwQzt',
  },
  title: { description: 'What the payer reads above the amount.', example: 'Bolo de cenoura' },
  description: {
    description: 'What the payer reads below the title. Plain text; line breaks stay.',
    example: 'Retirada na loja, das 9h às 18h.',
  },
  priceMode: { description: 'The price is the one of the link.' },
  amountCents: { description: 'Price in cents.', example: 1990 },
  methods: {
    description: 'The methods that the payer may choose, in this order.',
    example: ['pix', 'credit_card'],
  },
  maxInstallments: {
    description: "Up to how many installments; not sent, the company's setting, 1 for Pix alone.",
    example: 3,
  },
  threeDsMode: { description: 'Cards are always authenticated by 3-D Secure.' },
  redirectUrl: {
    description: 'Where the payer goes from the receipt. https, without user and password.',
    example: 'https://loja.com.br/obrigado',
  },
  linkedCustomerId: {
    description: 'The only customer who may pay; the checkout asks for the document.',
    example: null,
  },
  expiresAt: {
    description: 'Until when it can be paid, at most a year ahead; `null`: without end.',
    example: null,
  },
  maxPayments: {
    description: 'After so many approved payments it is completed; `null`: no limit.',
    example: null,
  },
  inactiveMessage: {
    description: 'Shown to a payer who comes when the link cannot be paid.',
    example: null,
  },
  'PaymentLink.customFields': { description: 'What the checkout asks besides.', example: [] },
  'PaymentLinkWithTotals.customFields': {
    description: 'What the checkout asks besides.',
    example: [],
  },
  statementDescriptor: { description: "What the card's bill calls the payment.", example: null },
  imageUrl: {
    description: 'Where its image is, for everybody; `null` without one.',
    example: null,
  },
  successMessage: {
    description: 'Stands on the receipt of an approved payment. Plain text; line breaks stay.',
    example: null,
  },
  'PaymentLink.status': {
    description:
      '`expired` and `completed` come by themselves, of `expiresAt` and `maxPayments`; `archived` is final.',
    example: 'active',
  },
  paymentsCount: { description: 'Payments approved so far.', example: 1 },
  amountReceivedCents: {
    description: 'What they brought, refunds taken off.',
    example: 1990,
  },
}

const TRANSACTION: Record<string, Entry> = {
  paymentLinkId: { description: 'The link that was paid.', example: LINK_ID },
  paymentLinkSlug: { description: 'The slug of that link.', example: 'k7Pm3XwQzt' },
  transactionId: { description: 'The payment in question.', example: ID },
  customerId: { description: 'Who paid.' },
  'Transaction.status': { description: 'Where the payment stands.', example: 'approved' },
  'Transaction.method': { description: 'How it is paid.', example: 'credit_card' },
  interestCents: { description: 'Interest that the payer bears, in cents.', example: 0 },
  totalCents: { description: 'What the payer pays: price and interest.', example: 1990 },
  refundedCents: { description: 'What was refunded so far, in cents.', example: 0 },
  chargedBackCents: { description: 'What disputes took for good, in cents.', example: 0 },
  currency: { description: 'Always the real.' },
  installments: { description: 'How many installments.', example: 1 },
  installmentCents: { description: 'Each of them, in cents.', example: 1990 },
  firstInstallmentCents: { description: 'The first of them, in cents.', example: 1990 },
  interestRateBps: { description: 'Monthly rate in basis points: 299 is 2.99 %.', example: 299 },
  card: { description: 'Of a payment by card.' },
  brand: { description: 'The brand of the card.', example: 'visa' },
  last4: { description: 'Its last four digits.', example: '4242' },
  holderName: { description: 'The name on it.', example: 'MARIA SILVA' },
  'Transaction.pix': { description: 'Of a payment by Pix.', example: null },
  txid: { description: 'The id of the charge.', example: 'PL7978c0c97ea847e78e8849630' },
  endToEndId: {
    description: 'The id of the transfer, once it was paid.',
    example: 'E18236120202611211405s0a1b2c3d4',
  },
  brCode: { description: 'The code that the payer copies.' },
  threeDs: { description: 'How the card was authenticated.' },
  eci: { description: 'How sure the bank was.', example: '05' },
  flow: { description: 'Whether the bank asked the payer.', example: 'frictionless' },
  declineCode: { description: 'Why it was declined.', example: null },
  declineMessage: { description: 'The same as the payer read it.', example: null },
  customer: { description: 'Who paid, as typed at the checkout.' },
  name: { description: 'Full name.', example: 'Maria Silva' },
  email: { description: 'E-mail address.', example: 'maria@example.com.br' },
  taxId: { description: 'CPF or CNPJ, masked.', example: '***.982.247-**' },
  paidLate: {
    description: 'Paid after the code had expired or the link was completed.',
    example: false,
  },
  holdReason: {
    description:
      'Why it waits: another amount than ours arrived. Approved when the rest comes; `canceled` once it was given back.',
    example: null,
  },
  receiptUrl: {
    description: "The payment's own page: its state, and in the end its receipt.",
    example: 'https://links.example.com.br/pagar/k7Pm3XwQzt/payments/Vb3nQ8rT5wYz',
  },
  approvedAt: { description: 'When it was paid.', example: NOW },
  'Transaction.expiresAt': { description: 'Until when the Pix code can be paid.', example: null },
  refunds: { description: 'The last 100, newest first.' },
  incomingPayments: {
    description: 'Every Pix that came in, oldest first; empty where a card paid.',
  },
  surplusCents: {
    description: 'The part beyond the sale. It goes back before anything of the sale does.',
    example: 0,
  },
  'IncomingPayment.endToEndId': {
    description: "The id of the transfer; the provider's own where it tells none.",
    example: 'E18236120202611211405s0a1b2c3d4',
  },
  'IncomingPayment.paidAt': { description: 'When it came in.', example: NOW },
  'IncomingPayment.refundedCents': {
    description: 'What went back of it so far, by whomever, in cents.',
    example: 0,
  },
  payerName: { description: 'Who paid, as the bank tells.', example: 'Maria Silva' },
  payerTaxId: { description: 'CPF or CNPJ, masked.', example: '***.982.247-**' },
  disputes: { description: 'The first 100, oldest first.', example: [] },
}

const OTHERS: Record<string, Entry> = {
  reason: { description: 'For your own records.', example: 'Produto devolvido' },
  failureReason: { description: 'Why nothing was given back.', example: null },
  'Refund.status': {
    description: '`pending` until the provider has said how it ended.',
    example: 'succeeded',
  },
  'Refund.amountCents': { description: 'What goes back, in cents.', example: 500 },
  dispute: { description: 'The dispute in question.' },
  kind: {
    description: "`med`: a Pix, contested with the payer's bank; `card`: with the card's issuer.",
    example: 'med',
  },
  'Dispute.status': {
    description: '`won`: the money stays with you; `lost`: it went back to the payer.',
    example: 'open',
  },
  'Dispute.reason': { description: "The provider's own word for it.", example: 'MED_FRAUDE' },
  'Dispute.amountCents': { description: 'What is contested, in cents.', example: 1990 },
  openedAt: { description: 'When the payer contested it.', example: NOW },
  closedAt: { description: 'When it was decided; `null` while it is open.', example: null },
  respondBy: {
    description: 'Until when evidence may be sent to the provider, where it says so.',
    example: null,
  },
  paymentLink: { description: 'The link in question.' },
  transaction: { description: 'The payment in question, as it stands now.' },
  refund: { description: 'The refund in question.' },
  incomingPayment: { description: 'The Pix in question.' },
  incomingPaymentId: { description: 'The Pix that is to go back.', example: null },
  deliveries: { description: 'One for each endpoint that had it.' },
  endpointId: { description: 'The endpoint in question.' },
  'Delivery.url': { description: 'Where it was sent.' },
  'Delivery.status': { description: 'Where the delivery stands.', example: 'delivered' },
  attempts: { description: 'How many were made.', example: 1 },
  outcome: { description: 'Of the last attempt.', example: 'delivered' },
  deliveredAt: { description: 'When it was received.', example: NOW },
  nextAttemptAt: { description: 'When it is tried again.', example: null },
  events: {
    description: 'The types of events that are sent there.',
    example: ['transaction.approved'],
  },
  disabled: { description: 'Deliveries wait until it is enabled again.' },
  disabledAt: { description: 'Since when it is disabled.', example: null },
  rotatingUntil: {
    description: 'Until when the secret before this one signs too.',
    example: null,
  },
  eventId: { description: 'The event that was made.' },
  phone: { description: 'Area code and number.', example: '11987654321' },
  text: {
    description: 'As the payer reads it, in Portuguese.',
    example: '1x de R$ 19,90 à vista',
  },
}

export const GLOSSARY: Record<string, Entry> = { ...COMMON, ...LINK, ...TRANSACTION, ...OTHERS }
