// Stores the addresses of the service in its database at each start, so that commands print working links.
import type { Database } from '../../database/connect.ts'
import { eq, sql } from '../../database/drizzle.ts'
import { installation } from '../../database/tables.ts'

type Addresses = { baseUrl: string; checkoutUrl: string }

const ADDRESSES_ENTRY = 'addresses'

export async function saveAddresses(db: Database, { baseUrl, checkoutUrl }: Addresses) {
  const value = JSON.stringify({ baseUrl, checkoutUrl })
  await db
    .insert(installation)
    .values({ name: ADDRESSES_ENTRY, value })
    .onConflictDoUpdate({ target: installation.name, set: { value, createdAt: sql`now()` } })
}

/** Undefined when the service has never started on this database. */
export async function findAddresses(db: Database): Promise<Addresses | undefined> {
  const [row] = await db.select().from(installation).where(eq(installation.name, ADDRESSES_ENTRY))
  return row && JSON.parse(row.value)
}
