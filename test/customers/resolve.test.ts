// Whom the e-mails of a file find, however the database writes letters small.
import { expect, test } from 'vitest'
import { resolveCustomers } from '../../src/customers/resolve.ts'
import { eq } from '../../src/database/drizzle.ts'
import { customers } from '../../src/database/tables.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, clock, newCompany } = await openTestApp()

async function resolve(companyId: string, emails: string[]) {
  const people = emails.map((email) => ({ name: email, email, taxId: null }))
  return db.transaction((tx) => resolveCustomers(tx, companyId, people, clock.now()))
}

// Postgres writes these small in another way than JavaScript does; of a cluster of the locale C, JOSÉ too.
test.each(['ΟΔΟΣ@exemplo.com.br', 'İpek@exemplo.com.br', 'JOSÉ@exemplo.com.br'])(
  'the customer of %s is found by the next file, and by the next rows',
  async (email) => {
    const { id } = await newCompany()

    const [first, again] = await resolve(id, [email, email])
    const [next] = await resolve(id, [email.replace('exemplo', 'EXEMPLO')])

    expect([again, next]).toEqual([first, first])
    expect(await db.select().from(customers).where(eq(customers.companyId, id))).toHaveLength(1)
  },
)
