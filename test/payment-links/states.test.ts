// What becomes of a link's state when the company changes it, and of its payments meanwhile.
import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS, openLinkApi } from '../support/link-api.ts'
import { openCheckout } from '../support/payer.ts'
import { countWaiting } from '../support/postgres/waiting.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, newCompany } = testApp
const { newLink, pay, paymentsOf, readLink, listEventTypes } = openCheckout(testApp)
const { inHours, create, patch, paidLink, approve } = openLinkApi(testApp)

test('a link is switched off and on', async () => {
  const company = await newCompany()
  const link = await create(company)

  for (const status of ['inactive', 'active', 'active'] as const) {
    expect((await patch(company, link, { status })).json().status).toBe(status)
  }
})

test('an expired link comes back when its expiry moves or goes, not by status alone', async () => {
  const company = await newCompany()
  const moved = await create(company, { expiresAt: inHours(1) })
  const freed = await create(company, { expiresAt: inHours(1) })
  clock.offsetMs += 2 * HOUR_MS

  const refused = await patch(company, moved, { status: 'active' })

  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    status: 'error',
    code: 'invalid_transition',
    message: 'Este link expirou. Envie também um expiresAt futuro, ou null, para reativá-lo.',
  })
  expect((await patch(company, moved, { title: 'Torta' })).json().status).toBe('expired')
  expect((await patch(company, moved, { expiresAt: inHours(1) })).json().status).toBe('active')
  const both = { status: 'active', expiresAt: null }
  expect((await patch(company, freed, both)).json()).toMatchObject(both)
})

test('a completed link is reopened by a higher limit or none, not by status alone', async () => {
  for (const maxPayments of [2, null]) {
    const { company, link } = await paidLink({ maxPayments: 1 })
    expect((await readLink(link.id)).status).toBe('completed')

    const refusals = {
      active:
        'Este link já recebeu 1 pagamento. Envie um maxPayments maior que 1, ou null, para reativá-lo.',
      inactive: 'Este link está concluído: já não recebe pagamentos, e não precisa ser desativado.',
    }
    for (const [status, message] of Object.entries(refusals)) {
      const refused = await patch(company, link, { status, maxPayments: 1 })
      expect(refused.statusCode).toBe(409)
      expect(refused.json()).toMatchObject({ code: 'invalid_transition', message })
    }
    expect((await patch(company, link, { title: 'Torta' })).json().status).toBe('completed')
    const reopened = (await patch(company, link, { maxPayments })).json()
    expect(reopened).toMatchObject({ status: 'active', maxPayments, paymentsCount: 1 })
  }
})

test('a link that was switched off when it was completed comes back switched off', async () => {
  for (const changes of [
    [{ status: 'inactive' }, { maxPayments: 1 }],
    [{ status: 'inactive', maxPayments: 1 }],
  ]) {
    const { company, link } = await paidLink({ maxPayments: 2 })

    for (const change of changes) await patch(company, link, change)
    expect((await readLink(link.id)).status).toBe('completed')
    const reopened = await patch(company, link, { maxPayments: 5 })

    expect(reopened.json().status).toBe('inactive')
    expect((await patch(company, link, { status: 'active' })).json().status).toBe('active')
  }
})

test('a link that is switched off before its last payment comes in comes back switched off', async () => {
  const company = await newCompany()
  const link = await newLink({ maxPayments: 1, methods: ['pix'] }, company)
  const { row } = await pay(link)
  await patch(company, link, { status: 'inactive' })

  await approve(row.id)
  const { status } = await readLink(link.id)
  const reopened = await patch(company, link, { maxPayments: null })

  expect([status, reopened.json().status]).toEqual(['completed', 'inactive'])
})

test('a completed link may be reopened switched off', async () => {
  const { company, link } = await paidLink({ maxPayments: 1 })

  const response = await patch(company, link, { maxPayments: 5, status: 'inactive' })

  expect(response.json()).toMatchObject({ status: 'inactive', maxPayments: 5 })
})

test('a limit that has been reached completes the link, and that is told once', async () => {
  const { company, link } = await paidLink({ maxPayments: 3 })

  const lowered = await patch(company, link, { maxPayments: 1 })
  const again = await patch(company, link, { maxPayments: 1, title: 'Torta' })

  expect([lowered.json().status, again.json().status]).toEqual(['completed', 'completed'])
  expect(await listEventTypes(link)).toEqual(['transaction.approved', 'payment_link.completed'])
})

test('a first limit given while five pay counts every one of them', async () => {
  const company = await newCompany()
  const link = await newLink({ methods: ['pix'] }, company)
  const rows = await Promise.all(Array.from({ length: 5 }, async () => (await pay(link)).row))

  const [response] = await Promise.all([
    patch(company, link, { maxPayments: 5 }),
    ...rows.map(({ id }) => approve(id)),
  ])

  expect(response.statusCode).toBe(200)
  const paid = await paymentsOf(link)
  expect(paid.filter(({ status }) => status === 'approved')).toHaveLength(5)
  expect((await readLink(link.id)).status).toBe('completed')
  const told = await listEventTypes(link)
  expect(told.filter((type) => type === 'payment_link.completed')).toHaveLength(1)
})

test('a limit that is given while the one before is lifted waits for payments too', async () => {
  const company = await newCompany()
  const link = await newLink({ methods: ['pix'], maxPayments: 9 }, company)
  const [holder, payment] = [await db.$client.connect(), await db.$client.connect()]
  onTestFinished(() => {
    for (const client of [holder, payment]) client.release(true)
  })
  await holder.query('begin')
  await holder.query('select from payment_links where id = $1 for no key update', [link.id])
  await payment.query('begin')
  await payment.query('select from payment_links where id = $1 for key share', [link.id])

  const lifting = patch(company, link, { maxPayments: null })
  await expect.poll(() => countWaiting(db)).toBe(1)
  const limiting = patch(company, link, { maxPayments: 2 })
  await expect.poll(() => countWaiting(db)).toBe(2)
  await holder.query('commit')
  const lifted = (await lifting).json()
  await expect.poll(() => countWaiting(db)).toBe(1)
  await payment.query('commit')

  expect(lifted).toMatchObject({ maxPayments: null })
  expect((await limiting).json()).toMatchObject({ maxPayments: 2 })
})

test('a limit that moves while payments settle ends in the state that they make', async () => {
  for (let round = 0; round < 2; round++) {
    const company = await newCompany()
    const link = await newLink({ methods: ['pix'], maxPayments: 2 }, company)
    const rows = await Promise.all(Array.from({ length: 5 }, async () => (await pay(link)).row))

    await Promise.all([
      ...rows.map(({ id }) => approve(id)),
      patch(company, link, { maxPayments: 4 }),
      patch(company, link, { maxPayments: 9 }),
      patch(company, link, { maxPayments: 5 }),
    ])

    const { status, maxPayments } = await readLink(link.id)
    expect([status, maxPayments]).toEqual([maxPayments === 9 ? 'active' : 'completed', maxPayments])
  }
})
