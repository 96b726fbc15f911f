// Every place where something sealed is kept: what it is bound to, and where `secrets rotate` finds it.
// A value's row id is its table's key, the columns joined by a space.
import { type SQL, sql } from '../drizzle.ts'

/** Where a value belongs; of a ticket, which stands in no table, what it is for. */
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
  /** As operators read it. */
  name: string
  /** A secret that moves into another column of its row stays bound to the first. */
  place: Exclude<SealedPlace, 'ticket'>
  table: string
  /** The columns of its key, and their types. */
  keys: Readonly<Record<string, 'uuid' | 'text'>>
  /** How it is kept: as bytes, or as base64 in a text or in a field of JSON. */
  value:
    | { kind: 'bytes' | 'base64'; column: string }
    | { kind: 'json'; column: string; field: string }
  /** Which rows hold something sealed. */
  where: string
}

export const CANARY_NAME = 'secret_key_canary'

const ofBytes = (column: string) => ({
  value: { kind: 'bytes', column } as const,
  where: `length(${column}) > 0`,
})

/** The canary last: where it is under the current key, so is what stands before it. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    ...{ name: 'companies.redirect_secret', place: 'companies.redirect_secret' },
    ...{ table: 'companies', keys: { id: 'uuid' }, ...ofBytes('redirect_secret') },
  },
  {
    ...{ name: 'users.totp_secret', place: 'users.totp_secret' },
    ...{ table: 'users', keys: { id: 'uuid' }, ...ofBytes('totp_secret') },
  },
  {
    ...{ name: 'provider_accounts.config', place: 'provider_accounts.config' },
    ...{
      table: 'provider_accounts',
      keys: { company_id: 'uuid', provider: 'text' },
      ...ofBytes('config'),
    },
  },
  {
    ...{ name: 'webhook_endpoints.secret', place: 'webhook_endpoints.secret' },
    ...{ table: 'webhook_endpoints', keys: { id: 'uuid' }, ...ofBytes('secret') },
  },
  {
    ...{ name: 'webhook_endpoints.previous_secret', place: 'webhook_endpoints.secret' },
    ...{ table: 'webhook_endpoints', keys: { id: 'uuid' }, ...ofBytes('previous_secret') },
  },
  {
    ...{ name: 'webhook_endpoints.header_values', place: 'webhook_endpoints.header_values' },
    ...{ table: 'webhook_endpoints', keys: { id: 'uuid' }, ...ofBytes('header_values') },
  },
  {
    ...{ name: 'idempotency_keys.body', place: 'idempotency_keys.body' },
    ...{ table: 'idempotency_keys', keys: { company_id: 'uuid', route: 'text', key: 'text' } },
    ...{ value: { kind: 'base64', column: 'body' }, where: 'body is not null' },
  },
  {
    ...{
      name: 'mails.data.secretLink',
      place: 'mails.secret_link',
      table: 'mails',
      keys: { id: 'uuid' },
    },
    ...{
      value: { kind: 'json', column: 'data', field: 'secretLink' },
      where: "data ? 'secretLink'",
    },
  },
  {
    ...{ name: 'installation.value', place: 'installation.value' },
    ...{ table: 'installation', keys: { name: 'text' }, where: `name = '${CANARY_NAME}'` },
    value: { kind: 'base64', column: 'value' },
  },
]

/** The sealed value as base64, whose beginning is that of its bytes. */
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

/** The column with `fresh`, a value in base64 that SQL names so, in the place of what it holds. */
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
