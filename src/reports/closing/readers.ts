// Whom a company's closings are sent to: people of its team whose role may see documents in full. Chosen by an
// owner; whoever leaves or loses that role is written to no more.

import type { Database, Db, Transaction } from '../../database/connect.ts'
import { and, asc, eq, inArray, isNull, lt, or } from '../../database/drizzle.ts'
import { companies, users } from '../../database/tables.ts'
import { getKeys } from '../../record.ts'
import { listRolesWith } from '../../users/roles.ts'
import { getDueMonth } from './month.ts'

export type ClosingReader = { id: string; email: string; isChosen: boolean }

/** Who may be chosen, in the order in which they came. `companyId` is the real environment's. */
export async function listPossibleReaders(db: Db, companyId: string): Promise<ClosingReader[]> {
  return db
    .select({ id: users.id, email: users.email, isChosen: users.getsClosings })
    .from(users)
    .where(mayRead(companyId))
    .orderBy(asc(users.id))
}

type ReaderChanges = {
  before: readonly ClosingReader[]
  chosen: Record<string, boolean>
  now: Date
}

/**
 * Unless somebody has chosen otherwise since `before` was read. The first month that new readers get is the one
 * that ends next: what is over by then was sent to whoever wanted it.
 */
export async function saveClosingReaders(
  db: Database,
  companyId: string,
  { before, chosen, now }: ReaderChanges,
): Promise<{ kind: 'saved' } | { kind: 'changed' }> {
  return db.transaction(async (tx) => {
    await tx
      .select({ id: companies.id })
      .from(companies)
      .where(eq(companies.id, companyId))
      .for('no key update')
    const current = await listPossibleReaders(tx, companyId)
    const ids = getKeys(chosen)
    const find = (people: readonly ClosingReader[], id: string) =>
      people.find((person) => person.id === id)?.isChosen
    if (ids.some((id) => find(current, id) !== find(before, id))) return { kind: 'changed' }
    if (!current.some(({ isChosen }) => isChosen)) await skipDueMonth(tx, companyId, now)
    for (const id of ids) {
      await tx
        .update(users)
        .set({ getsClosings: chosen[id] === true })
        .where(and(eq(users.id, id), mayRead(companyId)))
    }
    return { kind: 'saved' }
  })
}

/** Whether this company's month has not been sent, and is from now on. */
export async function claimClosing(tx: Transaction, companyId: string, month: string) {
  const claimed = await tx
    .update(companies)
    .set({ closedMonth: `${month}-01` })
    .where(isUnsent(companyId, month))
    .returning({ id: companies.id })
  return claimed.length > 0
}

async function skipDueMonth(tx: Transaction, companyId: string, now: Date) {
  await claimClosing(tx, companyId, getDueMonth(now))
}

function isUnsent(companyId: string, month: string) {
  const { id, closedMonth } = companies
  return and(eq(id, companyId), or(isNull(closedMonth), lt(closedMonth, `${month}-01`)))
}

function mayRead(companyId: string) {
  const roles = [...listRolesWith('fullDocuments')]
  return and(eq(users.companyId, companyId), inArray(users.role, roles))
}
