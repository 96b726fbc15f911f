// Encrypts values again with the current key, in small batches of one statement each, while other processes run. It may
// be stopped at any time and started again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../connect.ts'
import { sql } from '../drizzle.ts'
import type { Cipher } from './cipher.ts'
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './columns.ts'

const BATCH_SIZE = 500
/** The number of passes over rows that other transactions had locked. */
const MAX_PASSES = 20
const PASS_PAUSE_MS = 250
const MAX_NAMED_ROWS = 20

export type ReencryptProgress = { name: string; looked: number; reencrypted: number }

export type ReencryptedColumn = {
  name: string
  reencrypted: number
  /** The number of values that neither key decrypts: they are lost. */
  unreadable: number
  /** The ids of the first unreadable rows. */
  unreadableRows: string[]
  /** The number of rows that stayed locked by others. */
  busy: number
}

/** `onProgress` is called after every batch. */
export async function reencryptAll(
  db: Database,
  cipher: Cipher,
  onProgress: (progress: ReencryptProgress) => void = () => {},
): Promise<ReencryptedColumn[]> {
  const done: ReencryptedColumn[] = []
  for (const column of ENCRYPTED_COLUMNS)
    done.push(await reencryptColumn(db, cipher, column, onProgress))
  return done
}

type EncryptedCount = { name: string; encrypted: number; stale: number; unreadable: number }

/**
 * Counts, for each column, the encrypted values, those that are not encrypted with today's key, and those that no key
 * decrypts. Of the values with the id of today's key only the first few hundred are tried.
 */
export async function countEncrypted(db: Database, cipher: Cipher): Promise<EncryptedCount[]> {
  const counted: EncryptedCount[] = []
  for (const column of ENCRYPTED_COLUMNS) {
    const { name } = column
    const total = { name, encrypted: 0, stale: 0, unreadable: 0 }
    let isFirst = true
    for await (const batch of readBatches(db, cipher, column)) {
      const stale = batch.filter(({ encrypted }) => !isCurrent(cipher, encrypted))
      const tried = isFirst ? batch : stale
      isFirst = false
      total.encrypted += batch.length
      total.stale += stale.length
      total.unreadable += tried.filter(
        (row) => decryptRow(cipher, column, row) === undefined,
      ).length
    }
    counted.push(total)
  }
  return counted
}

async function reencryptColumn(
  db: Database,
  cipher: Cipher,
  column: EncryptedColumn,
  onProgress: (progress: ReencryptProgress) => void,
): Promise<ReencryptedColumn> {
  const { name } = column
  let reencrypted = 0
  for (let pass = 1; ; pass++) {
    const unreadableRows: string[] = []
    let [looked, busy] = [0, 0]
    for await (const batch of readBatches(db, cipher, column)) {
      const stale = batch.filter(({ encrypted }) => !isCurrent(cipher, encrypted))
      const fresh = stale.flatMap((row) => {
        const text = decryptRow(cipher, column, row)
        if (text === undefined) unreadableRows.push(row.id)
        return text === undefined ? [] : [{ ...row, fresh: encryptRow(cipher, column, row, text) }]
      })
      const written = await writeBatch(db, column, fresh)
      reencrypted += written
      busy += fresh.length - written
      looked += batch.length
      onProgress({ name, looked, reencrypted })
    }
    const unreadable = unreadableRows.length
    if (busy === 0 || pass === MAX_PASSES) {
      const named = unreadableRows.slice(0, MAX_NAMED_ROWS)
      return { name, reencrypted, unreadable, unreadableRows: named, busy }
    }
    await sleep(PASS_PAUSE_MS)
  }
}

type EncryptedRow = { keys: string[]; id: string; encrypted: string }

/**
 * Reads all rows in the order of their keys. After the first batch values of today's key are read as their header
 * alone, since a day's stored answers are many.
 */
async function* readBatches(db: Database, { header }: Cipher, column: EncryptedColumn) {
  const names = Object.keys(column.keys)
  const keys = sql.raw(names.join(', '))
  const value = sql.raw(column.read)
  const mark = header.toString('base64')
  const brief = sql`case when starts_with(${value}, ${mark}) then ${mark} else ${value} end`
  for (let after: string[] | undefined; ; ) {
    const beyond = after
      ? sql`where (${keys}) > (${sql.join(
          after.map((key) => sql`${key}`),
          sql`, `,
        )})`
      : sql``
    const { rows }: { rows: { keys: string[]; encrypted: string | null }[] } = await db.execute(sql`
      select array[${sql.raw(names.map((key) => `${key}::text`).join(', '))}] as keys,
        case when ${sql.raw(column.where)} then ${after ? brief : value} end as encrypted
      from ${sql.raw(column.table)} ${beyond} order by ${keys} limit ${BATCH_SIZE}`)
    yield rows.flatMap(({ keys: key, encrypted }) =>
      encrypted === null ? [] : [{ keys: key, id: key.join(' '), encrypted }],
    )
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)?.keys
  }
}

/**
 * Writes the new values and returns their number. A row that is locked is left for a later pass, and a row that has
 * changed meanwhile stays as it is.
 */
async function writeBatch(
  db: Database,
  column: EncryptedColumn,
  rows: (EncryptedRow & { fresh: string })[],
): Promise<number> {
  if (rows.length === 0) return 0
  const names = Object.keys(column.keys)
  const given = rows.map(({ keys, encrypted, fresh }) => ({
    ...Object.fromEntries(names.map((name, i) => [name, keys[i]])),
    encrypted_before: encrypted,
    encrypted_now: fresh,
  }))
  const types = { ...column.keys, encrypted_before: 'text', encrypted_now: 'text' }
  const shape = Object.entries(types).map(([name, type]) => `${name} ${type}`)
  const table = sql.raw(column.table)
  const { rowCount } = await db.execute(sql`
    with held as materialized (
      select one.ctid as at, encrypted_now from ${table} one
      join jsonb_to_recordset(${JSON.stringify(given)}) given (${sql.raw(shape.join(', '))})
        using (${sql.raw(names.join(', '))})
      where ${sql.raw(column.read)} = encrypted_before
      for no key update of one skip locked
    )
    update ${table} set ${sql.raw(`${column.column} = ${column.write}`)}
    from held where ${table}.ctid = held.at`)
  return rowCount ?? 0
}

function isCurrent({ header }: Cipher, encrypted: string) {
  return encrypted.startsWith(header.toString('base64'))
}

function decryptRow(cipher: Cipher, { slot }: EncryptedColumn, { id, encrypted }: EncryptedRow) {
  try {
    return cipher.decrypt(Buffer.from(encrypted, 'base64'), slot, id)
  } catch {
    return undefined
  }
}

function encryptRow(cipher: Cipher, { slot }: EncryptedColumn, { id }: EncryptedRow, text: string) {
  return cipher.encrypt(text, slot, id).toString('base64')
}
