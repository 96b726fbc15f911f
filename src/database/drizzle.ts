// Re-exports Drizzle through `require`. Its import as ESM takes 0.7 s and 120 MB: its package.json has 447 exports,
// which Node's loader reads again for each file.
import { createRequire } from 'node:module'
import type * as Orm from 'drizzle-orm'
import type * as NodePostgres from 'drizzle-orm/node-postgres'
import type * as PgCore from 'drizzle-orm/pg-core'

const require = createRequire(import.meta.url)

export const orm: typeof Orm = require('drizzle-orm')
export const pgCore: typeof PgCore = require('drizzle-orm/pg-core')
export const nodePostgres: typeof NodePostgres = require('drizzle-orm/node-postgres')

export const {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  sql,
} = orm
export type { SQL } from 'drizzle-orm'
export type { NodePgDatabase } from 'drizzle-orm/node-postgres'
export type { AnyPgColumn, PgColumn, PgTable } from 'drizzle-orm/pg-core'
