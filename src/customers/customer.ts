// Who pays a company. One customer per document; what a payer typed later does not overwrite what the
// company knows, since anybody can type anybody's document.
import type { Database } from '../database/connect.ts'
import { gather } from '../database/gather.ts'
import { newId } from '../database/id.ts'
import { perDatabase } from '../database/per-database.ts'
import { recordset, snake } from '../database/rows.ts'
import { customers } from '../database/tables.ts'

export type Payer = {
  companyId: string
  name: string
  email: string
  /** From parseTaxId. */
  taxId: string
  phone: string | null
}

/** The id of the company's customer with this document, made on the first payment. */
export async function findOrCreateCustomer(db: Database, payer: Payer, now: Date): Promise<string> {
  const wanted = { ...payer, id: newId(), createdAt: now.toISOString() }
  // Undefined only when another statement made the customer while ours ran: then it is there now.
  for (let tries = 0; tries < 3; tries++) {
    const id = await lookUp(db)(wanted)
    if (id) return id
  }
  throw new Error('The customer could neither be found nor made')
}

type Wanted = Payer & { id: string; createdAt: string }

const KEYS = ['id', 'companyId', 'name', 'email', 'taxId', 'phone', 'createdAt'] as const

// One probe of the index for each payer, whatever the planner thinks of the table's size.
const TEXT = `
  with given as materialized (
    select given.*, (
      select customers.id from customers
      where company_id = given."companyId" and tax_id = given."taxId"
    ) as known
    from ${recordset(customers, KEYS)}
  ),
  made as (
    insert into customers (${KEYS.map(snake)}, updated_at)
    select distinct on ("companyId", "taxId") ${KEYS.map((key) => `"${key}"`)}, "createdAt"
    from given
    where known is null
    on conflict (company_id, tax_id) do nothing
    returning id, company_id, tax_id
  )
  select given.id as wanted, coalesce(known, made.id) as found
  from given
  left join made on made.company_id = "companyId" and made.tax_id = "taxId"`

const lookUp = perDatabase((db: Database) =>
  gather(async (wanted: Wanted[]) => {
    const values = [JSON.stringify(wanted)]
    const query = { name: 'find_or_create_customers', text: TEXT, values }
    const { rows } = await db.$client.query<{ wanted: string; found: string | null }>(query)
    const found = new Map(rows.map((row) => [row.wanted, row.found]))
    return wanted.map(({ id }) => found.get(id) ?? undefined)
  }),
)
