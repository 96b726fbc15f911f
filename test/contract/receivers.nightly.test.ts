// The receivers of the documentation, as they stand there: each accepts what we send and nothing else.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deliverDue } from '../../src/webhooks/deliveries/delivery.ts'
import { newWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts'
import { reservePort } from '../support/port.ts'
import { openReceiver } from '../support/receiver.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'
import { type Language, languagesOf, needLanguage, runSample, startSample } from './languages.ts'

const BODY = JSON.stringify({ type: 'transaction.approved', data: { título: 'Pão de açúcar' } })
const STARTS_WITHIN_MS = 60_000

const { needs, newCompany } = await openTestApp({ local: true })

const receivers = ['verify', 'library'].flatMap((task) =>
  languagesOf(task).map((language) => ({ task, name: language.name, language })),
)

/** A company that has its payments told to this address. */
async function openMerchant(url: string) {
  const company = await newCompany()
  const endpoint = await company.post('/api/webhook-endpoints', { url })

  /** Sold, paid and told. */
  async function sell() {
    const link = await company.post('/api/payment-links', MINIMAL_LINK)
    const { id }: { id: string } = (
      await company.post(`/api/payment-links/${link.json().id}/simulate-payment`, {})
    ).json()
    await deliverDue(needs, new Date())
    return id
  }

  const secret: string = endpoint.json().secret
  return { secret, sell }
}

async function startReceiver(task: string, language: Language, url: string, secret: string) {
  const { port } = new URL(url)
  const child = startSample(task, language, { env: { PORT: port, WEBHOOK_SECRET: secret } })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  }
  const deadline = Date.now() + STARTS_WITHIN_MS
  while (!(await fetch(url, { method: 'POST' }).catch(() => undefined))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(lines.join(''))
    await sleep(50)
  }
  return lines
}

test.for(receivers)('$name by $task knows our signature', async (receiver, context) => {
  needLanguage(context, receiver.language)
  const url = `http://127.0.0.1:${await reservePort()}/hook`
  const { secret, sell } = await openMerchant(url)
  const old = newWebhookSecret()
  const lines = await startReceiver(receiver.task, receiver.language, url, secret)
  const post = async (headers: object, body = BODY) => {
    const sent = { 'content-type': 'application/json', ...headers }
    return (await fetch(url, { method: 'POST', headers: sent, body })).status
  }
  const now = new Date()
  const early = new Date(now.getTime() - 301_000)
  const genuine = signWebhook([secret], 'evt_1', now, BODY)

  expect(await post(genuine)).toBe(204)
  expect(await post(signWebhook([old, secret], 'evt_2', now, BODY))).toBe(204)
  expect(await post(signWebhook([old], 'evt_3', now, BODY))).toBe(400)
  expect(await post(genuine, BODY.replace('approved', 'refunded'))).toBe(400)
  expect(await post({ ...genuine, 'webhook-id': 'evt_4' })).toBe(400)
  expect(await post(signWebhook([secret], 'evt_5', early, BODY))).toBe(400)
  expect(await post({})).toBe(400)
  expect(await post(genuine)).toBe(204)

  const id = await sell()

  await expect.poll(() => lines.join('')).toContain(id)
})

test('a message that was kept is known again in the shell', async (context) => {
  const [shell] = languagesOf('verify-kept')
  needLanguage(context, shell!)
  const { url, hits } = await openReceiver()
  const { secret, sell } = await openMerchant(url)
  await sell()
  const [{ headers, body }] = hits as [(typeof hits)[number]]
  const verify = (input: string, more: Record<string, string> = {}) =>
    runSample('verify-kept', shell!, {
      input,
      env: {
        WEBHOOK_SECRET: secret,
        WEBHOOK_ID: String(headers['webhook-id']),
        WEBHOOK_TIMESTAMP: String(headers['webhook-timestamp']),
        WEBHOOK_SIGNATURE: `v1,${btoa('x')} ${headers['webhook-signature']}`,
        ...more,
      },
    })
  const timestamp = Number(headers['webhook-timestamp'])

  expect(await verify(body)).toMatchObject({ status: 0, output: 'Assinatura confere' })
  expect(await verify(body.replace('approved', 'refunded'))).toMatchObject({ status: 1 })
  expect(await verify(body, { WEBHOOK_SECRET: newWebhookSecret() })).toMatchObject({ status: 1 })
  expect(await verify(body, { WEBHOOK_TIMESTAMP: String(timestamp - 400) })).toMatchObject({
    status: 1,
    errors: 'Antiga demais\n',
  })
})
