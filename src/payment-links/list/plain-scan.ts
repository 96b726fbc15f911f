// The list that nothing narrows, as SQL for many that are asked for at once.
import { MIN_UUID } from '../../database/id.ts'

export type PlainQuery = { companyId: string; cursor: string; limit: number }

/** From below which id on, and how many at most: SQL. */
type ScanBounds = { below?: string; limit?: string }

/**
 * For each of the rows `asked`. The company and the id are compared as one: on its own, the id would
 * invite a scan past everybody's links.
 */
export function buildPlainScan(
  columns: string,
  { below = 'asked.cursor', limit = '1' }: ScanBounds,
) {
  return `
    select ${columns} from payment_links
    where (company_id, id) < (asked."companyId", ${below})
      and (company_id, id) >= (asked."companyId", '${MIN_UUID}') and status <> 'archived'
    order by company_id desc, id desc limit ${limit}`
}
