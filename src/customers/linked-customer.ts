// The customer whom a payment link is meant for, and who may pay it then: whoever has their document.

import type { Database } from '../database/connect.ts'
import { type CustomerRow, findCustomer } from './customer.ts'

type Linked = { companyId: string; linkedCustomerId: string | null }

/** Undefined for a link for anyone, which it is again once its customer was anonymized. */
export async function findLinkedCustomer(
  db: Database,
  { companyId, linkedCustomerId }: Linked,
): Promise<CustomerRow | undefined> {
  return linkedCustomerId ? findCustomer(db, companyId, linkedCustomerId) : undefined
}

/** Anybody's document will do where that of the link's customer is not known. */
export function isDocumentAccepted(linked: CustomerRow | undefined, taxId: string) {
  return !linked?.taxId || linked.taxId === taxId
}
