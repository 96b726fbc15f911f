// Pix charges as the walk of a payment asks them of a provider.
import { v7 } from 'uuid'
import type { Charge, ChargeKey, RefundRequest } from '../../../src/providers/provider.ts'

export type PixCharge = Charge & { method: 'pix' }

export function newPixCharge(now: Date, more: Partial<PixCharge> = {}): PixCharge {
  const transactionId = v7()
  return {
    transactionId,
    createdAt: now.toISOString(),
    method: 'pix',
    txid: `PL${transactionId.replaceAll('-', '')}`,
    totalCents: 1_990,
    amountCents: 1_990,
    title: 'Bolo de cenoura',
    slug: 'bolodecen',
    merchant: { name: 'Padaria Sol', city: 'Recife' },
    notifyUrl: 'https://vintem.example.com/webhooks/pix-api/segredo',
    payer: {
      name: 'Maria Silva',
      email: 'maria@exemplo.com.br',
      taxId: '52998224725',
      phone: null,
    },
    expiresAt: new Date(now.getTime() + 1_800_000).toISOString(),
    ...more,
  }
}

export function buildPixChargeKey(
  charge: PixCharge,
  reference: string | null,
  ...endToEndIds: string[]
): ChargeKey {
  const { transactionId, createdAt, method, txid: pixTxid, amountCents, totalCents } = charge
  const asked = { transactionId, createdAt, method, pixTxid, amountCents, totalCents }
  return { ...asked, reference, endToEndIds }
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
