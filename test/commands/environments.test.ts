// `--test` and `--live`, and what commands mean without either.
import { beforeAll, expect, test } from 'vitest'
import { webhookDeliveries } from '../../src/database/tables.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { recordEvent } from '../../src/webhooks/events/event.ts'
import { type Answer, runCommand } from '../support/run-command.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const HOOK = 'http://127.0.0.1:9/'

const { app, db, cipher, secretKey, clock, url, newCompany } = await openTestApp()
const env = {
  DATABASE_URL: url,
  SECRET_KEY: secretKey,
  WEBHOOK_ALLOW_PRIVATE: 'true',
}

let live: TestCompany

beforeAll(async () => {
  live = await newCompany()
  await db.$client.query(`update companies set pix_provider = 'pix-api' where id = $1`, [
    live.realId,
  ])
})

/** The words of `line`, of this company. */
function cli(line: string, { realId }: TestCompany, ...more: string[]): Promise<Answer> {
  return runCommand([...line.split(' '), '--company', realId, ...more], env)
}

async function json(line: string, company: TestCompany, ...more: string[]) {
  const { status, stdout, stderr } = await cli(`${line} --json`, company, ...more)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('a key says by its text and its list which environment it is of, and opens that one', async () => {
  const company = await newCompany()
  const ofTests = await cli('key create --name Testes --test', company)
  const ofReal = await cli('key create --name Real --live', company)
  const list = await cli('key list', company)

  expect(ofTests.stdout).toMatch(/of the test environment .*: sk_live_test\w{34}\n$/)
  expect(ofReal.stdout).toMatch(/of the real environment .*: sk_live_(?!test)\w{38}\n$/)
  expect(list.stdout).toMatch(/ENVIRONMENT/)
  expect(list.stdout.split(company.realId)).toHaveLength(4)
  expect(list.stdout).toMatch(/ test .* Testes\n/)
  expect(list.stdout).toMatch(/ real .* Real\n/)
  const [, key] = ofReal.stdout.match(/(sk_live_\w+)/)!
  const headers = { authorization: `Bearer ${key}` }
  const methods = { title: 'Bolo', amountCents: 1_000, methods: ['pix'] }
  const refused = await app.inject({
    ...{ method: 'POST', url: '/api/payment-links', headers, payload: methods },
  })
  expect(refused.json()).toMatchObject({ code: 'method_unavailable' })
})

test('an endpoint is added to either environment, and the list says to which', async () => {
  await Promise.all(
    ['--test', '--live'].map((flag) => json('webhook add', live, flag, '--url', HOOK)),
  )

  const list = await cli('webhook list', live)

  expect(list.stdout).toMatch(/ real .*127\.0\.0\.1/)
  expect(list.stdout).toMatch(/ test .*127\.0\.0\.1/)
  expect(await json('webhook list', live, '--test')).toMatchObject([{ testMode: true }])
  expect(await json('webhook list', live, '--live')).toMatchObject([{ testMode: false }])
})

test('deliveries are listed and sent again in one environment alone', async () => {
  const company = await newCompany()
  for (const companyId of [company.id, company.realId]) {
    const testMode = companyId === company.id
    await createEndpoint(db, cipher, { companyId, url: HOOK, allowPrivate: true })
    const event = { companyId, type: 'transaction.approved', testMode, data: {} } as const
    await db.transaction((tx) => recordEvent(tx, { ...event, now: clock.now() }))
  }
  await db.update(webhookDeliveries).set({ status: 'failed', dueAt: null })
  const list = async (...more: string[]): Promise<Record<string, unknown>[]> =>
    json('webhook deliveries', company, ...more)

  const [usual, ofTests, ofReal] = [await list(), await list('--test'), await list('--live')]
  const since = ['--failed-since', new Date(Date.now() - 3_600_000).toISOString()]
  const resent = await json('webhook resend', company, '--live', ...since)
  const { rows } = await db.$client.query(
    `select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
      where d.status = 'pending' and w.company_id = any($1)`,
    [[company.id, company.realId]],
  )

  const { realId: companyId } = company
  expect(ofTests).toEqual([expect.objectContaining({ companyId, testMode: true })])
  expect(ofReal).toEqual([expect.objectContaining({ companyId, testMode: false })])
  expect(usual).toEqual(ofTests)
  expect(resent).toMatchObject({ resent: 1 })
  expect(rows).toEqual([{ id: ofReal[0]?.id }])
})

test('triggered events are of the test environment, also of a company that is live', async () => {
  const { id } = await json('trigger transaction.approved', live)

  expect((await live.get(`/api/events/${id}`)).json()).toMatchObject({ testMode: true })
})

test('both flags at once are wrong use', async () => {
  const { status, stderr } = await cli('key create --name Loja --test --live', live)

  expect(status).toBe(2)
  expect(stderr).toMatch(/^option '--test' cannot be used with option '--live'/)
})
