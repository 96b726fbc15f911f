import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts'

const BODY = '{"type":"transaction.approved","data":{"title":"Pão de açúcar"}}'

test('a secret is whsec_ and 32 random bytes in standard base64', () => {
  const secrets = Array.from({ length: 200 }, newWebhookSecret)

  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(new Set(secrets).size).toBe(200)
})

test('any Standard Webhooks library verifies the signature', () => {
  const secret = newWebhookSecret()

  const headers = signWebhook([secret], 'event-1', new Date(), BODY)

  expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
})

test('the timestamp is in whole seconds, rounded down', () => {
  const headers = signWebhook([newWebhookSecret()], 'event-1', new Date(1_767_225_600_999), BODY)

  expect(headers['webhook-timestamp']).toBe('1767225600')
})

test('another body, id, time or secret makes the signature invalid', () => {
  const secret = newWebhookSecret()
  const headers = signWebhook([secret], 'event-1', new Date(), BODY)
  const later = String(Number(headers['webhook-timestamp']) + 1)
  const webhook = new Webhook(secret)

  expect(() => webhook.verify(`${BODY} `, headers)).toThrow()
  expect(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'event-2' })).toThrow()
  expect(() => webhook.verify(BODY, { ...headers, 'webhook-timestamp': later })).toThrow()
  expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow()
})

test('while a secret is rotated the message verifies with either, the current one signing first', () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()]
  const now = new Date()

  const headers = signWebhook([current, previous], 'event-1', now, BODY)

  expect(new Webhook(current).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  expect(new Webhook(previous).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  const alone = signWebhook([current], 'event-1', now, BODY)['webhook-signature']
  expect(headers['webhook-signature'].split(' ')[0]).toBe(alone)
})
