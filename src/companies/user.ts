// The people of a company.
import { brokenConstraint, type Db } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { newId } from '../database/id.ts'
import { users } from '../database/tables.ts'
import { hashPassword } from './password.ts'

type NewUser = { companyId: string; email: string; password: string; role: 'owner' | 'member' }

/** Undefined when the e-mail is already somebody's. */
export async function createUser(db: Db, { companyId, email, password, role }: NewUser) {
  const id = newId()
  const passwordHash = await hashPassword(password)
  try {
    await db.insert(users).values({ id, companyId, email: email.toLowerCase(), passwordHash, role })
  } catch (error) {
    if (brokenConstraint(error) === 'users_email_unique') return undefined
    throw error
  }
  return { id }
}

export async function hasUsers(db: Db) {
  const found = await db.select({ id: users.id }).from(users).limit(1)
  return found.length > 0
}

/** False when nobody has this e-mail. */
export async function setPassword(db: Db, email: string, password: string) {
  const changed = await db
    .update(users)
    .set({ passwordHash: await hashPassword(password) })
    .where(eq(users.email, email.toLowerCase()))
    .returning({ id: users.id })
  return changed.length > 0
}
