import pg from 'pg'

/** One statement on a connection of its own. */
export function runStatement(url: string, statement: string) {
  return withConnection(url, async (client) => (await client.query(statement)).rows)
}

/** A connection of its own, which waits for as long as the work takes: one of the service's gives up. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
