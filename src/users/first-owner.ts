// Sets up an empty installation once, even if several processes start together: a code for the first owner and, on the
// embedded database, a company with a sample key.

import { hash, timingSafeEqual } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { issueApiKey } from '../api/api-key.ts'
import { createCompany, findCompanyPair, updateCompany } from '../companies/company.ts'
import type { Database, Transaction } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { companies, installation } from '../database/tables.ts'
import { createUser, hasUsers, normalizeEmail } from './user.ts'

const SAMPLE_COMPANY_NAME = 'Minha empresa'
/** The name of the key in the sample call that the first start prints. */
const SAMPLE_KEY_NAME = 'Chave do primeiro início'
const FIRST_KEY_NAME = 'Primeira chave'
const SETUP_CODE_ENTRY = 'setup_code_sha256'
const newSetupCode = customAlphabet('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 12)

type InitialCredentials = { code: string; key: string | undefined }
type InitializeResult =
  | ({ kind: 'initialized' } & InitialCredentials)
  /** The result of every later start. */
  | { kind: 'alreadyInitialized' }

/** With `sample` it also creates a company and a key. */
export async function initializeInstallation(
  db: Database,
  cipher: Cipher,
  sample: boolean,
): Promise<InitializeResult> {
  return db.transaction(async (tx) => {
    const code = formatSetupCode(newSetupCode())
    const first = await tx
      .insert(installation)
      .values({ name: SETUP_CODE_ENTRY, value: hashSetupCode(code) })
      .onConflictDoNothing()
      .returning({ name: installation.name })
    if (first.length === 0) return { kind: 'alreadyInitialized' }

    const others = await tx.select({ id: companies.id }).from(companies).limit(1)
    if (!sample || others.length > 0) return { kind: 'initialized', code, key: undefined }
    const { test } = await createCompany(tx, cipher, { name: SAMPLE_COMPANY_NAME })
    const { key } = await issueApiKey(tx, test.id, SAMPLE_KEY_NAME)
    return { kind: 'initialized', code, key }
  })
}

/** Whether this is the code that the first start printed; case and separators do not matter. */
export async function isSetupCode(db: Database, code: string) {
  const [row] = await db.select().from(installation).where(eq(installation.name, SETUP_CODE_ENTRY))
  if (!row) return false
  return timingSafeEqual(Buffer.from(row.value), Buffer.from(hashSetupCode(formatSetupCode(code))))
}

/** Formats `abcd efgh2345` as `ABCD-EFGH-2345`. */
function formatSetupCode(typed: string) {
  const characters = typed.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return characters.replace(/(....)(?=.)/g, '$1-')
}

function hashSetupCode(code: string) {
  return hash('sha256', code)
}

type NewOwner = { companyName: string; email: string; password: string }

export type FirstOwner = Extract<Awaited<ReturnType<typeof createFirstOwner>>, { kind: 'created' }>

/**
 * Creates the first owner, for the company of the first start or a new one, and a key of its test environment;
 * `alreadyOwned`: another person became the owner first.
 */
export async function createFirstOwner(db: Database, cipher: Cipher, owner: NewOwner, now: Date) {
  return db.transaction(async (tx) => {
    // A second request with the code waits here, and then finds the user of the first one.
    await tx
      .select()
      .from(installation)
      .where(eq(installation.name, SETUP_CODE_ENTRY))
      .for('update')
    if (await hasUsers(tx)) return { kind: 'alreadyOwned' as const }
    const { real, test } =
      (await renameSampleCompany(tx, owner.companyName, now)) ??
      (await createCompany(tx, cipher, { name: owner.companyName }))
    const companyId = real.id
    const { email, password } = owner
    const user = await createUser(tx, { companyId, email, password, role: 'owner' })
    // An operator created this user at the same time.
    if (user.kind === 'emailTaken') throw new Error('The first owner exists already')
    const { id: keyId, key } = await issueApiKey(tx, test.id, FIRST_KEY_NAME)
    return {
      kind: 'created' as const,
      companyId,
      userId: user.id,
      email: normalizeEmail(email),
      testCompanyId: test.id,
      keyId,
      keyName: FIRST_KEY_NAME,
      key,
    }
  })
}

async function renameSampleCompany(tx: Transaction, name: string, now: Date) {
  const [sample] = await tx
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.name, SAMPLE_COMPANY_NAME))
    .limit(1)
  if (!sample) return undefined
  await updateCompany(tx, sample.id, { name }, now)
  return findCompanyPair(tx, sample.id)
}

/** Formats the box that the first start prints; code and key are shown only there. */
export function formatWelcome({ code, key }: InitialCredentials, baseUrl: string) {
  const lines = [
    `Vintém is ready at ${baseUrl}`,
    '',
    `Set-up code of the first owner: ${code}`,
    `To use it, open ${baseUrl}/configurar. The code ends with the first`,
    'person, also one that a command such as demo creates.',
    ...(key ? ['', 'Your first payment link:', '', ...buildSampleCurl(baseUrl, key)] : []),
  ]
  const width = Math.max(...lines.map((line) => line.length))
  const rule = '─'.repeat(width + 2)
  const body = lines.map((line) => `│ ${line.padEnd(width)} │`)
  return [`┌${rule}┐`, ...body, `└${rule}┘`, ''].join('\n')
}

function buildSampleCurl(baseUrl: string, key: string) {
  return [
    `curl ${baseUrl}/api/payment-links \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"title":"Bolo de cenoura","amountCents":1990,"methods":["pix","credit_card"]}'`,
  ]
}
