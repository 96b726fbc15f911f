// The links that are meant for one customer.
import type { Database } from '../../database/connect.ts'
import { and, desc, eq, ne } from '../../database/drizzle.ts'
import { paymentLinks } from '../../database/tables.ts'
import type { LinkRow } from '../payment-link.ts'

/** Up to `limit` of them, newest first; archived ones are not among them. */
export async function listCustomerLinks(
  db: Database,
  companyId: string,
  customerId: string,
  limit: number,
): Promise<LinkRow[]> {
  return db
    .select()
    .from(paymentLinks)
    .where(
      and(
        eq(paymentLinks.linkedCustomerId, customerId),
        eq(paymentLinks.companyId, companyId),
        ne(paymentLinks.status, 'archived'),
      ),
    )
    .orderBy(desc(paymentLinks.id))
    .limit(limit)
}
