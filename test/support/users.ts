// People who exist, with a password that was hashed once for the whole run: to hash it for each of
// them takes longer than most tests.
import { inject } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import type { Role } from '../../src/database/enums.ts'
import { insertUser } from '../../src/users/user.ts'
import { requireKind } from './kind.ts'

/** Everybody's. */
export const PASSWORD = 'pão de queijo quente'

type Someone = { companyId: string; email: string; role: Role }

export async function writeUser(db: Database, someone: Someone) {
  return requireKind(
    await insertUser(db, { ...someone, passwordHash: inject('passwordHash') }),
    'created',
  )
}
