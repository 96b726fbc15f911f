// Lists every column with encrypted values, for `secrets rotate`, and the place that a value is bound to. The row id of
// a value is the table's key, with its columns joined by a space.
import { type SQL, sql } from '../drizzle.ts'

/** The place that a value belongs to; for a ticket, which is stored in no table, its purpose. */
export type SealedPlace =
  | 'companies.redirect_secret'
  | 'users.totp_secret'
  | 'provider_accounts.config'
  | 'webhook_endpoints.secret'
  | 'webhook_endpoints.header_values'
  | 'idempotency_keys.body'
  | 'mails.secret_link'
  | 'installation.value'
  | 'ticket'

export type SealedColumn = {
  /** The name that operators read. */
  name: string
  /** A secret that moves to another column of its row stays bound to the first one. */
  place: Exclude<SealedPlace, 'ticket'>
  table: string
  /** The columns of the table's key, with their types. */
  keys: Readonly<Record<string, 'uuid' | 'text'>>
  /** How the value is stored: as bytes, or as base64 in a text or in a JSON field. */
  value:
    | { kind: 'bytes' | 'base64'; column: string }
    | { kind: 'json'; column: string; field: string }
  /** A condition for the rows that have an encrypted value. */
  where: string
}

export const CANARY_NAME = 'secret_key_canary'

const ID = { id: 'uuid' } as const

/** The canary comes last: when it has the current key, all others have it too. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  describeBytes('companies.redirect_secret'),
  describeBytes('users.totp_secret'),
  {
    ...describeBytes('provider_accounts.config'),
    keys: { company_id: 'uuid', provider: 'text' },
  },
  describeBytes('webhook_endpoints.secret'),
  describeBytes('webhook_endpoints.secret', 'webhook_endpoints.previous_secret'),
  describeBytes('webhook_endpoints.header_values'),
  {
    name: 'idempotency_keys.body',
    place: 'idempotency_keys.body',
    table: 'idempotency_keys',
    keys: { company_id: 'uuid', route: 'text', key: 'text' },
    value: { kind: 'base64', column: 'body' },
    where: 'body is not null',
  },
  {
    name: 'mails.data.secretLink',
    place: 'mails.secret_link',
    table: 'mails',
    keys: ID,
    value: { kind: 'json', column: 'data', field: 'secretLink' },
    where: "data ? 'secretLink'",
  },
  {
    name: 'installation.value',
    place: 'installation.value',
    table: 'installation',
    keys: { name: 'text' },
    value: { kind: 'base64', column: 'value' },
    where: `name = '${CANARY_NAME}'`,
  },
]

function describeBytes(place: SealedColumn['place'], name: string = place): SealedColumn {
  const [table = '', column = ''] = name.split('.')
  const value = { kind: 'bytes', column } as const
  return { name, place, table, keys: ID, value, where: `length(${column}) > 0` }
}

/** The encrypted value as base64, so that its prefix can be compared. */
export function sealedValueSql({ value }: SealedColumn): SQL {
  switch (value.kind) {
    case 'bytes':
      return sql.raw(`translate(encode(${value.column}, 'base64'), e'\\n', '')`)
    case 'base64':
      return sql.raw(value.column)
    case 'json':
      return sql.raw(`${value.column} ->> '${value.field}'`)
  }
}

/** The column with `fresh`, the SQL of a value in base64, in place of the old value. */
export function replacedValueSql({ value }: SealedColumn, fresh: SQL): SQL {
  const column = sql.raw(value.column)
  switch (value.kind) {
    case 'bytes':
      return sql`decode(${fresh}, 'base64')`
    case 'base64':
      return fresh
    case 'json':
      return sql`jsonb_set(${column}, ${sql.raw(`'{${value.field}}'`)}, to_jsonb(${fresh}))`
  }
}
