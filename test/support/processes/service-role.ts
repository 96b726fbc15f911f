// The role and the database that docker-compose.yml makes for the service: an owner, and no superuser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runStatement } from '../postgres/statement.ts'
import { REPOSITORY } from './repository-copy.ts'

export const SERVICE_PASSWORD = 'segredo-do-servico'

/** Runs .docker/role.sql as psql would, on an empty server; the address of what it has made. */
export async function createServiceRole(serverUrl: string) {
  const script = readFileSync(join(REPOSITORY, '.docker/role.sql'), 'utf8')
  const sentences = script
    .replace(/^(?:--|\\getenv password POSTGRES_PASSWORD).*\n/gm, '')
    .replaceAll(":'password'", `'${SERVICE_PASSWORD}'`)
    .split(';')
  for (const sentence of sentences) await runStatement(serverUrl, sentence)
  const url = Object.assign(new URL(serverUrl), { pathname: '/vintem' })
  return Object.assign(url, { username: 'vintem', password: SERVICE_PASSWORD }).href
}
