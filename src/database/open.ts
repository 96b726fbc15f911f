// Opens the database: the Postgres of the configuration, or the embedded one in `.data/`. At each start it gets the
// addresses of the service, so that commands print working links.
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

type Addresses = { baseUrl: string; checkoutUrl: string }

const ADDRESSES_ENTRY = 'addresses'

export async function saveAddresses(db: Database, { baseUrl, checkoutUrl }: Addresses) {
  const value = JSON.stringify({ baseUrl, checkoutUrl })
  await db
    .insert(installation)
    .values({ name: ADDRESSES_ENTRY, value })
    .onConflictDoUpdate({ target: installation.name, set: { value, createdAt: sql`now()` } })
}

/** Returns the addresses of the variables; without any, those of the service's last start, if it has started. */
export async function resolveAddresses(db: Database, config: Config): Promise<Addresses> {
  if (config.isAddressGiven) return config
  const [row] = await db.select().from(installation).where(eq(installation.name, ADDRESSES_ENTRY))
  return row ? JSON.parse(row.value) : config
}
