// What came in on an account: each Pix, the parts that went back, the lists that providers keep of them, and the
// institution that receives them, as fiscal documents name it.
import { z } from 'zod'
import type { Institution } from '../database/tables.ts'
import { describeField } from '../http/fields.ts'

/** A refund with the provider's id (`RefundOutcome.reference`), and when the money left, if the provider says it. */
export type ProviderReturn = { reference: string; at?: string | undefined }

/** A Pix that was received for a charge, or one of several paid charges of a card. */
export type ReceivedPix = {
  /** The provider's own id if it gives no end-to-end id, or if it is a card. */
  endToEndId: string
  amountCents: number
  paidAt: string
  /** The provider's own value, if `paidAt` differs. */
  reportedPaidAt?: string
  /** Reported by the payer's bank. */
  payer?: { name: string | null; taxId: string | null }
  /** The sum of all refunds of this Pix, also those made at the provider; money taken by a dispute does not count. */
  refundedCents: number
  /** The single refunds, if the provider names them. */
  returns?: ProviderReturn[]
}

/** A Pix that was received on an account, for any charge. */
export type ListedPix = ReceivedPix & {
  /** Null when the provider names no charge for it. */
  txid: string | null
  /** The provider's own id of that charge, if it does not use our txid. */
  chargeReference?: string
  /** How often the payer has disputed it. */
  disputeCount?: number
  /** Paid to another Pix key than the account's: without a named charge it is not ours. */
  isOfOtherKey?: boolean
}

/** Pix received since `from`; with `isReturned`, only Pix refunded or disputed since, in part or whole. */
export type ListWindow = { from: string; isReturned?: boolean }

/** How a Pix names its charge. */
export type NamedPix = Pick<ListedPix, 'txid' | 'chargeReference'>

/** Newest first. Pix received after `until` may not be listed yet. `unread`: those that could not be read. */
export type PixListing = {
  pix: ListedPix[]
  until: string
  unread?: NamedPix[]
  /** In place of Pix, for a provider that lists what changed. */
  charges?: ListedCharge[]
}

/** A charge that has changed, as the provider's list shows it. */
export type ListedCharge = {
  /** Our id, or another system's. */
  transactionId: string
  status: 'paid' | 'unpaid' | 'disputed' | 'unreadable'
  /** The sum of all refunds so far, also those made at the provider. */
  refundedCents: number
  feeCents?: number | undefined
}

export const PixInstitution = z
  .object({
    cnpj: describeField(z.string(), 'O CNPJ, sem pontuação.', '11222333000181'),
    ispb: describeField(z.string(), 'Por ele os bancos se conhecem.', '11222333'),
    name: describeField(z.string().nullable(), 'O nome.', 'Banco de teste'),
  })
  .meta({
    id: 'PixInstitution',
    description: 'A instituição que recebe o Pix, como documentos fiscais a nomeiam.',
  })

export type PixInstitution = z.output<typeof PixInstitution>

/** The ISPB is the beginning of the CNPJ. */
export function serializeInstitution({ cnpj, name }: Institution): PixInstitution {
  return { cnpj, ispb: cnpj.slice(0, 8), name }
}
