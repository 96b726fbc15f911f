// What a person wants to find again in a list: its filters under a name, for that person alone.

import { type Database, getViolatedConstraint } from '../database/connect.ts'
import { and, asc, eq } from '../database/drizzle.ts'
import type { ViewedList } from '../database/enums.ts'
import { isUuid, newId } from '../database/id.ts'
import { savedViews, users } from '../database/tables.ts'

export const MAX_SAVED_VIEWS = 20
export const VIEW_NAME_LENGTH = 40
export const VIEW_QUERY_LENGTH = 1_000

type SavedView = typeof savedViews.$inferSelect

type NewSavedView = Pick<SavedView, 'userId' | 'list' | 'name' | 'query'>

type SaveViewResult =
  | { kind: 'saved'; view: SavedView }
  | { kind: 'nameTaken' }
  /** There are as many of this list as there may be. */
  | { kind: 'full' }

export async function createSavedView(
  db: Database,
  view: NewSavedView,
  now: Date,
): Promise<SaveViewResult> {
  return catchTakenName(() =>
    db.transaction(async (tx) => {
      // One after the other, so that they are counted.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, view.userId)).for('update')
      const { userId, list } = savedViews
      const ofList = and(eq(userId, view.userId), eq(list, view.list))
      if ((await tx.$count(savedViews, ofList)) >= MAX_SAVED_VIEWS) return { kind: 'full' }
      const row = { ...view, id: newId(), createdAt: now.toISOString() }
      const [made] = await tx.insert(savedViews).values(row).returning()
      return { kind: 'saved', view: made! }
    }),
  )
}

/** In the order in which they were saved. */
export async function listSavedViews(
  db: Database,
  { userId, list }: { userId: string; list: ViewedList },
): Promise<SavedView[]> {
  return db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.userId, userId), eq(savedViews.list, list)))
    .orderBy(asc(savedViews.id))
}

type ViewKey = { userId: string; id: string }

export async function findSavedView(db: Database, key: ViewKey) {
  if (!isUuid(key.id)) return undefined
  const [found] = await db.select().from(savedViews).where(buildViewCondition(key))
  return found
}

export async function renameSavedView(
  db: Database,
  key: ViewKey,
  name: string,
): Promise<SaveViewResult | { kind: 'gone' }> {
  return catchTakenName(async () => {
    const [view] = await db
      .update(savedViews)
      .set({ name })
      .where(buildViewCondition(key))
      .returning()
    return view ? { kind: 'saved', view } : { kind: 'gone' }
  })
}

export async function removeSavedView(db: Database, key: ViewKey) {
  await db.delete(savedViews).where(buildViewCondition(key))
}

async function catchTakenName<Result>(save: () => Promise<Result>) {
  try {
    return await save()
  } catch (error) {
    if (getViolatedConstraint(error) !== 'saved_views_name') throw error
    return { kind: 'nameTaken' as const }
  }
}

function buildViewCondition({ userId, id }: ViewKey) {
  return and(eq(savedViews.id, id), eq(savedViews.userId, userId))
}
