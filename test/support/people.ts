// People of companies, for tests: each with an e-mail of their own and the same good password, and
// some with a second step.
import { TOTP } from 'otpauth'
import type { Database } from '../../src/database/connect.ts'
import type { Role } from '../../src/database/enums.ts'
import { signInWithPassword } from '../../src/users/sign-in.ts'
import { confirmTotpSetup, startTotpSetup } from '../../src/users/two-factor.ts'
import { requireKind } from './kind.ts'
import type { TestApp } from './test-app.ts'
import { PASSWORD, writeUser } from './users.ts'

export const STEP_MS = 30_000

export type TestUser = { id: string; email: string; companyId: string; role: Role }

let userCount = 0
let addressCount = 0

/** Another one each time. */
export function newUserAddress() {
  return `10.${addressCount >> 8}.${addressCount++ & 255}.1`
}

/** So that what is asked at once is not done one after another, on the only connection there is. */
export async function warmConnections(db: Database) {
  await Promise.all(Array.from({ length: 8 }, () => db.$client.query('select pg_sleep(0.1)')))
}

/** What an app that knows the secret shows at a time. */
export function generateTotpCode(secret: string, at: Date) {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() })
}

export function openUsers({ db, cipher, needs, newCompany }: TestApp) {
  return { newPerson, newCodePerson, ticketOf, at }

  /** Of `companyId`, or of a company of their own. */
  async function newPerson({
    companyId,
    role = 'owner',
  }: Partial<TestUser> = {}): Promise<TestUser> {
    const person = {
      companyId: companyId ?? (await newCompany()).realId,
      email: `pessoa${++userCount}@exemplo.com.br`,
      role,
    }
    const { id } = await writeUser(db, person)
    return { ...person, id }
  }

  /** A person with the second step on since `now`, turned on by the code of 30 s before. */
  async function newCodePerson(now: Date) {
    const person = await newPerson()
    const { secret } = requireKind(await startTotpSetup(db, cipher, person.id), 'started')
    const enabledBy = generateTotpCode(secret, new Date(now.getTime() - STEP_MS))
    const recovery = requireKind(
      await confirmTotpSetup(db, cipher, person.id, enabledBy, now),
      'enabled',
    ).recoveryCodes
    return { person, secret, recovery, enabledBy }
  }

  /** The ticket that the right password gets when the second step is on. */
  async function ticketOf({ email }: TestUser, now: Date) {
    const answer = await signInWithPassword(db, { email, password: PASSWORD }, at(now))
    if (answer.kind !== 'code') throw new Error(`asked for no code: ${answer.kind}`)
    return answer.ticket
  }

  function at(now: Date, address = newUserAddress()) {
    return { limiter: needs.limiter, cipher, address, now }
  }
}
