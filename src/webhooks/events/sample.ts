// Events of payments that never were, for whoever builds a receiver: in all that a receiver reads they
// look like real ones, `testMode` aside.

import type { EventType } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { texts } from '../../texts.ts'

/** What a webhook carries about a link. */
type SampleLink = {
  id: string
  slug: string
  title: string
  amountCents: number
  tags: string[]
  externalReference: string | null
  metadata: Record<string, string>
}

const PIX_TXID = 'exemplo0000000000000000000'
/** Of a code that was paid twice. */
const FIRST_END_TO_END_ID = 'E00000000202611211400exemplo0000'
const SECOND_END_TO_END_ID = 'E00000000202611211405exemplo0000'

type SampleOptions = { checkoutUrl: string; now: Date; link?: SampleLink }

/** What an event of this type says of a card payment of a link, an invented one unless given. */
export function buildSampleData(
  type: EventType,
  { checkoutUrl, now, link = buildSampleLink() }: SampleOptions,
): Record<string, unknown> {
  const approved = buildSamplePayment(link, checkoutUrl, now)
  const { totalCents, createdAt } = approved
  const refund = buildSampleRefund(approved)
  const returned = { refund, returnedCents: refund.amountCents }
  const say = (changes: object, more: object = {}) => ({
    transaction: { ...approved, ...changes },
    paymentLink: link,
    ...more,
  })
  switch (type) {
    case 'payment_link.completed':
    case 'payment_link.expired':
      return { paymentLink: link }
    case 'transaction.approved':
      return say({})
    case 'transaction.created':
      return say({ status: 'pending', ...toPix(createdAt) })
    case 'transaction.declined':
      return say({
        status: 'declined',
        approvedAt: null,
        declineCode: 'insufficient_funds',
        declineMessage: texts.declines.insufficient_funds,
      })
    case 'transaction.expired':
      return say({ status: 'expired', ...toPix(createdAt) })
    case 'transaction.held': {
      const holdReason = texts.holds.amountDiffers(totalCents - 1, totalCents)
      return say({ status: 'pending', ...toPix(createdAt), holdReason })
    }
    case 'transaction.canceled':
      return say({ status: 'canceled', ...toPix(createdAt) })
    case 'transaction.overpaid':
      return say(toPaidPix(createdAt), { incomingPayment: buildSampleSurplus(approved, 0) })
    case 'transaction.surplus_refunded': {
      const incomingPayment = buildSampleSurplus(approved, totalCents)
      return say(toPaidPix(createdAt), { ...returned, incomingPayment })
    }
    case 'transaction.refunded':
      return say({ status: 'refunded', refundedCents: totalCents }, returned)
    case 'transaction.charged_back':
      return say({ status: 'charged_back', chargedBackCents: totalCents })
    case 'dispute.opened':
    case 'dispute.closed':
      return say({}, { dispute: buildSampleDispute(type, approved) })
  }
}

type SamplePayment = ReturnType<typeof buildSamplePayment>

function toPaidPix(approvedAt: string) {
  return { ...toPix(approvedAt, FIRST_END_TO_END_ID), approvedAt }
}

function toPix(expiresAt: string, endToEndId: string | null = null) {
  const pix = { txid: PIX_TXID, endToEndId, brCode: null, expiresAt }
  return { method: 'pix', card: null, threeDs: null, pix, expiresAt, approvedAt: null }
}

function buildSampleSurplus({ totalCents, createdAt }: SamplePayment, refundedCents: number) {
  return {
    id: newId(),
    endToEndId: SECOND_END_TO_END_ID,
    amountCents: totalCents,
    surplusCents: totalCents,
    refundedCents,
    paidAt: createdAt,
    payerName: 'Maria da Silva',
    payerTaxId: '***.982.247-**',
  }
}

function buildSampleRefund({ id, totalCents, createdAt }: SamplePayment) {
  return {
    id: newId(),
    transactionId: id,
    amountCents: totalCents,
    status: 'succeeded',
    reason: 'Produto devolvido',
    failureReason: null,
    testMode: true,
    createdAt,
    updatedAt: createdAt,
  }
}

/** One that was won leaves the payment as it was. */
function buildSampleDispute(type: EventType, { id, totalCents, createdAt }: SamplePayment) {
  const isOpen = type === 'dispute.opened'
  return {
    id: newId(),
    transactionId: id,
    kind: 'card',
    status: isOpen ? 'open' : 'won',
    reason: null,
    amountCents: totalCents,
    openedAt: createdAt,
    closedAt: isOpen ? null : createdAt,
    respondBy: null,
    testMode: true,
    createdAt,
    updatedAt: createdAt,
  }
}

function buildSampleLink(): SampleLink {
  return {
    id: newId(),
    slug: 'ExempLo234',
    title: 'Bolo de cenoura',
    amountCents: 1_990,
    tags: [],
    externalReference: 'pedido-1042',
    metadata: { canal: 'teste' },
  }
}

function buildSamplePayment(link: SampleLink, checkoutUrl: string, now: Date) {
  const { amountCents, tags, externalReference, metadata } = link
  const at = now.toISOString()
  return {
    id: newId(),
    paymentLinkId: link.id,
    paymentLinkSlug: link.slug,
    status: 'approved',
    method: 'credit_card',
    amountCents,
    interestCents: 0,
    totalCents: amountCents,
    refundedCents: 0,
    chargedBackCents: 0,
    ...{ feeCents: null, feeSource: null, netCents: null, expectedOn: null, payoutParts: null },
    currency: 'BRL',
    installments: 1,
    installmentCents: amountCents,
    interestMode: 'absorb',
    interestRateBps: 0,
    card: { brand: 'visa', last4: '4242', holderName: 'MARIA SILVA' },
    pix: null,
    threeDs: { status: 'authenticated', eci: '05', flow: 'frictionless' },
    declineCode: null,
    declineMessage: null,
    customer: {
      id: newId(),
      name: 'Maria da Silva',
      email: 'maria@exemplo.com.br',
      taxId: '***.982.247-**',
    },
    paidLate: false,
    possibleDuplicateOf: null,
    holdReason: null,
    externalReference,
    metadata,
    tags,
    customFields: [],
    ref: null,
    receiptUrl: `${checkoutUrl}/${link.slug}/payments/exemplo00000000000000000`,
    createdAt: at,
    approvedAt: at,
    expiresAt: null,
    updatedAt: at,
    testMode: true,
  }
}
