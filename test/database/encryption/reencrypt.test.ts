import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCompany, replaceLostRedirectSecrets } from '../../../src/companies/company.ts'
import { decryptRedirectSecret } from '../../../src/companies/redirect-secret.ts'
import { connectDatabase } from '../../../src/database/connect.ts'
import { eq, sql } from '../../../src/database/drizzle.ts'
import { verifySecretKey } from '../../../src/database/encryption/canary.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { ENCRYPTED_COLUMNS } from '../../../src/database/encryption/columns.ts'
import {
  countEncrypted,
  type ReencryptProgress,
  reencryptAll,
} from '../../../src/database/encryption/reencrypt.ts'
import { requireFound } from '../../../src/database/found.ts'
import { newId } from '../../../src/database/id.ts'
import {
  companies,
  idempotencyKeys,
  installation,
  mails,
  providerAccounts,
  users,
  webhookEndpoints,
} from '../../../src/database/tables.ts'
import { replaceLostEndpointSecrets } from '../../../src/webhooks/endpoints/secret.ts'
import { openDatabase } from '../../support/postgres/database.ts'

const { db, url } = await openDatabase()
const [OLD_KEY, NEW_KEY] = [randomBytes(32), randomBytes(32)]
const oldCipher = createCipher(OLD_KEY)
const bothCipher = createCipher(NEW_KEY, OLD_KEY)
const newCipher = createCipher(NEW_KEY)
const EMBEDDED = { databaseUrl: undefined, secretKey: undefined }
const EXTERNAL = { databaseUrl: url, secretKey: OLD_KEY }
const MANY_KEYS = 1_203
const SECURITY_GUIDE = readFileSync('.github/SECURITY.md', 'utf8')

/** One secret in each place, and many answers. */
async function encryptEverywhere() {
  const { real, test } = await createCompany(db, oldCipher, { name: 'Padaria Sol' })
  const [companyId, userId, endpointId, mailId] = [real.id, newId(), newId(), newId()]
  const encrypt = (place: Parameters<typeof oldCipher.encrypt>[1], id: string) =>
    oldCipher.encrypt(`${place} of ${id}`, place, id)
  await db.insert(users).values({
    ...{ id: userId, companyId, email: `${userId}@sol.com.br`, passwordHash: '', role: 'owner' },
    totpSecret: encrypt('users.totp_secret', userId),
  })
  await db.insert(providerAccounts).values({
    ...{ companyId, provider: 'pix-api', notifyToken: newId(), testMode: false },
    config: encrypt('provider_accounts.config', `${companyId} pix-api`),
  })
  await db.insert(webhookEndpoints).values({
    ...{ id: endpointId, companyId, url: 'https://sol.com.br', events: ['transaction.approved'] },
    secret: encrypt('webhook_endpoints.secret', endpointId),
    previousSecret: oldCipher.encrypt('before', 'webhook_endpoints.secret', endpointId),
    headerNames: ['X-Chave'],
    headerValues: encrypt('webhook_endpoints.header_values', endpointId),
  })
  await db.insert(mails).values({
    ...{ id: mailId, companyId, template: 'invitation', recipient: 'ana@sol.com.br' },
    data: { secretLink: encrypt('mails.secret_link', mailId).toString('base64'), name: 'Ana' },
  })
  await db.insert(mails).values({
    ...{ id: newId(), companyId, template: 'receipt', recipient: 'x@y.com', data: {} },
  })
  const keys = Array.from({ length: MANY_KEYS }, (_, i) => ({
    ...{ companyId, route: 'POST /api/payment-links', key: `k${i}`, requestHash: randomBytes(32) },
    ...{ resourceId: newId(), status: 201 },
    body: encrypt('idempotency_keys.body', `${companyId} POST /api/payment-links k${i}`).toString(
      'base64',
    ),
  }))
  await db.insert(idempotencyKeys).values(keys)
  return { companyId, testId: test.id, userId, endpointId, mailId }
}

const made = await encryptEverywhere()
await verifySecretKey(db, oldCipher, EXTERNAL)

