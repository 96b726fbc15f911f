// A value that we know, sealed in the database at the first start: a SECRET_KEY that does not open it is not
// the one of this database, and nothing is begun with it. Which keys were, by their ids, is kept beside it.
import type { Config } from '../../config.ts'
import type { Database } from '../connect.ts'
import { desc, eq, sql } from '../drizzle.ts'
import { requireFound } from '../found.ts'
import { companies, installation } from '../tables.ts'
import { type Cipher, SEAL_HEADER_BYTES } from './encryption.ts'
import { CANARY_NAME } from './sealed.ts'

const CANARY_TEXT = 'vintem'
const PLACE = 'installation.value'
/** Of a database that lost its canary, as a restore in parts leaves it, so many secrets are tried. */
const MAX_TRIED = 20

/** Throws one sentence that says what to do where the key is another than that of this database. */
export async function verifySecretKey(
  db: Database,
  cipher: Cipher,
  { databaseUrl, secretKey }: Pick<Config, 'databaseUrl' | 'secretKey'>,
) {
  if (await isKeyOfDatabase(db, cipher)) return
  const what = 'is not the key that the secrets in this database were sealed with'
  throw new Error(
    databaseUrl || secretKey
      ? `SECRET_KEY ${what}: set the one that it had before or, while you change keys, give that one as SECRET_KEY_PREVIOUS.`
      : `.data/secret-key ${what}: put the file back that was made together with .data/postgres, or give its text as SECRET_KEY.`,
  )
}

/**
 * Whether `previous` was this database's SECRET_KEY before the current one: a new one that waits to become it is
 * none, nor one that other processes have begun with already.
 */
export async function isFormerKey(db: Database, previous: Cipher, current: Cipher) {
  const { rows } = await db.execute<{ former: boolean }>(sql`
    select exists (
      select from installation former join installation latter on former.created_at < latter.created_at
      where former.name = ${nameKey(previous.header)} and latter.name = ${nameKey(current.header)}
    ) as former`)
  return requireFound(rows[0]).former
}

/** Whether what is sealed by now opens here: while others go on, `secrets rotate` may have sealed it anew. */
export async function isKeyInUse(db: Database, cipher: Cipher): Promise<boolean> {
  const known = await readCanary(db)
  return known === undefined || isOpened(() => openCanary(cipher, known))
}

async function isKeyOfDatabase(db: Database, cipher: Cipher): Promise<boolean> {
  const known = await readCanary(db)
  if (known !== undefined) {
    if (!isOpened(() => openCanary(cipher, known))) return false
    await recordKey(db, cipher)
    return true
  }
  // A key that opens nothing of what is there must not become the one of this database.
  if (!(await opensSomeSecret(db, cipher))) return false
  const value = cipher.encrypt(CANARY_TEXT, PLACE, CANARY_NAME).toString('base64')
  await db.insert(installation).values({ name: CANARY_NAME, value }).onConflictDoNothing()
  const written = await readCanary(db)
  if (written === undefined || !isOpened(() => openCanary(cipher, written))) return false
  await recordKey(db, cipher)
  return true
}

/** Sealed: no other database has the same, but a copy of this one. */
export async function readCanary(db: Database) {
  const [row] = await db.select().from(installation).where(eq(installation.name, CANARY_NAME))
  return row?.value
}

async function recordKey(db: Database, { header }: Cipher) {
  await db
    .insert(installation)
    .values({ name: nameKey(header), value: '' })
    .onConflictDoNothing()
}

/** By the id that all begins with that it seals. */
function nameKey(sealed: Buffer) {
  return `secret_key_used ${sealed.subarray(0, SEAL_HEADER_BYTES).toString('base64')}`
}

function openCanary(cipher: Cipher, value: string) {
  return cipher.decrypt(Buffer.from(value, 'base64'), PLACE, CANARY_NAME)
}

/** Also where there is none. */
async function opensSomeSecret(db: Database, cipher: Cipher) {
  const { id, redirectSecret } = companies
  const found = await db
    .select({ id, redirectSecret })
    .from(companies)
    .where(sql`length(${redirectSecret}) > 0`)
    .orderBy(desc(id))
    .limit(MAX_TRIED)
  if (found.length === 0) return true
  return found.some((one) =>
    isOpened(() => cipher.decrypt(one.redirectSecret, 'companies.redirect_secret', one.id)),
  )
}

function isOpened(open: () => string) {
  try {
    open()
    return true
  } catch {
    return false
  }
}
