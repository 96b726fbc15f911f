// `listen` on a machine that has neither the database nor its key, while the service ends and starts again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { issueApiKey, revokeApiKey } from '../../src/api/api-key.ts'
import { createCompany } from '../../src/companies/company.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { recordEvent } from '../../src/webhooks/events/event.ts'
import { reservePort } from '../support/port.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { CLI, PROGRAM_ENV } from '../support/processes/program.ts'
import { SECRET_KEY, type Service, startService } from '../support/processes/service.ts'
import { answerWith, openReceiver } from '../support/receiver.ts'

const { db, url: databaseUrl } = await openDatabase()
const UNTIL = { timeout: 20_000 }
const services: Service[] = []

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')))
})

async function serve(port: string) {
  const service = await startService(databaseUrl, { port, WEBHOOK_ALLOW_PRIVATE: 'true' })
  services.push(service)
  return service
}

async function newKey() {
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const { test: company } = await createCompany(db, cipher, { name: 'Padaria Sol' })
  return { companyId: company.id, ...(await issueApiKey(db, company.id, 'Terminal')) }
}

async function emit(companyId: string) {
  const type = 'transaction.approved' as const
  const event = { companyId, type, testMode: true, data: {}, now: new Date() }
  return (await db.transaction((tx) => recordEvent(tx, event))).eventId
}

/** The CLI with these words and nothing of the service's environment. */
function run(...words: string[]) {
  const child = spawn(process.execPath, [CLI, 'listen', '--json', ...words], { env: PROGRAM_ENV })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [lines, errors]: [string[], string[]] = [[], []]
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  return { child, lines, errors, told: () => lines.map((line) => JSON.parse(line)) }
}

async function endOf(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return child.exitCode ?? child.signalCode
}

test('events are forwarded and signed, and none is lost or doubled while the service is killed and started again', async () => {
  const port = String(await reservePort())
  const service = await serve(port)
  const { companyId, key } = await newKey()
  const receiver = await openReceiver(answerWith(204))
  const { child, told } = run('--url', receiver.url, '--key', key, '--server', service.baseUrl)
  await expect.poll(() => told().length, UNTIL).toBe(1)

  await service.end('SIGKILL')
  const made = [await emit(companyId)]
  await serve(port)
  for (let i = 0; i < 5; i++) made.push(await emit(companyId))
  await expect.poll(() => receiver.hits.length, UNTIL).toBe(6)
  await services.at(-1)!.end('SIGTERM')
  for (let i = 0; i < 5; i++) made.push(await emit(companyId))
  await serve(port)
  await expect.poll(() => receiver.hits.length, UNTIL).toBe(11)
  made.push(await emit(companyId))
  await expect.poll(() => receiver.hits.length, UNTIL).toBe(12)
  child.kill('SIGINT')

  const [opening, ...rest] = told()
  expect(await endOf(child)).toBe(0)
  expect(opening).toMatchObject({ listening: true, server: service.baseUrl })
  expect(told().at(-1)).toEqual({ ended: true, forwarded: 12 })
  expect(rest.filter(({ waiting }) => waiting)).toHaveLength(2)
  expect(receiver.hits.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
    made.toSorted(),
  )
  for (const { headers, body } of receiver.hits) {
    const verified = new Webhook(opening.secret).verify(body, headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'transaction.approved', testMode: true })
  }
})

test('a key that is revoked ends it, and the reason is said in one sentence', async () => {
  const port = String(await reservePort())
  const { baseUrl } = await serve(port)
  const { companyId, id, key } = await newKey()
  const to = ['--url', 'http://127.0.0.1:1/', '--key', key]
  const { child, told, errors } = run(...to, '--server', `${baseUrl}/`)
  await expect.poll(() => told().length, UNTIL).toBe(1)

  await revokeApiKey(db, id, new Date())
  // The key is looked at before an event is sent, and every 15 s.
  await emit(companyId)

  expect(await endOf(child)).toBe(1)
  expect(JSON.parse(errors[0]!)).toEqual({
    error: 'The service says: Chave de API inválida ou ausente.',
  })
})
