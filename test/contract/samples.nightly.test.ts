// The programs of the guides, run as they stand there against the service.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { texts } from '../../src/texts.ts'
import { openPayments } from '../support/payments.ts'
import { startTestApp } from '../support/test-app.ts'
import { type Language, languagesOf, needLanguage, runSample } from './languages.ts'

const LANGUAGES = ['Shell', 'Node', 'Python', 'PHP']
const DAY = '2026-11-21'

const testApp = await startTestApp()
const { addPayment, addLink } = openPayments(testApp)
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.addresses()[0] as AddressInfo
const baseUrl = `http://127.0.0.1:${port}`
const languages = languagesOf('create')

/** Runs the programs of one language with the key of a company of their own. */
async function openProgrammer(language: Language, address = baseUrl) {
  const company = await testApp.newCompany()
  const env = { BASE_URL: address, KEY: company.key }
  const tryRun = (task: string, ...args: string[]) => runSample(task, language, { args, env })

  async function run(task: string, ...args: string[]) {
    const { status, output, errors } = await tryRun(task, ...args)
    expect(status, output + errors).toBe(0)
    return output.split('\n')
  }

  /** Sold as it stands there, at that instant. */
  async function openMerchant() {
    const customer = await company.post('/api/customers', { name: 'Maria Silva' })
    const linkId = await addLink({ companyId: company.id })
    const merchant = { companyId: company.id, customerId: customer.json().id, linkId }
    return (at: string, more = {}) => addPayment(merchant, at, more)
  }

  return { company, run, tryRun, openMerchant }
}

test('each task of an integration has its program in each language', () => {
  const namesOf = (task: string) => languagesOf(task).map(({ name }) => name)

  for (const task of ['create', 'pay', 'list', 'refund', 'reconcile', 'retry']) {
    expect(namesOf(task), task).toEqual(LANGUAGES)
  }
  expect(namesOf('verify')).toEqual(['Node', 'Python', 'PHP'])
})

test.for(languages)(
  '$name makes a link, pays it, and gives a part back',
  async (language, context) => {
    needLanguage(context, language)
    const { company, run } = await openProgrammer(language)

    const [url] = await run('create')
    const again = await run('create')
    const slug = url!.split('/').at(-1)!
    const [paid] = await run('pay', slug)
    const [id, status] = paid!.split(' ')
    const refunded = await run('refund', id!)
    const refundedAgain = await run('refund', id!)

    expect(again).toEqual([url])
    expect(status).toBe('approved')
    expect(refunded).toEqual(['succeeded 500'])
    expect(refundedAgain).toEqual(refunded)
    expect((await company.get(`/api/transactions/${id}`)).json()).toMatchObject({
      paymentLinkSlug: slug,
      externalReference: 'pedido-1042',
      status: 'partially_refunded',
      refundedCents: 500,
    })
  },
)

test.for(languages)('$name pages through a list to its end', async (language, context) => {
  needLanguage(context, language)
  const { run, openMerchant } = await openProgrammer(language)
  const sell = await openMerchant()
  const made: string[] = []
  for (let second = 0; second < 101; second++) {
    const at = new Date(Date.parse(`${DAY}T12:00:00Z`) + second * 1_000).toISOString()
    made.push(await sell(at))
  }

  const lines = await run('list')

  expect(lines).toEqual(made.reverse().map((id) => `${id} 10000`))
})

test.for(languages)('$name reconciles a day of São Paulo', async (language, context) => {
  needLanguage(context, language)
  const { run, openMerchant } = await openProgrammer(language)
  const sell = await openMerchant()
  await sell('2026-11-21T02:59:59.999Z', { externalReference: 'na véspera' })
  await sell('2026-11-21T03:00:00.000Z', { externalReference: 'pedido-1', totalCents: 1990 })
  const late = { approvedAt: '2026-11-22T02:59:59.999Z', externalReference: 'pedido-2' }
  await sell('2026-11-20T12:00:00.000Z', { ...late, totalCents: 3000 })
  await sell('2026-11-22T03:00:00.000Z', { externalReference: 'no dia seguinte' })
  await sell('2026-11-21T12:00:00.000Z', { status: 'partially_refunded', refundedCents: 500 })

  expect(await run('reconcile', DAY)).toEqual([
    'pedido-2 3000 0',
    'null 10000 500',
    'pedido-1 1990 0',
    '3 pagamentos, 14990 centavos',
  ])
  expect(await run('reconcile', '2026-11-19')).toEqual(['0 pagamentos, 0 centavos'])
})

test.for(languages)('$name fails with the sentence of a refusal', async (language, context) => {
  needLanguage(context, language)
  const { company, run, tryRun } = await openProgrammer(language)
  const unknown = '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'

  for (const { task, args, sentence } of [
    { task: 'pay', args: ['2222222222'], sentence: 'Link de pagamento não encontrado' },
    { task: 'refund', args: [unknown], sentence: 'Transação não encontrada' },
    { task: 'reconcile', args: ['ontem'], sentence: 'approvedFrom: ' },
    { task: 'retry', args: ['com espaço'], sentence: 'Idempotency-Key: ' },
  ]) {
    const { status, output, errors } = await tryRun(task, ...args)
    expect(status, task).not.toBe(0)
    expect(output + errors).toContain(sentence)
  }
  await run('create')
  await testApp.db.$client.query('update api_keys set revoked_at = now() where company_id = $1', [
    company.id,
  ])
  const { status, output, errors } = await tryRun('list')
  expect(status).not.toBe(0)
  expect(output + errors).toContain('Chave de API inválida ou ausente')
})

const sent = languages.flatMap((language) => [
  { ...language, loss: 'before it begins', part: 0 },
  { ...language, loss: 'in the middle', part: 0.5 },
])

test.for(sent)('$name sends again when the answer is lost $loss', async (language, context) => {
  needLanguage(context, language)
  const gateway = await openBadGateway(language.part)
  const { company, run } = await openProgrammer(language, gateway.url)

  const [url] = await run('retry', 'pedido-1044')

  const { data } = (await company.get('/api/payment-links')).json()
  expect(data.map((link: { url: string }) => link.url)).toEqual([url])
  expect(gateway.asked).toHaveLength(4)
  expect(new Set(gateway.asked)).toEqual(new Set(['pedido-1044']))
})

const FAILURES: Record<number, { status: number; body: string }> = {
  2: { status: 502, body: '<h1>502 Bad Gateway</h1>' },
  3: { status: 503, body: JSON.stringify({ status: 'error', message: texts.unavailable }) },
}

/** Passes on a part of the first answer, fails then as a proxy and as we do, and only then answers. */
async function openBadGateway(part: number) {
  const asked: unknown[] = []
  const server = createServer(async (request, response) => {
    const turn = asked.push(request.headers['idempotency-key'])
    const failure = FAILURES[turn]
    if (failure) {
      response.writeHead(failure.status, { 'retry-after': '1' }).end(failure.body)
      return
    }
    const answer = await forward(request)
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-length': body.length })
    if (turn > 1) response.end(body)
    else if (part === 0) response.destroy()
    else response.write(body.subarray(0, body.length * part), () => response.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port: at } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${at}`, asked }
}

async function forward(request: IncomingMessage) {
  const { authorization = '', 'idempotency-key': name } = request.headers
  const body = Buffer.concat(await request.toArray())
  const headers = {
    authorization,
    'content-type': 'application/json',
    'idempotency-key': String(name),
  }
  return fetch(baseUrl + request.url, { method: 'POST', headers, body })
}
