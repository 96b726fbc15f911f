// Creates many links at once. Each is checked as a single link and has its own result; the valid ones are inserted
// by one statement, all or none.

import type { Company } from '../../companies/company.ts'
import type { Database, Db } from '../../database/connect.ts'
import { and, eq, inArray } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import { type CreateContext, deriveIds, newSlug } from '../../database/id.ts'
import { paymentLinks } from '../../database/tables.ts'
import { type AppError, invalidFieldsError } from '../../http/errors.ts'
import { joinFieldErrors, pickRightFields, toFieldErrors } from '../../http/zod.ts'
import { buildLinkRefusal, findLinkableCustomers, validateNewLink } from '../field-errors.ts'
import { buildLinkRow, type LinkRow, withWords } from '../payment-link.ts'
import { NewPaymentLink } from '../schema.ts'

export const MAX_BATCH_LINKS = 500

type BatchResult =
  | { kind: 'created'; link: LinkRow; prefill: NewPaymentLink['prefill'] }
  | { kind: 'refused'; refusal: AppError }

/**
 * Answers in the order of `given`. Links that a repeated request with the same `made.id` has already created are
 * returned as they are.
 */
export async function createPaymentLinks(
  db: Database,
  company: Company,
  given: readonly unknown[],
  made: CreateContext,
): Promise<BatchResult[]> {
  const ids = deriveIds(made.id, given.length)
  const validated = await validateLinks(db, company, given, made.now)
  const results = validated.map((one, i): BatchResult => {
    if (one.kind === 'refused') return one
    const context = { id: requireFound(ids[i]), now: made.now }
    const link = buildLinkRow(company, one.input, context)
    return { kind: 'created', link, prefill: one.input.prefill }
  })
  const written = await insertLinks(db, listCreatedRows(results))
  const unwritten = ids.filter((id) => !written.has(id))
  if (unwritten.length === 0) return results
  const known = await findLinksByIds(db, company.id, unwritten)
  return results.map((result, i) => {
    const link = known.get(requireFound(ids[i]))
    if (!link) return result
    return { kind: 'created', link, prefill: 'prefill' in result ? result.prefill : undefined }
  })
}

/**
 * Returns the ids of the links that this call inserted: rows with an id that already exists are skipped. A slug
 * that is taken is replaced in its row.
 */
export async function insertLinks(
  db: Db,
  rows: readonly LinkRow[],
  tries = 3,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  // Conflicts of any column are skipped, so a used slug skips a row too.
  const inserted = await db
    .insert(paymentLinks)
    .values(rows.map(withWords))
    .onConflictDoNothing()
    .returning({ id: paymentLinks.id })
  const written = new Set(inserted.map(({ id }) => id))
  const left = rows.filter(({ id }) => !written.has(id))
  if (left.length === 0 || tries === 0) return written
  for (const row of left) row.slug = newSlug()
  return new Set([...written, ...(await insertLinks(db, left, tries - 1))])
}

type ValidatedLink =
  | { kind: 'valid'; input: NewPaymentLink }
  | Extract<BatchResult, { kind: 'refused' }>

async function validateLinks(
  db: Database,
  company: Company,
  given: readonly unknown[],
  now: Date,
): Promise<ValidatedLink[]> {
  const read = given.map(readLink)
  const customerIds = read.flatMap(({ right }) => right.linkedCustomerId ?? [])
  const linkable = await findLinkableCustomers(db, company.id, [...new Set(customerIds)])
  return read.map(({ input, right, errors }) => {
    const others = validateNewLink(company, right, { linkable, now })
    if (!input)
      return { kind: 'refused', refusal: invalidFieldsError(joinFieldErrors(errors, others)) }
    const refusal = buildLinkRefusal(others)
    return refusal ? { kind: 'refused', refusal } : { kind: 'valid', input }
  })
}

/** `right`: the fields of the link or, when it is refused, its valid fields. */
function readLink(given: unknown) {
  const { data: input, error } = NewPaymentLink.safeParse(given)
  return input
    ? { input, right: input, errors: [] }
    : { right: pickRightFields(NewPaymentLink, given), errors: toFieldErrors(error) }
}

function listCreatedRows(results: readonly BatchResult[]) {
  return results.flatMap((result) => (result.kind === 'created' ? result.link : []))
}

async function findLinksByIds(db: Db, companyId: string, ids: string[]) {
  const rows = await db
    .select()
    .from(paymentLinks)
    .where(and(inArray(paymentLinks.id, ids), eq(paymentLinks.companyId, companyId)))
  return new Map(rows.map((row) => [row.id, row]))
}
