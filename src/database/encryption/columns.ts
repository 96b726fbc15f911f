// Lists every column with encrypted values, for `secrets rotate`, and the slot that each value is bound to. The row id of
// a value is the table's key, with its columns joined by a space.

/** The column that a value is bound to; for a ticket, which is stored in no table, its purpose. */
export type EncryptedSlot =
  | 'companies.redirect_secret'
  | 'users.totp_secret'
  | 'provider_accounts.config'
  | 'webhook_endpoints.secret'
  | 'webhook_endpoints.header_values'
  | 'idempotency_keys.body'
  | 'mails.secret_link'
  | 'installation.value'
  | 'ticket'

export type EncryptedColumn = {
  /** The name that operators read. */
  name: string
  /** A secret that moves to another column of its row stays bound to the first one. */
  slot: Exclude<EncryptedSlot, 'ticket'>
  table: string
  /** The columns of the table's key, with their types. */
  keys: Readonly<Record<string, 'uuid' | 'text'>>
  column: string
  /** The SQL of the encrypted value as base64, so that its prefix can be compared. */
  read: string
  /** The SQL of the column with `encrypted_now`, a value in base64, instead of the old one. */
  write: string
  /** A condition for the rows that have an encrypted value. */
  where: string
}

export const CANARY_NAME = 'secret_key_canary'

const ID = { id: 'uuid' } as const

/** The canary comes last: when it has the current key, all others have it too. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  describeBytes('companies.redirect_secret'),
  describeBytes('users.totp_secret'),
  { ...describeBytes('provider_accounts.config'), keys: { company_id: 'uuid', provider: 'text' } },
  describeBytes('webhook_endpoints.secret'),
  describeBytes('webhook_endpoints.secret', 'webhook_endpoints.previous_secret'),
  describeBytes('webhook_endpoints.header_values'),
  {
    ...describeText('idempotency_keys.body', 'body is not null'),
    keys: { company_id: 'uuid', route: 'text', key: 'text' },
  },
  {
    name: 'mails.data.secretLink',
    slot: 'mails.secret_link',
    table: 'mails',
    keys: ID,
    column: 'data',
    read: "data ->> 'secretLink'",
    write: "jsonb_set(data, '{secretLink}', to_jsonb(encrypted_now))",
    where: "data ? 'secretLink'",
  },
  { ...describeText('installation.value', `name = '${CANARY_NAME}'`), keys: { name: 'text' } },
]

function describeBytes(slot: EncryptedColumn['slot'], name: string = slot): EncryptedColumn {
  const [table = '', column = ''] = name.split('.')
  const read = `translate(encode(${column}, 'base64'), e'\\n', '')`
  const write = "decode(encrypted_now, 'base64')"
  return { name, slot, table, keys: ID, column, read, write, where: `length(${column}) > 0` }
}

function describeText(slot: EncryptedColumn['slot'], where: string): EncryptedColumn {
  const [table = '', column = ''] = slot.split('.')
  return { name: slot, slot, table, keys: ID, column, read: column, write: 'encrypted_now', where }
}
