// The sums of payments that no trigger saw, filled in as the migration does it.
import { listMigrations } from '../../../src/database/migrations/files.ts'

export function listFillStatements() {
  const migration = listMigrations().find(({ tag }) => tag === '0021_daily_revenue_filled')
  return migration!.statements.filter((statement) => statement.includes('INSERT INTO'))
}
