// People who exist, with a password that is hashed once in a worker.
import { findCompanyPair } from '../../src/companies/company.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Role } from '../../src/database/enums.ts'
import { requireFound } from '../../src/database/found.ts'
import { memoizeValue } from '../../src/record.ts'
import { hashPassword } from '../../src/users/password.ts'
import { insertUser } from '../../src/users/user.ts'
import { requireKind } from './kind.ts'

/** Everybody's. */
export const PASSWORD = 'pão de queijo quente'

export const hashTestPassword = memoizeValue(() => hashPassword(PASSWORD))

type Someone = { companyId: string; email: string; role: Role }

/** Of the company, whichever of its environments is named. */
export async function writeUser(db: Database, someone: Someone) {
  const { real } = requireFound(await findCompanyPair(db, someone.companyId))
  const person = { ...someone, companyId: real.id, passwordHash: await hashTestPassword() }
  return requireKind(await insertUser(db, person), 'created')
}
