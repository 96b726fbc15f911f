// Migrates one template database per run; each test file clones it (database.ts), so that files run
// in parallel on a real Postgres and never see one another.
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../../../src/database/migrations/run.ts'
import { runStatement } from './statement.ts'
import { startThrowawayPostgres } from './throwaway.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The url of a database of the server, as somebody who may create others. */
    server: string
    /** Of the server, where it has one for us. */
    socketFolder: string | null
    template: string
  }
}

export default async function setup({ provide }: TestProject) {
  const own = process.env.TEST_DATABASE_URL ? undefined : await startThrowawayPostgres()
  const server = own?.url ?? (process.env.TEST_DATABASE_URL as string)
  const template = `vintem_template_${randomBytes(6).toString('hex')}`
  await runStatement(server, `create database ${template}`)
  await migrateDatabase(Object.assign(new URL(server), { pathname: `/${template}` }).href)

  provide('server', server)
  provide('socketFolder', own?.socketFolder ?? null)
  provide('template', template)

  return async () => {
    if (own) return own.stop()
    const made = await runStatement(
      server,
      `select datname from pg_database where starts_with(datname, '${template}')`,
    )
    for (const { datname } of made)
      await runStatement(server, `drop database ${datname} with (force)`)
  }
}
