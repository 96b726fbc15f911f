// What is wrong with fields of a link that no shape tells: the moment does, or another row.

import type { Database } from '../database/connect.ts'
import { and, eq, isNull } from '../database/drizzle.ts'
import { DAY_MS } from '../database/instant.ts'
import { customers } from '../database/tables.ts'
import type { FieldError } from '../http/errors.ts'
import { linkTexts } from './texts.ts'

/** A leap year's. */
const YEAR_MS = 366 * DAY_MS

/** What is wrong with a link's customer: only one of the same company that was not anonymized will do. */
export async function findLinkedCustomerErrors(
  db: Database,
  companyId: string,
  id: string | null | undefined,
): Promise<FieldError[]> {
  if (!id) return []
  const { anonymizedAt } = customers
  const found = await db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, id), eq(customers.companyId, companyId), isNull(anonymizedAt)))
  if (found.length > 0) return []
  const message = linkTexts.customerNotFound
  return [{ field: 'linkedCustomerId', code: 'not_found', message }]
}

/** What is wrong with an expiry that is set at `now`. */
export function findExpiryErrors(expiresAt: string | null | undefined, now: Date): FieldError[] {
  if (!expiresAt) return []
  const at = Date.parse(expiresAt)
  if (at > now.getTime() && at <= now.getTime() + YEAR_MS) return []
  return [{ field: 'expiresAt', code: 'invalid_date', message: linkTexts.expiresAt }]
}
