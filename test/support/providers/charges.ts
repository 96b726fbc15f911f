// Charges as the walk of a payment asks them of a provider.
import { v7 } from 'uuid'
import type {
  CardCharge,
  Charge,
  ChargeKey,
  RefundRequest,
} from '../../../src/providers/provider.ts'

export type PixCharge = Charge & { method: 'pix' }

export const MARIA_PAYER = {
  name: 'Maria da Silva',
  email: 'maria@exemplo.com.br',
  taxId: '52998224725',
  phone: null as string | null,
}

function newCharge(now: Date, totalCents: number) {
  return {
    transactionId: v7(),
    createdAt: now.toISOString(),
    ...{ totalCents, amountCents: totalCents },
    ...{ title: 'Bolo de cenoura', slug: 'bolodecen' },
    merchant: { name: 'Padaria São João', city: 'São Paulo' },
    payer: MARIA_PAYER,
  }
}

export function newPixCharge(now: Date, more: Partial<PixCharge> = {}): PixCharge {
  const charge = newCharge(now, 1_990)
  const txid = `PL${charge.transactionId.replaceAll('-', '')}`
  const expiresAt = new Date(now.getTime() + 1_800_000).toISOString()
  return { ...charge, method: 'pix', txid, expiresAt, ...more }
}

/** R$ 100,00 and their interest, in three, of a payer who also has a phone. */
export function newCardCharge(now: Date, more: Partial<CardCharge> = {}): CardCharge {
  return {
    ...newCharge(now, 10_605),
    ...{ amountCents: 10_000, method: 'credit_card', installments: 3, card: null },
    payer: { ...MARIA_PAYER, phone: '11987654321' },
    returnUrl: 'https://loja.example/pagar/x/payments/t',
    ...more,
  }
}

export function buildChargeKey(charge: Charge, reference: string | null = null): ChargeKey {
  const { transactionId, createdAt, method, amountCents, totalCents } = charge
  const asked = { transactionId, createdAt, method, amountCents, totalCents }
  return { ...asked, pixTxid: null, endToEndIds: [], reference }
}

export function buildPixChargeKey(
  charge: PixCharge,
  reference: string | null,
  ...endToEndIds: string[]
): ChargeKey {
  return { ...buildChargeKey(charge, reference), pixTxid: charge.txid, endToEndIds }
}

export function buildRefundRequest(
  { transactionId, totalCents }: PixCharge,
  amountCents: number,
  paid: { reference: string | null; endToEndId?: string | undefined },
): RefundRequest {
  return {
    refundId: v7(),
    transactionId,
    method: 'pix',
    chargeReference: paid.reference,
    endToEndId: paid.endToEndId ?? null,
    reference: null,
    amountCents,
    totalCents,
    ...{ earlier: [], laterReferences: [], isFirst: true },
  }
}
