// A running service to be scanned, on a throw-away Postgres, behind a proxy that is believed: each request
// comes from another address and, with the key SCAN_KEY, by another of a thousand keys, so that what is behind
// the limits is tried and not the limits.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { issueApiKey } from '../../src/api/api-key.ts'
import { createCompany } from '../../src/companies/company.ts'
import { getSessionCookie } from '../../src/dashboard/access/session-guard.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { createSession, switchEnvironment } from '../../src/users/session.ts'
import { createUser } from '../../src/users/user.ts'
import { reservePort } from '../support/port.ts'
import { startThrowawayPostgres } from '../support/postgres/throwaway.ts'
import { SECRET_KEY, startService } from '../support/processes/service.ts'

export const SCAN_KEY = 'sk_live_test_scan'
const KEYS = 1_000
const LINK = { title: 'Bolo', amountCents: 10_000, methods: ['pix', 'credit_card'] }

export type Target = Awaited<ReturnType<typeof startTarget>>

export async function startTarget() {
  const postgres = await startThrowawayPostgres()
  const port = await reservePort()
  const baseUrl = `http://localhost:${port}`
  const service = await startService(postgres.url, {
    ...{ BASE_URL: baseUrl, TRUST_PROXY: '1', LOG_LEVEL: 'warn', SMTP_URL: 'smtp://127.0.0.1:9' },
  })
  const db = connectDatabase(postgres.url)
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const { test, real } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) keys.push((await issueApiKey(db, test.id, 'Testes')).key)
  const answers = new Map<number, number>()
  const proxy = createServer(forwardTo(new URL(service.baseUrl), keys, answers)).listen(port)

  return {
    baseUrl,
    /** Without the proxy. */
    directUrl: service.baseUrl,
    lines: service.lines,
    /** How many answers of each status there were since the last time, so that one sees what was reached. */
    takeAnswers() {
      const said = [...answers].sort().map(([status, count]) => `${status} × ${count}`)
      answers.clear()
      return said.join(', ')
    },
    async createLink() {
      const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' }
      const body = JSON.stringify(LINK)
      const answer = await fetch(`${baseUrl}/api/payment-links`, { method: 'POST', headers, body })
      // What the API documents; the scan fails where it is not so.
      const { id, slug } = (await answer.json()) as { id: string; slug: string }
      const form = await fetch(`${baseUrl}/pagar/${slug}`)
      const [, quote = ''] = /name="quote" value="([^"]+)"/.exec(await form.text()) ?? []
      return { id, slug, quote }
    },
    /** Sets the installation up for good. Answers the cookie of a session of the owner. */
    async createOwner(email: string, password: string) {
      const user = { companyId: real.id, email, role: 'owner', password } as const
      const made = await createUser(db, user)
      if (made.kind !== 'created') throw new Error(`${email} is somebody already`)
      const seat = { userId: made.id, address: '10.0.0.1', userAgent: 'Scan', now: new Date() }
      const { id, token } = await createSession(db, seat)
      await switchEnvironment(db, id, true)
      return `${getSessionCookie({ baseUrl }).name}=${token}`
    },
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      await service.end()
      await db.$client.end()
      await postgres.stop()
    },
  }
}

function forwardTo({ hostname, port }: URL, keys: readonly string[], answers: Map<number, number>) {
  let turn = 0
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const i = turn++
    const { authorization } = incoming.headers
    const isOurs = authorization === `Bearer ${SCAN_KEY}`
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
      ...(isOurs && { authorization: `Bearer ${keys[i % keys.length]}` }),
    }
    const { method, url: path } = incoming
    const call = request({ hostname, port, method, path, headers }, (answer) => {
      const { statusCode = 502 } = answer
      answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1)
      outgoing.writeHead(statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    call.on('error', () => outgoing.destroy())
    incoming.pipe(call)
  }
}
