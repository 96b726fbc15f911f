// Reads the disputes of a charge's Pix at Woovi. Each Pix can be disputed once.
import type { DisputeStatus } from '../../database/enums.ts'
import type { ProviderDispute } from '../provider.ts'
import { isRequestRefused, ProviderRefusal } from '../refusal.ts'
import type { OpenPixClient } from './client.ts'
import { DisputeResponse, type OpenPixDispute } from './responses.ts'

/** A charge is normally paid once; further payments are mistakes of the payer. */
const MAX_DISPUTED_PAYMENTS = 5
/** All other statuses, such as CREATED, OPENED or IN_REVIEW, are open. */
const CLOSED_STATUSES = new Map<string, DisputeStatus>([
  ['ACCEPTED', 'lost'],
  ['REJECTED', 'won'],
  ['CANCELED', 'won'],
])

type DisputedPix = { endToEndId: string; amountCents: number }

export async function listChargeDisputes(
  client: OpenPixClient,
  received: readonly DisputedPix[],
  now: Date,
): Promise<ProviderDispute[]> {
  const found = await Promise.all(
    received.slice(0, MAX_DISPUTED_PAYMENTS).map((pix) => findDispute(client, pix, now)),
  )
  return found.filter((dispute) => dispute !== undefined)
}

async function findDispute(client: OpenPixClient, pix: DisputedPix, now: Date) {
  const path = `/dispute/${encodeURIComponent(pix.endToEndId)}`
  try {
    const { dispute } = await client.call(DisputeResponse, { method: 'GET', path })
    const isOther = dispute.endToEndId && dispute.endToEndId !== pix.endToEndId
    return isOther ? undefined : toProviderDispute(dispute, pix, now)
  } catch (error) {
    if (isRequestRefused(error) || isForbidden(error)) return undefined
    throw error
  }
}

/** Woovi gives no amount for a MED: it is the whole Pix. */
function toProviderDispute(
  { status: reported, value, disputeReason, createdAt, updatedAt }: OpenPixDispute,
  { endToEndId, amountCents: cents }: DisputedPix,
  now: Date,
): ProviderDispute {
  const status = CLOSED_STATUSES.get(reported) ?? 'open'
  const openedAt = createdAt ?? now.toISOString()
  return {
    reference: endToEndId,
    kind: 'med',
    endToEndId,
    reason: disputeReason ?? null,
    amountCents: Math.min(value || cents, cents),
    status,
    openedAt,
    closedAt: status === 'open' ? null : (updatedAt ?? now.toISOString()),
    respondBy: null,
  }
}

/** An AppID without access to disputes can still be used for payments; "Testar conexão" shows it. */
export function isForbidden(error: unknown) {
  return error instanceof ProviderRefusal && error.status === 403
}
