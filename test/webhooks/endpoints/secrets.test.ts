// The secrets of endpoints, and the test events that try them.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createGuardedAgent } from '../../../src/http/outbound.ts'
import { deliverDue } from '../../../src/webhooks/deliveries/delivery.ts'
import { openEndpoints } from '../../support/endpoints.ts'
import { answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, cipher, clock } = testApp
const { newCaller } = openEndpoints(testApp)

const HOUR_MS = 3_600_000
const needs = { db, cipher, agent: createGuardedAgent({ allowPrivate: true }), deadlineMs: 5_000 }

test('a rotated secret is shown once, and both sign for 24 hours', async () => {
  const receiver = await openReceiver(answerWith(204))
  const caller = await newCaller()
  const { id, secret } = await caller.add({ url: receiver.url })

  const rotated = await caller.ask('POST', `/${id}/rotate-secret`)
  await caller.ask('POST', `/${id}/test`)
  await deliverDue(needs, clock.now())

  const { secret: fresh, rotatingUntil } = rotated.json()
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.hits
  const leftMs = Date.parse(rotatingUntil) - clock.now().getTime()
  expect(rotated.statusCode).toBe(200)
  expect(fresh).not.toBe(secret)
  expect(Math.abs(leftMs - 24 * HOUR_MS)).toBeLessThan(60_000)
  for (const one of [secret, fresh]) {
    const signed = { ...headers } as Record<string, string>
    expect(new Webhook(one).verify(body, signed)).toMatchObject({ testMode: true })
  }
  expect((await caller.ask('GET', `/${id}`)).json().rotatingUntil).toBe(rotatingUntil)
})

test('a secret that is rotated again, its first answer lost, cuts off no secret that a receiver may have', async () => {
  const receiver = await openReceiver(answerWith(204))
  const caller = await newCaller()
  const { id, secret } = await caller.add({ url: receiver.url })
  const rotate = async () => (await caller.ask('POST', `/${id}/rotate-secret`)).json().secret

  const rotated = [await rotate(), await rotate()]
  for (let i = 0; i < 4; i++) rotated.push(await rotate())
  await caller.ask('POST', `/${id}/test`)
  await deliverDue(needs, clock.now())

  const [{ headers, body } = { headers: {}, body: '' }] = receiver.hits
  for (const one of [secret, ...rotated.slice(0, 2), ...rotated.slice(-2)]) {
    const signed = { ...headers } as Record<string, string>
    expect(new Webhook(one).verify(body, signed)).toMatchObject({ testMode: true })
  }
  expect(String((headers as Record<string, unknown>)['webhook-signature']).split(' ')).toHaveLength(
    5,
  )
})

test('without an overlap the secret before signs no more, and more than a week is refused', async () => {
  const receiver = await openReceiver(answerWith(204))
  const caller = await newCaller()
  const { id, secret } = await caller.add({ url: receiver.url })
  const rotate = (overlapHours: unknown) =>
    caller.ask('POST', `/${id}/rotate-secret`, { overlapHours })

  const refused = [await rotate(169), await rotate(-1), await rotate(1.5), await rotate('24')]
  const rotated = (await rotate(0)).json()
  await caller.ask('POST', `/${id}/test`)
  await deliverDue(needs, clock.now())

  const [{ headers, body } = { headers: {}, body: '' }] = receiver.hits
  const signed = { ...headers } as Record<string, string>
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422])
  expect(rotated.rotatingUntil).toBeNull()
  expect(() => new Webhook(secret).verify(body, signed)).toThrow()
  expect(new Webhook(rotated.secret).verify(body, signed)).toBeTruthy()
})

test('a test event of any type goes to that endpoint alone, unless it is disabled', async () => {
  const receiver = await openReceiver(answerWith(200))
  const caller = await newCaller()
  const { id } = await caller.add({ url: receiver.url, events: ['payment_link.expired'] })
  await caller.add({ url: receiver.url })
  const sendTest = (type: string) => caller.ask('POST', `/${id}/test`, { type })

  const unknown = await sendTest('transaction.lost')
  const sent = await sendTest('transaction.refunded')
  await deliverDue(needs, clock.now())
  await caller.ask('PATCH', `/${id}`, { disabled: true })
  const disabled = await sendTest('transaction.refunded')

  const { eventId } = sent.json()
  const event = (await caller.get(sent.headers.location!)).json()
  expect(sent.statusCode).toBe(202)
  expect(sent.headers.location).toBe(`/api/events/${eventId}`)
  expect(event).toMatchObject({ id: eventId, type: 'transaction.refunded', testMode: true })
  expect(event.deliveries).toMatchObject([{ endpointId: id, status: 'delivered' }])
  expect(receiver.hits).toHaveLength(1)
  expect(receiver.hits[0]!.headers['webhook-id']).toBe(eventId)
  expect(unknown.statusCode).toBe(422)
  expect(disabled).toMatchObject({ statusCode: 409 })
  expect(disabled.json()).toMatchObject({ code: 'endpoint_disabled' })
})
