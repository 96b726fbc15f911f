// A known value that the first start encrypts in the database. The program does not start with a SECRET_KEY that cannot
// decrypt it.
import type { Config } from '../../config.ts'
import type { Database } from '../connect.ts'
import { desc, eq, sql } from '../drizzle.ts'
import { companies, installation } from '../tables.ts'
import type { Cipher } from './cipher.ts'
import { CANARY_NAME } from './columns.ts'

const CANARY_TEXT = 'vintem'
const PLACE = 'installation.value'

/** Throws one sentence with advice when the key is not the one of this database. */
export async function verifySecretKey(
  db: Database,
  cipher: Cipher,
  { databaseUrl, secretKey }: Pick<Config, 'databaseUrl' | 'secretKey'>,
) {
  if (await isKeyOfDatabase(db, cipher)) return
  const what = 'is not the key that the secrets in this database were encrypted with'
  throw new Error(
    databaseUrl || secretKey
      ? `SECRET_KEY ${what}: set the one that it had before or, while you change keys, give that one as SECRET_KEY_PREVIOUS.`
      : `.data/secret-key ${what}: put the file back that was made together with .data/postgres, or give its text as SECRET_KEY.`,
  )
}

/** Whether our key still decrypts the secrets: `secrets rotate` may have encrypted them with a new one meanwhile. */
export async function isKeyInUse(db: Database, cipher: Cipher): Promise<boolean> {
  const known = await readCanary(db)
  return known === undefined || isDecryptable(() => decryptCanary(cipher, known))
}

async function isKeyOfDatabase(db: Database, cipher: Cipher): Promise<boolean> {
  const known = await readCanary(db)
  if (known !== undefined) return isDecryptable(() => decryptCanary(cipher, known))
  // A key that decrypts none of the secrets must not become the key of this database.
  if (!(await decryptsNewestSecret(db, cipher))) return false
  const value = cipher.encrypt(CANARY_TEXT, PLACE, CANARY_NAME).toString('base64')
  await db.insert(installation).values({ name: CANARY_NAME, value }).onConflictDoNothing()
  return isKeyInUse(db, cipher)
}

async function readCanary(db: Database) {
  const [row] = await db.select().from(installation).where(eq(installation.name, CANARY_NAME))
  return row?.value
}

function decryptCanary(cipher: Cipher, value: string) {
  return cipher.decrypt(Buffer.from(value, 'base64'), PLACE, CANARY_NAME)
}

/** Checks a key on a database without canary, as after a partial restore; true when there are no secrets. */
async function decryptsNewestSecret(db: Database, cipher: Cipher) {
  const { id, redirectSecret } = companies
  const [found] = await db
    .select({ id, redirectSecret })
    .from(companies)
    .where(sql`length(${redirectSecret}) > 0`)
    .orderBy(desc(id))
    .limit(1)
  if (!found) return true
  return isDecryptable(() =>
    cipher.decrypt(found.redirectSecret, 'companies.redirect_secret', found.id),
  )
}

function isDecryptable(decrypt: () => string) {
  try {
    decrypt()
    return true
  } catch {
    return false
  }
}
