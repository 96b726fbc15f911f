// Corrects instants from a provider that cannot be: before the payment was created, or in the future. The provider's
// own value is kept too.
import type { Approval, ProviderDispute } from '../../providers/provider.ts'
import type { ReceivedPix } from '../../providers/received.ts'
import type { TransactionRow } from '../transaction.ts'

type Bounds = { earliest: string; latest: string }

/** The years that Postgres accepts for an instant. */
const STORABLE_PATTERN = /^(?!0000)\d{4}-/

export function clampApproval(
  approval: Approval,
  { createdAt }: Pick<TransactionRow, 'createdAt'>,
  now: Date,
): Approval {
  const bounds = { earliest: createdAt, latest: now.toISOString() }
  const disputes = approval.disputes?.map((dispute) => clampDispute(dispute, bounds))
  const common = { ...(disputes && { disputes }) }
  return approval.received
    ? { ...approval, ...common, received: approval.received.map((pix) => clampPaid(pix, bounds)) }
    : { ...clampPaid(approval, bounds), ...clampCharges(approval.charges, bounds), ...common }
}

function clampCharges(charges: ReceivedPix[] | undefined, bounds: Bounds) {
  return charges && { charges: charges.map((charge) => clampPaid(charge, bounds)) }
}

export function clampPaid<Paid extends { paidAt: string; reportedPaidAt?: string }>(
  paid: Paid,
  bounds: Bounds,
): Paid {
  const { reported, ...rest } = clampInstant(paid.paidAt, paid.reportedPaidAt, bounds)
  return { ...paid, paidAt: rest.at, ...(reported && { reportedPaidAt: reported }) }
}

function clampDispute(dispute: ProviderDispute, bounds: Bounds): ProviderDispute {
  const { openedAt, closedAt, reportedOpenedAt, reportedClosedAt } = dispute
  const opened = clampInstant(openedAt, reportedOpenedAt, bounds)
  const closed = closedAt
    ? clampInstant(closedAt, reportedClosedAt, { ...bounds, earliest: opened.at })
    : undefined
  return {
    ...dispute,
    openedAt: opened.at,
    ...(opened.reported && { reportedOpenedAt: opened.reported }),
    ...(closed && { closedAt: closed.at }),
    ...(closed?.reported && { reportedClosedAt: closed.reported }),
  }
}

export function clampInstant(said: string, reported = said, { earliest, latest }: Bounds) {
  const [first, last] = [Date.parse(earliest), Date.parse(latest)]
  const at = new Date(Math.max(first, Math.min(Date.parse(said), last))).toISOString()
  const isCorrected = reported !== at && STORABLE_PATTERN.test(reported)
  return { at, reported: isCorrected ? reported : undefined }
}
