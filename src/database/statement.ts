import type { QueryResult, QueryResultRow } from 'pg'
import type { Db } from './connect.ts'

/**
 * Runs a statement, inside the caller's transaction if there is one, under a name: Postgres parses and
 * plans it once per connection, and nothing builds its text again. A name stands for one text only.
 */
export async function runNamedStatement<Row extends QueryResultRow>(
  db: Db,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const query = db._.session.prepareQuery({ sql: text, params: values }, undefined, name, false)
  // Drizzle types no result of a text that it did not build.
  const { rows } = (await query.execute()) as QueryResult<Row>
  return rows
}

/** The same where a row reader takes the rows: their values by position. */
export async function runNamedRowStatement(
  db: Db,
  name: string,
  text: string,
  values: unknown[],
): Promise<unknown[][]> {
  const given = { sql: text, params: values }
  const query = db._.session.prepareQuery<RowStatement>(
    given,
    undefined,
    name,
    true,
    (rows) => rows,
  )
  return query.execute()
}

type RowStatement = { execute: unknown[][]; all: unknown; values: unknown }
