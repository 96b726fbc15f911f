// Whom the links of a file will be for where the company knows them already, and by another name.
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'

type KnownCustomer = {
  line: number
  /** As the file has it. */
  given: string
  /** As the company has it: who is known stays as they are (customers/resolve.ts). */
  known: string
}

/** Of rows that wait to be made: the first so many, and how many there are. */
export async function listOtherwiseKnown(
  db: Database,
  { id, companyId }: { id: string; companyId: string },
  limit: number,
): Promise<{ customers: KnownCustomer[]; count: number }> {
  const { rows } = await db.execute<KnownCustomer & { count: number }>(sql`
    select line, given, known, count(*) over ()::int as count
    from (
      select line, customer ->> 'name' as given, case
        when customer ->> 'taxId' is not null then (
          select name from customers
          where company_id = ${companyId} and tax_id = link_import_rows.customer ->> 'taxId'
        )
        else (
          select name from customers
          where company_id = ${companyId} and lower(email) = lower(link_import_rows.customer ->> 'email')
            and anonymized_at is null
          order by id limit 1
        )
      end as known
      from link_import_rows where import_id = ${id} and input is not null and customer is not null
    ) named
    where lower(known) <> lower(given)
    order by line limit ${limit}`)
  const customers = rows.map(({ line, given, known }) => ({ line, given, known }))
  return { customers, count: rows[0]?.count ?? 0 }
}

type CompletedDocument = { line: number; name: string; typed: string; taxId: string }

/** Of rows that wait to be made, those whose document had lost its zeros: the first so many. */
export async function listCompletedDocuments(
  db: Database,
  importId: string,
  limit: number,
): Promise<CompletedDocument[]> {
  const { rows } = await db.execute<CompletedDocument>(sql`
    select line, customer ->> 'name' as name, customer ->> 'typedTaxId' as typed,
      customer ->> 'taxId' as "taxId"
    from link_import_rows
    where import_id = ${importId} and input is not null and customer ->> 'typedTaxId' is not null
    order by line limit ${limit}`)
  return rows
}
