// Opens the database for a command: the service's database, or an embedded one that runs only for the command.

import { type Config, readConfig } from '../config.ts'
import { connectDatabase, type Database } from '../database/connect.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded/server.ts'
import { verifySecretKey } from '../database/encryption/canary.ts'
import { type Cipher, createCipher } from '../database/encryption/cipher.ts'
import { MINUTE_MS } from '../database/instant.ts'
import { migrateDatabase, readSchemaState } from '../database/migrations/run.ts'
import { DATA_DIR, type DataSource, joinDataSource, resolveServiceFacts } from '../database/open.ts'
import type { Outbox } from '../mail/outbox.ts'
import { CommandError, type CommandResult, createProgress, printing } from './command.ts'

export type CommandContext = {
  db: Database
  cipher: Cipher
  config: Config
  /** The running service sends the mails; null when it has no SMTP_URL. */
  mail: Outbox | null
  now: Date
}

const POOL_SIZE = 4
/** Some queries of commands take long. */
const ANSWER_TIMEOUT_MS = 2 * MINUTE_MS
const KEEP_ALIVE_INTERVAL_MS = MINUTE_MS
const SILENT_LOG = { info() {}, warn() {}, error() {} }

/** Runs a command, after checking that the schema is up to date and the key decrypts the secrets. */
export function printingInContext<Args extends unknown[]>(
  work: (at: CommandContext, ...args: Args) => Promise<CommandResult>,
) {
  return printing((...args: Args) => withContext((at) => work(at, ...args)))
}

async function withContext<T>(work: (at: CommandContext) => Promise<T>): Promise<T> {
  const config = readConfig()
  const running = config.databaseUrl ?? (await findEmbeddedPostgresUrl({ dataDir: DATA_DIR }))
  return withDatabase(config, async (home, db) => {
    await ensureSchema(home, db, running === undefined)
    const cipher = createCipher(home.secretKey, config.previousSecretKey)
    await verifySecretKey(db, cipher, config)
    const { baseUrl, checkoutUrl, sendsMail } = await resolveServiceFacts(db, config)
    const mail = sendsMail ? { cipher } : null
    const addressed = { ...config, baseUrl, checkoutUrl }
    return work({ db, cipher, config: addressed, mail, now: new Date() })
  })
}

/** Returns the address that the running service stored, unless a variable sets it; without a database the default. */
export async function findServiceUrl() {
  const config = readConfig()
  const isBeside = config.databaseUrl ?? (await findEmbeddedPostgresUrl({ dataDir: DATA_DIR }))
  if (config.isAddressGiven || !isBeside) return config.baseUrl
  const { baseUrl } = await withDatabase(config, (_home, db) => resolveServiceFacts(db, config))
  return baseUrl
}

/** Opens the database without checking its schema. */
export async function withDatabase<T>(
  config: Config,
  work: (home: DataSource, db: Database) => Promise<T>,
): Promise<T> {
  // The embedded Postgres does not keep this process alive, but stopping it needs the process.
  const alive = setInterval(() => {}, KEEP_ALIVE_INTERVAL_MS)
  try {
    return await withConnection(await joinDataSource(config, SILENT_LOG), work)
  } finally {
    clearInterval(alive)
  }
}

async function withConnection<T>(
  home: DataSource,
  work: (home: DataSource, db: Database) => Promise<T>,
) {
  const db = connectDatabase(home.url, { max: POOL_SIZE, answerTimeoutMs: ANSWER_TIMEOUT_MS })
  try {
    return await work(home, db)
  } finally {
    await db.$client.end()
    await home.stop()
  }
}

/** The service migrates at its start; a command does so only when no service can be running yet. */
async function ensureSchema({ url }: DataSource, db: Database, ours: boolean) {
  const { empty, pending, refusal } = await readSchemaState(db)
  if (pending === 0) return
  // A refused database is refused with its reason by migrateDatabase.
  if (!empty && !ours && !refusal) {
    throw new CommandError(
      `The database is ${pending} migration(s) behind this program: run "migrate" or restart the service.`,
    )
  }
  await migrateDatabase(url, { onProgress: createProgress() })
}
