// The list that nothing narrows, as SQL for many that are asked for at once.
import { MIN_UUID } from '../../database/id.ts'

export type PlainQuery = { companyId: string; cursor: string; limit: number }

/**
 * For each of the rows `asked`, up to `limit`, which is SQL. The company and the id are compared as one: on
 * its own, the id would invite a scan past everybody's links.
 */
export function buildPlainScan(columns: string, limit: string) {
  return `
    select ${columns} from payment_links
    where (company_id, id) < (asked."companyId", asked.cursor)
      and (company_id, id) >= (asked."companyId", '${MIN_UUID}') and status <> 'archived'
    order by company_id desc, id desc limit ${limit}`
}
