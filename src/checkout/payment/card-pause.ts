// Pauses a link's cards for an hour after too many declines. The company is notified of each pause, and may end it
// early.

import { recordAudit } from '../../companies/audit.ts'
import type { Db, Transaction } from '../../database/connect.ts'
import { and, eq, isNull, lte, or } from '../../database/drizzle.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { paymentLinks } from '../../database/tables.ts'
import { type Outbox, queueMail } from '../../mail/outbox.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'

export const PAUSE_MS = HOUR_MS

/** Returns how long the link still accepts no cards; 0 when it accepts them. */
export function getCardPauseSeconds({ cardsPausedUntil }: LinkRow, now: Date) {
  if (cardsPausedUntil === null) return 0
  return Math.max(0, Math.ceil((Date.parse(cardsPausedUntil) - now.getTime()) / 1_000))
}

type ResumeResult =
  | { kind: 'resumed' }
  /** The link has no pause, or it was ended meanwhile. */
  | { kind: 'notPaused' }

/** Ends the pause that `link` was read with. Earlier declines then no longer count for this link. */
export async function resumeCards(db: Db, link: LinkRow, now: Date): Promise<ResumeResult> {
  const { id, companyId, cardsPausedUntil } = link
  if (cardsPausedUntil === null || getCardPauseSeconds(link, now) === 0) {
    return { kind: 'notPaused' }
  }
  const resumed = await db
    .update(paymentLinks)
    .set({ cardsPausedUntil: now.toISOString() })
    .where(
      and(
        eq(paymentLinks.id, id),
        eq(paymentLinks.companyId, companyId),
        // Clocks differ, so the stored value identifies the pause.
        eq(paymentLinks.cardsPausedUntil, cardsPausedUntil),
      ),
    )
    .returning({ id: paymentLinks.id })
  return { kind: resumed.length > 0 ? 'resumed' : 'notPaused' }
}

type CardPause = {
  link: LinkRow
  /** The number of declined cards. */
  declined: number
  mail: Outbox | null | undefined
  testMode: boolean
  now: Date
}

/** When several attempts reach the limit at once, one of them pauses and notifies. */
export async function pauseCards(tx: Transaction, pause: CardPause) {
  const { link, now } = pause
  const { id, cardsPausedUntil } = paymentLinks
  const until = new Date(now.getTime() + PAUSE_MS).toISOString()
  const over = or(isNull(cardsPausedUntil), lte(cardsPausedUntil, now.toISOString()))
  const paused = await tx
    .update(paymentLinks)
    .set({ cardsPausedUntil: until })
    .where(and(eq(id, link.id), over))
    .returning({ id })
  if (paused.length > 0) await notifyCardPause(tx, { ...pause, until })
}

/** Warns the company once for each pause, not for each decline. */
async function notifyCardPause(
  tx: Transaction,
  { link, declined, until, mail, testMode, now }: CardPause & { until: string },
) {
  const { id: linkId, companyId, title: linkTitle, methods } = link
  await recordAudit(tx, {
    ...{ companyId, actor: 'Vintém', action: 'cards_paused' },
    ...{ subjectId: linkId, subject: linkTitle, now },
    details: { declined: String(declined), pausedUntil: until },
  })
  const data = { linkId, linkTitle, pix: methods.includes('pix'), until, testMode }
  const newMail = { template: 'cards-paused', subjectId: linkId, data } as const
  await queueMail(mail, tx, { companyId, now }, newMail)
}
