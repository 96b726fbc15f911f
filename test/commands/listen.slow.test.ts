// The CLI's `listen` and `trigger`, each a process of its own beside a house that serves.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { saveServiceFacts } from '../../src/database/open.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { openCheckout } from '../support/payer.ts'
import { CLI, PROGRAM_ENV } from '../support/processes/program.ts'
import { answerWith, findRefusingUrl, openReceiver } from '../support/receiver.ts'
import { startTestApp, type TestCompany } from '../support/test-app.ts'

const testApp = await startTestApp()
const { db, cipher, url: databaseUrl, newCompany } = testApp
const { newLink } = openCheckout(testApp)
const server = await testApp.app.listen({ port: 0, host: '127.0.0.1' })

const UNTIL = { timeout: 15_000 }

/** The CLI with these words; `lines` is what it has written so far. */
function start(...words: string[]) {
  const env = { ...PROGRAM_ENV, DATABASE_URL: databaseUrl, SECRET_KEY: testApp.secretKey }
  const child = spawn(process.execPath, [CLI, ...words], { env })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [lines, errors]: [string[], string[]] = [[], []]
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  return { child, lines, errors }
}

async function endOf(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return child.exitCode ?? child.signalCode
}

async function run(...words: string[]) {
  const { child, lines, errors } = start(...words)
  return { status: await endOf(child), stdout: lines.join('\n'), stderr: errors.join('\n') }
}

/** Forwards to `url` from now on. */
async function listen({ key }: TestCompany, url: string, ...more: string[]) {
  const to = ['--server', server, '--key', key, '--url', url]
  const running = start('listen', ...to, '--json', ...more)
  await expect.poll(() => running.lines.length, UNTIL).toBe(1)
  const told = () => running.lines.slice(1).map((line) => JSON.parse(line))
  return { ...running, opening: JSON.parse(running.lines[0]!), told }
}

test('the company may be left out as long as there is only one', async () => {
  const company = await newCompany()
  const trigger = () => run('trigger', 'transaction.approved', '--json')

  const made = await trigger()
  await newCompany()
  const refused = await trigger()

  const { data } = (await company.get('/api/events')).json()
  expect(data).toMatchObject([{ id: JSON.parse(made.stdout).id }])
  expect(refused.status).toBe(1)
  expect(JSON.parse(refused.stderr)).toEqual({
    error: 'There is more than one company: give --company (see company list).',
  })
})

test('without --server and without an address in the environment it asks the service beside it, whatever its port is', async () => {
  await saveServiceFacts(db, {
    ...{ baseUrl: server, checkoutUrl: `${server}/pagar`, smtpUrl: undefined },
  })
  const { key } = await newCompany()

  const { lines } = start('listen', '--key', key, '--url', 'http://127.0.0.1:9/', '--json')
  await expect.poll(() => lines.length, UNTIL).toBe(1)

  expect(JSON.parse(lines[0]!)).toMatchObject({ listening: true, server })
})

test('a test event reaches the endpoints that subscribe to it and each listener', async () => {
  const receiver = await openReceiver(answerWith(503))
  const company = await newCompany()
  const companyId = company.id
  const hook = { companyId, url: receiver.url, allowPrivate: true }
  await createEndpoint(db, cipher, hook)
  const { slug } = await newLink({ title: 'Café' }, company)
  const chosen = ['--events', 'transaction.approved', '--secret', `whsec_${'a'.repeat(43)}=`]
  const { opening, told } = await listen(company, receiver.url, ...chosen)
  const trigger = (...words: string[]) => run('trigger', ...words, '--company', companyId, '--json')

  const linkless = await trigger('payment_link.expired')
  const made = await trigger('transaction.approved', '--link', slug)
  await expect.poll(() => told().length, UNTIL).toBe(1)

  const { id } = JSON.parse(made.stdout)
  const [{ body } = { body: '{}' }] = receiver.hits
  expect(JSON.parse(linkless.stdout)).toMatchObject({ deliveries: 0 })
  expect(JSON.parse(made.stdout)).toEqual({ id, type: 'transaction.approved', deliveries: 1 })
  expect(opening.secret).toBe(`whsec_${'a'.repeat(43)}=`)
  const forwarded = { id, type: 'transaction.approved', outcome: 'http_error', statusCode: 503 }
  const times = { ms: expect.any(Number), at: expect.any(String) }
  expect(told()).toEqual([{ ...forwarded, ...times }])
  expect(JSON.parse(body)).toMatchObject({
    type: 'transaction.approved',
    testMode: true,
    data: { transaction: { paymentLinkSlug: slug }, paymentLink: { slug, title: 'Café' } },
  })
  const event = (await company.get(`/api/events/${id}`)).json()
  expect(event).toMatchObject({ testMode: true, deliveries: [{ status: 'pending' }] })
})

