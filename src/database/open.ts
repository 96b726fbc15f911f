// Opens the database: the Postgres of the configuration, or the embedded one in `.data/`. At each start it gets some
// facts of the service, so that commands print working links and write e-mails.
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import type { Database } from './connect.ts'
import { eq, sql } from './drizzle.ts'
import { makeSecretKey, readSecretKey, replaceSecretKey } from './embedded/secret-key.ts'
import { findEmbeddedPostgresUrl, startEmbeddedPostgres } from './embedded/server.ts'
import { installation } from './tables.ts'

export const DATA_DIR = fileURLToPath(new URL('../../.data', import.meta.url))

type DataSourceLog = Parameters<typeof startEmbeddedPostgres>[0]['log']
export type DataSource = { url: string; secretKey: Buffer; stop(): Promise<void> }

/** Opens the database of the service: starts the embedded Postgres if none is configured, and stops it at the end. */
export async function openDataSource({ databaseUrl, secretKey }: Config, log: DataSourceLog) {
  if (databaseUrl && secretKey) {
    return { url: databaseUrl, secretKey, stop: async () => {} }
  }
  const { url, stop } = await startEmbeddedPostgres({
    ...{ dataDir: DATA_DIR, log },
    // A new key would decrypt nothing of data that exists already.
    onFirstStart() {
      if (!secretKey) makeSecretKey(DATA_DIR)
    },
  })
  return { url, secretKey: secretKey ?? readSecretKey(DATA_DIR), stop }
}

/** Opens the database for a command: joins a running embedded Postgres, or starts it for the command. */
export async function joinDataSource(config: Config, log: DataSourceLog): Promise<DataSource> {
  if (config.databaseUrl) return openDataSource(config, log)
  const running = await joinEmbedded(config)
  if (running) return running
  try {
    return await openDataSource(config, log)
  } catch (error) {
    // A service that started at the same time may have been faster.
    const faster = await joinEmbedded(config)
    if (faster) return faster
    throw error
  }
}

async function joinEmbedded(config: Config): Promise<DataSource | undefined> {
  const url = await findEmbeddedPostgresUrl({ dataDir: DATA_DIR })
  if (!url) return undefined
  const secretKey = config.secretKey ?? readSecretKey(DATA_DIR)
  return { url, secretKey, stop: async () => {} }
}

/**
 * Stores SECRET_KEY in the key file of the embedded Postgres once all secrets are encrypted with it, so that a copy of
 * data and key works anywhere. Returns whether the file held another key.
 */
export function keepSecretKey({ databaseUrl, secretKey }: Config) {
  return !databaseUrl && secretKey !== undefined && replaceSecretKey(DATA_DIR, secretKey)
}

/** What commands need to know of the service: its addresses, and whether it sends the e-mails that they write. */
type ServiceFacts = { baseUrl: string; checkoutUrl: string; sendsMail: boolean }

const SERVICE_ENTRY = 'addresses'

/** Stores the facts of the service that starts. */
export async function saveServiceFacts(
  db: Database,
  { baseUrl, checkoutUrl, smtpUrl }: Pick<Config, 'baseUrl' | 'checkoutUrl' | 'smtpUrl'>,
) {
  const facts: ServiceFacts = { baseUrl, checkoutUrl, sendsMail: smtpUrl !== undefined }
  const value = JSON.stringify(facts)
  await db
    .insert(installation)
    .values({ name: SERVICE_ENTRY, value })
    .onConflictDoUpdate({ target: installation.name, set: { value, createdAt: sql`now()` } })
}

/** Returns what the variables say, and for absent ones what the service stored at its last start. */
export async function resolveServiceFacts(db: Database, config: Config): Promise<ServiceFacts> {
  const [row] = await db.select().from(installation).where(eq(installation.name, SERVICE_ENTRY))
  const stored: ServiceFacts = row ? JSON.parse(row.value) : { ...config, sendsMail: false }
  const { baseUrl, checkoutUrl } = config.isAddressGiven ? config : stored
  return { baseUrl, checkoutUrl, sendsMail: config.smtpUrl !== undefined || stored.sendsMail }
}
