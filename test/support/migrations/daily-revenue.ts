// The sums of payments that no trigger saw, filled in as the migrations do it.
import { listMigrations } from '../../../src/database/migrations/files.ts'

const TAGS = [
  '0021_daily_revenue_filled',
  '0044_sorted_links_filled',
  '0051_months_of_links_filled',
]

export function listFillStatements() {
  return listMigrations()
    .filter(({ tag }) => TAGS.includes(tag))
    .flatMap(({ statements }) => statements)
    .filter((statement) => statement.includes('INSERT INTO'))
}
