// `/.well-known/security.txt` (RFC 9116): the contact for security reports about this installation.
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import { and, asc, isNotNull, isNull } from '../database/drizzle.ts'
import { addDelay, DAY_MS } from '../database/instant.ts'
import { companies } from '../database/tables.ts'
import type { ApiNeeds } from '../http/zod.ts'

const PATH = '/.well-known/security.txt'
/** The file expires after this time; the RFC recommends less than a year. */
const VALID_MS = 180 * DAY_MS

export async function securityTextRoutes(app: FastifyInstance, { db, baseUrl, now }: ApiNeeds) {
  app.get(PATH, async (_request, reply) => {
    const email = (await findSupportEmail(db)) ?? `security@${new URL(baseUrl).hostname}`
    const lines = [
      `Contact: mailto:${encodeURI(email)}`,
      `Expires: ${addDelay(now(), VALID_MS)}`,
      'Preferred-Languages: pt-BR, en',
      `Canonical: ${baseUrl}${PATH}`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}

/** Returns the support e-mail of the oldest company that has one, usually the company of the set-up. */
async function findSupportEmail(db: Database) {
  const [company] = await db
    .select({ email: companies.supportEmail })
    .from(companies)
    .where(and(isNull(companies.testOf), isNotNull(companies.supportEmail)))
    .orderBy(asc(companies.id))
    .limit(1)
  return company?.email
}
