// Records money that came in for no charge of ours: the payer's bank dropped the txid, or a person paid to the key by
// hand. Each Pix is recorded once, and the company is informed.
import type { Transaction } from '../../database/connect.ts'
import { and, eq, inArray, sql } from '../../database/drizzle.ts'
import { newId } from '../../database/id.ts'
import { type Institution, transactions, unmatchedPayments } from '../../database/tables.ts'
import { type Outbox, queueMail } from '../../mail/outbox.ts'
import type { AccountRow } from '../../providers/accounts.ts'
import type { ListedPix } from '../../providers/received.ts'
import { clampPaid } from '../incoming/instants.ts'
import { parseTxid } from '../txid.ts'
import { publishUnmatched } from './unmatched-payment.ts'

/** The txid of a charge, ours or another system's. Shorter ones are printed on a counter. */
const CHARGE_TXID_PATTERN = /^[A-Za-z0-9]{26,35}$/
const MAX_MAILED_AMOUNTS = 20

type Strays = {
  listed: readonly ListedPix[]
  /** When false, no new Pix is recorded, only the refunds of known ones. */
  mayAdd: boolean
  /** The institution that receives the account's Pix, where it is known. */
  institution: Institution | undefined
}

type RecordContext = { mail?: Outbox | null | undefined; now: Date }

export async function recordUnmatched(
  tx: Transaction,
  account: AccountRow,
  { listed, mayAdd, institution }: Strays,
  { mail, now }: RecordContext,
) {
  const { companyId, testMode } = account
  const isForeign = await findForeignCharges(tx, listed)
  const added: number[] = []
  for (const pix of listed) {
    await recordReturned(tx, account, pix, now)
    const isStray = mayAdd && isOfNoCharge(pix) && !isForeign(pix)
    const isAdded = isStray && (await insertUnmatched(tx, account, { ...pix, institution }, now))
    if (isAdded) added.push(pix.amountCents)
  }
  if (added.length === 0) return
  const data = { amountsCents: added.slice(0, MAX_MAILED_AMOUNTS), testMode }
  const notice = { template: 'payments-unmatched', data, subjectId: companyId } as const
  await queueMail(mail, tx, { companyId, now }, notice)
}

/** A Pix that names a charge of another system, or was paid to another key, is not recorded. */
function isOfNoCharge({ txid, chargeReference, isOfOtherKey, ...pix }: ListedPix) {
  if (isOfOtherKey || chargeReference || pix.refundedCents >= pix.amountCents) return false
  return !txid || !CHARGE_TXID_PATTERN.test(txid) || parseTxid(txid) !== undefined
}

/** A charge of another company here, which may be paid at the same bank account and key. */
async function findForeignCharges(tx: Transaction, listed: readonly ListedPix[]) {
  const ids = listed.flatMap(({ txid }) => parseTxid(txid ?? '') ?? [])
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(inArray(transactions.id, ids))
  const foreign = new Set(rows.map(({ id }) => id))
  return ({ txid }: ListedPix) => foreign.has(parseTxid(txid ?? '') ?? '')
}

/** Records that more of a known Pix went back. */
export async function recordReturned(
  tx: Transaction,
  { companyId, provider, testMode }: Pick<AccountRow, 'companyId' | 'provider' | 'testMode'>,
  { endToEndId, refundedCents }: Pick<ListedPix, 'endToEndId' | 'refundedCents'>,
  now: Date,
) {
  const goneCents = sql`least(amount_cents, ${refundedCents}::int)`
  const [returned] = await tx
    .update(unmatchedPayments)
    .set({ refundedCents: goneCents, updatedAt: now.toISOString() })
    .where(
      and(
        eq(unmatchedPayments.companyId, companyId),
        eq(unmatchedPayments.provider, provider),
        eq(unmatchedPayments.endToEndId, endToEndId),
        sql`refunded_cents < ${goneCents}`,
      ),
    )
    .returning()
  if (returned) await publishUnmatched(tx, 'refunded', returned, { testMode, now })
}

/** False when it is recorded already. */
async function insertUnmatched(
  tx: Transaction,
  { companyId, provider, createdAt, testMode }: AccountRow,
  { payer, institution, ...listed }: ListedPix & Pick<Strays, 'institution'>,
  now: Date,
) {
  const at = now.toISOString()
  const { endToEndId, txid, amountCents, refundedCents } = listed
  const { paidAt } = clampPaid(listed, { earliest: createdAt, latest: at })
  const [added] = await tx
    .insert(unmatchedPayments)
    .values({
      ...{ id: newId(), companyId, provider, endToEndId, txid, amountCents, refundedCents, paidAt },
      ...{ payerName: payer?.name ?? null, payerTaxId: payer?.taxId ?? null, institution },
      ...{ createdAt: at, updatedAt: at },
    })
    .onConflictDoNothing()
    .returning()
  if (added) await publishUnmatched(tx, 'unmatched', added, { testMode, now })
  return added !== undefined
}