test('people read lines, in which a receiver that is not there is named so', async () => {
  const company = await newCompany()
  const url = await findRefusingUrl()
  const to = ['--server', server, '--key', company.key, '--url', url.replace('http://', '')]
  const { child, lines } = start('listen', ...to)
  await expect.poll(() => lines.length, UNTIL).toBe(2)

  const made = await run('trigger', 'transaction.declined', '--company', company.id)
  await expect.poll(() => lines.length, UNTIL).toBe(3)
  child.kill('SIGTERM')
  const status = await endOf(child)

  expect(lines[0]).toBe(`Events of ${server} are forwarded to ${url}; Ctrl-C ends this.`)
  expect(lines[1]).toMatch(/^Verify them with this secret \(shown only once\): whsec_\S+$/)
  expect(lines[2]).toMatch(
    /^\S+Z {2}transaction\.declined {2}[0-9a-f-]{36} {2}connection_refused {2}\d+ ms$/,
  )
  expect(lines[3]).toBe('Events forwarded: 1.')
  expect(made.stdout).toMatch(
    /^Event \S+ \(transaction\.declined\) is created\. Deliveries created: 0; a disabled endpoint gets its one when it is enabled\.$/,
  )
  expect(status).toBe(0)
})

test('an answer that does not come is given up when the listener ends', async () => {
  const receiver = await openReceiver(() => {})
  const company = await newCompany()
  const { child, told } = await listen(company, receiver.url)
  await run('trigger', 'transaction.approved', '--company', company.id)
  await expect.poll(() => receiver.hits.length, UNTIL).toBe(1)

  child.kill('SIGINT')

  expect(await endOf(child)).toBe(0)
  expect(told()).toEqual([{ ended: true, forwarded: 0 }])
})

test('wrong use and what is not there are said in one sentence, and no secret is repeated', async () => {
  const company = await newCompany()
  const [cut, url] = [company.key.slice(0, -1), 'http://localhost:1/']

  const [nowhere, credentials, mistyped, unknown, lost] = await Promise.all([
    run('listen', '--key', company.key),
    run('listen', '--key', company.key, '--url', 'http://a:b@localhost/'),
    run('listen', '--key', cut, '--url', url),
    run('trigger', 'transaction.lost', '--company', company.id),
    run('trigger', 'transaction.approved', '--company', company.id, '--link', 'nenhum'),
  ])

  expect([nowhere, mistyped, unknown].map(({ status }) => status)).toEqual([2, 2, 2])
  expect(nowhere.stderr).toContain("required option '--url <URL>' not specified")
  expect(mistyped.stderr).toBe('--key must be a complete API key without a typing error.')
  expect(unknown.stderr).toContain('Allowed choices are transaction.approved')
  expect([credentials.status, lost.status]).toEqual([1, 1])
  expect(credentials.stderr).toBe('--url must not contain a user or a password.')
  expect(lost.stderr).toBe('The company has no payment link nenhum: check its slug.')
})
