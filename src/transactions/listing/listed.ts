// Transactions as lists show them, with the link that each is of: found by their ids, however those were found.
import type { Database } from '../../database/connect.ts'
import { orm } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import {
  createRowReader,
  listColumns,
  queryRowValues,
  type RowQuery,
} from '../../database/row-reader.ts'
import { transactions } from '../../database/tables.ts'
import { notFoundError } from '../../http/errors.ts'
import { transactionTexts } from '../texts.ts'
import type { TransactionRow } from '../transaction.ts'

export type ListedTransaction = TransactionRow & { linkSlug: string; linkTitle: string }

const TRANSACTION_COLUMNS = listColumns(transactions, 'one')
const readTransactionRow = createRowReader(transactions)
const LINK_PLACE = Object.keys(orm.getTableColumns(transactions)).length

/** Those that a query answers the ids of, in its order: in one statement, so that each is as it was found. */
export async function readListedTransactions(
  db: Database,
  page: { toSQL(): { sql: string; params: unknown[] } },
): Promise<ListedTransaction[]> {
  const { sql: text, params: values } = page.toSQL()
  return queryListed(db, {
    text: buildListedText(`select id, row_number() over () as place from (${text}) page (id)`),
    values,
  })
}

/** Those of these ids that the company has, in this order. */
export async function listTransactionsByIds(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<ListedTransaction[]> {
  const text = buildListedText(
    'select * from unnest($1::uuid[]) with ordinality',
    'company_id = $2',
  )
  return ids.length === 0
    ? []
    : queryListed(db, { name: 'listed_transactions', text, values: [ids, companyId] })
}

async function queryListed(db: Database, statement: RowQuery) {
  const rows = await queryRowValues(db, statement)
  return rows.map((values) => {
    const [linkSlug = '', linkTitle = ''] = values.slice(LINK_PLACE).map(String)
    return { ...readTransactionRow(values), linkSlug, linkTitle }
  })
}

// Each by itself (the limit sees to it): joined, a tenth of all would seem worth reading all for.
function buildListedText(wanted: string, condition = 'true') {
  return `
    select ${TRANSACTION_COLUMNS}, link.slug, coalesce(one.link_title, link.title)
    from (${wanted}) wanted (id, place)
    cross join lateral (
      select * from transactions where id = wanted.id and ${condition} limit 1
    ) one
    cross join lateral (
      select slug, title from payment_links where id = one.payment_link_id limit 1
    ) link
    order by place`
}

/** Undefined also for what is no id at all, which Postgres should not be asked about. */
export async function findListedTransaction(
  db: Database,
  companyId: string,
  id: string,
): Promise<ListedTransaction | undefined> {
  const [row] = isUuid(id) ? await listTransactionsByIds(db, companyId, [id]) : []
  return row
}

/** The company's own transaction, or 404. */
export async function requireListedTransaction(db: Database, companyId: string, id: string) {
  const row = await findListedTransaction(db, companyId, id)
  if (!row) throw notFoundError(transactionTexts.notFound)
  return row
}
