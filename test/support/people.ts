// People of companies, for tests: each with an e-mail of their own and the same good password, and
// some with a second step.
import { TOTP } from 'otpauth'
import type { Database } from '../../src/database/connect.ts'
import type { Role } from '../../src/database/enums.ts'
import { signInWithPassword } from '../../src/users/sign-in.ts'
import { confirmTotpSetup, startTotpSetup } from '../../src/users/two-factor.ts'
import type { House } from './house.ts'
import { PASSWORD, writeUser } from './users.ts'

export const STEP_MS = 30_000

export type Person = { id: string; email: string; companyId: string; role: Role }

let made = 0
let addresses = 0

/** Another one each time. */
export function newAddress() {
  return `10.${addresses >> 8}.${addresses++ & 255}.1`
}

/** So that what is asked at once is not done one after another, on the only connection there is. */
export async function openConnections(db: Database) {
  await Promise.all(Array.from({ length: 8 }, () => db.$client.query('select pg_sleep(0.1)')))
}

/** What an app that knows the secret shows at a time. */
export function codeOf(secret: string, at: Date) {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() })
}

export function peopleOf({ db, cipher, needs, newCompany }: House) {
  return { newPerson, newCodePerson, ticketOf, at }

  /** Of `companyId`, or of a company of their own. */
  async function newPerson({ companyId, role = 'owner' }: Partial<Person> = {}): Promise<Person> {
    const person = {
      companyId: companyId ?? (await newCompany()).id,
      email: `pessoa${++made}@exemplo.com.br`,
      role,
    }
    const { id } = await writeUser(db, person)
    return { ...person, id }
  }

  /** Whose second step is on since `now`, by the code of 30 s before. */
  async function newCodePerson(now: Date) {
    const person = await newPerson()
    const { secret } = (await startTotpSetup(db, cipher, person.id))!
    const enabledBy = codeOf(secret, new Date(now.getTime() - STEP_MS))
    const recovery = (await confirmTotpSetup(db, cipher, person.id, enabledBy, now))!
    return { person, secret, recovery, enabledBy }
  }

  /** What the right password is answered by whose second step is on. */
  async function ticketOf({ email }: Person, now: Date) {
    const answer = await signInWithPassword(db, { email, password: PASSWORD }, at(now))
    if (answer.kind !== 'code') throw new Error(`asked for no code: ${answer.kind}`)
    return answer.ticket
  }

  function at(now: Date, address = newAddress()) {
    return { limiter: needs.limiter, cipher, address, now }
  }
}
