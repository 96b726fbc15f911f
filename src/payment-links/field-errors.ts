// Finds errors of a link's fields that depend on the time or on other rows.

import { type Company, listOfferedMethods } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { and, eq, inArray, isNull, pgCore, sql } from '../database/drizzle.ts'
import type { PaymentMethod } from '../database/enums.ts'
import { addYear } from '../database/instant.ts'
import { customers } from '../database/tables.ts'
import { getTaxId } from '../format.ts'
import { AppError, type FieldError, invalidFieldsError } from '../http/errors.ts'
import { findReadOnlyErrors } from '../http/fields.ts'
import { texts } from '../texts.ts'
import { findCarriedErrors } from './custom-fields.ts'
import { echoedLinkFields, type NewPaymentLink, type PaymentLinkChanges } from './schema.ts'
import { linkTexts } from './texts.ts'

const METHOD_UNAVAILABLE = 'method_unavailable'

/** Returns the errors of a new link; when some fields have the wrong shape, also those of the other fields. */
export async function findNewLinkErrors(
  db: Database,
  company: Company,
  input: Partial<NewPaymentLink>,
  now: Date,
): Promise<FieldError[]> {
  const { linkedCustomerId: id } = input
  const linkable = await findLinkableCustomers(db, company.id, id ? [id] : [])
  return validateNewLink(company, input, { linkable, now })
}

export function validateNewLink(
  company: Company,
  input: Partial<NewPaymentLink>,
  { linkable, now }: { linkable: LinkableCustomers; now: Date },
): FieldError[] {
  const { methods = [], tags = [], metadata = {}, customFields } = input
  const known = { testMode: company.testMode, imageUrl: null }
  return [
    ...findReadOnlyErrors(echoedLinkFields, input, known),
    ...findMethodErrors(company, methods),
    ...(input.methods
      ? findInterestFreeErrors(input, getMaxInstallments(company, { ...input, methods }))
      : []),
    ...findCustomerErrors(input.linkedCustomerId, linkable),
    ...findPrefillErrors(input, linkable),
    ...findExpiryErrors(input.expiresAt, now),
    ...findCarriedErrors({ tags, metadata, customFields }),
  ]
}

/** Returns the errors of a link's customer, who must belong to the company and not be anonymized. */
export async function findLinkedCustomerErrors(
  db: Database,
  companyId: string,
  id: string | null | undefined,
): Promise<FieldError[]> {
  if (!id) return []
  return findCustomerErrors(id, await findLinkableCustomers(db, companyId, [id]))
}

/** The documents of customers that a link may name, by their ids. */
type LinkableCustomers = ReadonlyMap<string, string | null>

/** Returns which of these customers a link may name. */
export async function findLinkableCustomers(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<LinkableCustomers> {
  if (ids.length === 0) return new Map()
  const stays = pgCore.alias(customers, 'stays')
  const found = await db
    .select({ id: customers.id, taxId: stays.taxId })
    .from(customers)
    // A customer who was merged into another one has its document.
    .innerJoin(stays, sql`${stays.id} = coalesce(${customers.mergedInto}, ${customers.id})`)
    .where(
      and(inArray(customers.id, ids), eq(stays.companyId, companyId), isNull(stays.anonymizedAt)),
    )
  return new Map(found.map((customer) => [customer.id, getTaxId(customer.taxId)]))
}

function findCustomerErrors(
  id: string | null | undefined,
  linkable: LinkableCustomers,
): FieldError[] {
  if (!id || linkable.has(id.toLowerCase())) return []
  const message = linkTexts.customerNotFound
  return [{ field: 'linkedCustomerId', code: 'not_found', message }]
}

/** Only the document of the link's customer pays it (checkout/linked-customer.ts). */
function findPrefillErrors(
  { prefill, linkedCustomerId }: Partial<NewPaymentLink>,
  linkable: LinkableCustomers,
): FieldError[] {
  const taxId = linkable.get(linkedCustomerId?.toLowerCase() ?? '')
  if (!taxId || !prefill?.taxId || prefill.taxId === taxId) return []
  const message = linkTexts.prefillDocument
  return [{ field: 'prefill.taxId', code: 'document_refused', message }]
}

/** Returns the errors of an expiry that is set at `now`. */
export function findExpiryErrors(expiresAt: string | null | undefined, now: Date): FieldError[] {
  if (!expiresAt) return []
  const at = new Date(expiresAt)
  if (at > now && at <= addYear(now)) return []
  return [{ field: 'expiresAt', code: 'invalid_date', message: linkTexts.expiresAt }]
}

/** Returns the highest number of installments of a new link. */
export function getMaxInstallments(
  company: Company,
  { methods, maxInstallments }: Pick<NewPaymentLink, 'methods' | 'maxInstallments'>,
) {
  return maxInstallments ?? (methods.includes('credit_card') ? company.defaultMaxInstallments : 1)
}

/** More installments without interest than the link offers are a mistake. */
export function findInterestFreeErrors(
  { interestFreeInstallments: free }: Pick<PaymentLinkChanges, 'interestFreeInstallments'>,
  most: number,
): FieldError[] {
  if (!free || free <= most) return []
  const message = linkTexts.interestFree(most)
  return [{ field: 'interestFreeInstallments', code: 'invalid_installments', message }]
}

/** Finds methods without a provider, by which nothing could be received; only in the real environment. */
export function findMethodErrors(
  company: Company,
  methods: readonly PaymentMethod[],
): FieldError[] {
  const offered = listOfferedMethods(company, methods)
  return methods
    .filter((method) => !offered.includes(method))
    .map((method) => ({
      field: 'methods',
      code: METHOD_UNAVAILABLE,
      message: linkTexts.methodUnavailable(texts.methods[method]),
    }))
}

/** Throws when there are errors. */
export function refuseLinkErrors(errors: FieldError[]) {
  const refusal = buildLinkRefusal(errors)
  if (refusal) throw refusal
}

/** Unavailable methods alone have a code of their own. */
export function buildLinkRefusal(errors: FieldError[]): AppError | undefined {
  const [first] = errors
  if (!first) return undefined
  if (errors.some(({ code }) => code !== METHOD_UNAVAILABLE)) return invalidFieldsError(errors)
  return new AppError(422, METHOD_UNAVAILABLE, first.message, { errors })
}