test('every column of bytes or encrypted text is known to the rotation', async () => {
  const { rows } = await db.execute<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`)

  const digestsAndPictures = [
    ...['sessions.token_hash', 'invitations.token_hash', 'password_resets.token_hash'],
    'payment_link_images.content',
    ...['company_logos.content', 'api_keys.secret_hash', 'idempotency_keys.request_hash'],
    ...['card_attempts.address', 'card_attempts.card'],
  ]
  const encrypted = ENCRYPTED_COLUMNS.filter(({ write }) => write.startsWith('decode('))
  const known = [...digestsAndPictures, ...encrypted.map(({ name }) => name)]
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort())
})

test('a key that is not the database’s stops the start with what to do', async () => {
  const wrong = createCipher(randomBytes(32))

  await verifySecretKey(db, oldCipher, EXTERNAL)
  await verifySecretKey(db, bothCipher, EXTERNAL)
  for (const home of [EXTERNAL, { ...EMBEDDED, secretKey: OLD_KEY }]) {
    await expect(verifySecretKey(db, wrong, home)).rejects.toThrow(
      /^SECRET_KEY is not the key .* SECRET_KEY_PREVIOUS\.$/,
    )
  }
  await expect(verifySecretKey(db, wrong, EMBEDDED)).rejects.toThrow(
    /^\.data\/secret-key is not the key .*put the file back/,
  )
})

test('a wrong key does not become the one of a database that lost its canary', async () => {
  const isCanary = eq(installation.name, 'secret_key_canary')
  const canary = await db.delete(installation).where(isCanary).returning()

  await expect(verifySecretKey(db, createCipher(randomBytes(32)), EXTERNAL)).rejects.toThrow()
  expect(await db.$count(installation, isCanary)).toBe(0)
  await verifySecretKey(db, oldCipher, EXTERNAL)

  expect(canary).toHaveLength(1)
  expect(await db.$count(installation, isCanary)).toBe(1)
})

test('what somebody holds is waited for without a lock, and the rest is encrypted meanwhile', async () => {
  const other = connectDatabase(url)
  const holder = await other.$client.connect()
  await holder.query('begin')
  await holder.query('select from webhook_endpoints for update')
  const seen: ReencryptProgress[] = []

  const rotating = reencryptAll(db, bothCipher, (progress) => seen.push(progress))
  await expect
    .poll(() => seen.filter(({ name }) => name === 'webhook_endpoints.secret').length)
    .toBeGreaterThan(1)
  const meanwhile = await countEncrypted(db, bothCipher)
  await holder.query('rollback')
  holder.release()
  const columns = await rotating
  await other.$client.end()

  const staleOf = (of: typeof meanwhile) =>
    Object.fromEntries(of.map(({ name, stale }) => [name, stale]))
  expect(staleOf(meanwhile)).toMatchObject({
    ...{ 'companies.redirect_secret': 0, 'provider_accounts.config': 0 },
    ...{ 'webhook_endpoints.secret': 1, 'webhook_endpoints.previous_secret': 1 },
    'webhook_endpoints.header_values': 1,
    ...{ 'idempotency_keys.body': MANY_KEYS, 'installation.value': 1 },
  })
  expect(
    columns.map(({ name, reencrypted, busy, unreadable }) => [name, reencrypted, busy, unreadable]),
  ).toEqual([
    ['companies.redirect_secret', 2, 0, 0],
    ['users.totp_secret', 1, 0, 0],
    ['provider_accounts.config', 1, 0, 0],
    ['webhook_endpoints.secret', 1, 0, 0],
    ['webhook_endpoints.previous_secret', 1, 0, 0],
    ['webhook_endpoints.header_values', 1, 0, 0],
    ['idempotency_keys.body', MANY_KEYS, 0, 0],
    ['mails.data.secretLink', 1, 0, 0],
    ['installation.value', 1, 0, 0],
  ])
})

test('once everything is encrypted again the new key alone opens it, each in its own row', async () => {
  const { companyId, testId, userId, endpointId, mailId } = made

  const counted = await countEncrypted(db, newCipher)
  const again = await reencryptAll(db, newCipher)

  expect(counted.every(({ stale, unreadable }) => stale === 0 && unreadable === 0)).toBe(true)
  expect(again.every(({ reencrypted }) => reencrypted === 0)).toBe(true)
  await verifySecretKey(db, newCipher, EXTERNAL)
  for (const id of [companyId, testId]) {
    const [company] = await db.select().from(companies).where(eq(companies.id, id))
    expect(decryptRedirectSecret(newCipher, company!)).toMatch(/^[0-9a-f]{64}$/)
  }
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  const open = (encrypted: Buffer, ...at: [Parameters<typeof newCipher.decrypt>[1], string]) =>
    newCipher.decrypt(encrypted, ...at)
  expect(open(user!.totpSecret!, 'users.totp_secret', userId)).toBe(
    `users.totp_secret of ${userId}`,
  )
  const [endpoint] = await db.select().from(webhookEndpoints)
  const place = 'webhook_endpoints.secret'
  expect(open(endpoint!.secret, place, endpointId)).toBe(`${place} of ${endpointId}`)
  expect(open(endpoint!.previousSecret!, place, endpointId)).toBe('before')
  const values = 'webhook_endpoints.header_values'
  expect(open(endpoint!.headerValues!, values, endpointId)).toBe(`${values} of ${endpointId}`)
  expect(() => open(endpoint!.previousSecret!, place, newId())).toThrow()
  const [mail] = await db.select().from(mails).where(eq(mails.id, mailId))
  const link = Buffer.from(String(mail!.data.secretLink), 'base64')
  expect(open(link, 'mails.secret_link', mailId)).toBe(`mails.secret_link of ${mailId}`)
  expect(mail!.data.name).toBe('Ana')
})

test('what is encrypted beyond the first rows of a table is counted as what it is', async () => {
  const lastId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
  await db.delete(mails).where(eq(mails.id, made.mailId))
  await db.execute(sql`insert into mails (id, template, recipient, data)
    select gen_random_uuid(), 'receipt', 'x@y.com', '{}' from generate_series(1, 1100)`)
  const secretLink = newCipher.encrypt('x', 'mails.secret_link', lastId).toString('base64')
  await db.insert(mails).values({
    ...{ id: lastId, template: 'invitation', recipient: 'ana@sol.com.br', data: { secretLink } },
  })

  const [ofToday, ofBefore] = [
    await countEncrypted(db, newCipher),
    await countEncrypted(db, createCipher(randomBytes(32), NEW_KEY)),
  ]

  const name = 'mails.data.secretLink'
  const counted = { name, encrypted: 1, unreadable: 0 }
  expect(ofToday).toContainEqual({ ...counted, stale: 0 })
  expect(ofBefore).toContainEqual({ ...counted, stale: 1 })
  await db.delete(mails).where(eq(mails.id, lastId))
})

test('what no key opens is named and left as it is', async () => {
  const lost = createCipher(randomBytes(32)).encrypt('x', 'users.totp_secret', made.userId)
  await db.update(users).set({ totpSecret: lost })

  const columns = await reencryptAll(db, newCipher)

  const [user] = await db.select().from(users)
  expect(user!.totpSecret).toEqual(lost)
  expect(columns.filter(({ unreadable }) => unreadable > 0)).toEqual([
    {
      name: 'users.totp_secret',
      reencrypted: 0,
      unreadable: 1,
      unreadableRows: [made.userId],
      busy: 0,
    },
  ])
})

test('where the key is lost for good, a new one begins once its secrets are given up', async () => {
  const anotherCipher = createCipher(randomBytes(32))
  await expect(verifySecretKey(db, anotherCipher, EXTERNAL)).rejects.toThrow()

  const [, statements] = /```sql\n(delete from installation .*?)```/s.exec(SECURITY_GUIDE) ?? []
  await db.execute(sql.raw(requireFound(statements)))
  await verifySecretKey(db, anotherCipher, EXTERNAL)
  await replaceLostRedirectSecrets(db, anotherCipher)
  await replaceLostEndpointSecrets(db, anotherCipher)

  const counted = await countEncrypted(db, anotherCipher)
  const unread = counted.filter(({ stale, unreadable }) => stale + unreadable > 0)
  expect(unread.map(({ name }) => name)).toEqual([
    ...['users.totp_secret', 'provider_accounts.config'],
  ])
  await expect(verifySecretKey(db, newCipher, EXTERNAL)).rejects.toThrow()
})
