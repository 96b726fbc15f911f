// Opens the database: the Postgres of the configuration, or the embedded one in `.data/`.
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { makeSecretKey, readSecretKey, replaceSecretKey } from './embedded/secret-key.ts'
import {
  findEmbeddedPostgresUrl,
  readEmbeddedPostgresUrl,
  startEmbeddedPostgres,
} from './embedded/server.ts'

export const DATA_DIR = fileURLToPath(new URL('../../.data', import.meta.url))

type DataSourceLog = Parameters<typeof startEmbeddedPostgres>[0]['log']
export type DataSource = {
  url: string
  /** The current address of an embedded Postgres that another program starts: its port changes with each start. */
  findUrl?: () => string | undefined
  secretKey: Buffer
  stop(): Promise<void>
}

/** For the service: starts the embedded Postgres where none is configured, and stops it in the end. */
export async function openDataSource(
  { databaseUrl, secretKey }: Config,
  log: DataSourceLog,
): Promise<DataSource> {
  if (databaseUrl && secretKey) {
    return { url: databaseUrl, secretKey, stop: async () => {} }
  }
  const { url, stop } = await startEmbeddedPostgres({
    ...{ dataDir: DATA_DIR, log },
    // Beside data that is there already a new one would open none of it.
    onFirstStart() {
      if (!secretKey) makeSecretKey(DATA_DIR)
    },
  })
  return { url, secretKey: secretKey ?? readSecretKey(DATA_DIR), stop }
}

/** For a command beside the service: joins the embedded Postgres that runs, or starts it meanwhile. */
export async function joinDataSource(config: Config, log: DataSourceLog): Promise<DataSource> {
  if (config.databaseUrl) return openDataSource(config, log)
  const running = await joinEmbedded(config)
  if (running) return running
  try {
    return await openDataSource(config, log)
  } catch (error) {
    // The service, begun at the same moment, may have been faster.
    const faster = await joinEmbedded(config)
    if (faster) return faster
    throw error
  }
}

async function joinEmbedded(config: Config): Promise<DataSource | undefined> {
  const url = await findEmbeddedPostgresUrl({ dataDir: DATA_DIR })
  if (!url) return undefined
  const secretKey = config.secretKey ?? readSecretKey(DATA_DIR)
  const findUrl = () => readEmbeddedPostgresUrl({ dataDir: DATA_DIR })
  return { url, findUrl, secretKey, stop: async () => {} }
}

/**
 * Once everything is under SECRET_KEY: beside the embedded Postgres its file holds that key too, so that a copy of
 * both starts wherever it lies. Whether it held another one.
 */
export function keepSecretKey({ databaseUrl, secretKey }: Config) {
  return !databaseUrl && secretKey !== undefined && replaceSecretKey(DATA_DIR, secretKey)
}
