// Two processes on one database, with nothing else shared: who was first is decided there.
import { afterEach, expect, test } from 'vitest'
import { buildTestCard } from '../support/payer.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { openServices } from '../support/processes/service.ts'
import {
  awaitQuiet,
  createTestMerchant,
  expectConsistent,
  fillCheckoutForm,
  payInTurn,
  TRUSTING_ENVIRONMENT,
} from '../support/processes/traffic.ts'
import { openReceiver } from '../support/receiver.ts'

const { db, url } = await openDatabase()
const { start, killAll } = openServices(url, TRUSTING_ENVIRONMENT)

afterEach(async () => {
  await killAll()
  await db.$client.query('truncate sandbox_charges, companies cascade')
})

async function startTwo() {
  const pair = await Promise.all([start(), start()])
  return pair.map(({ baseUrl }) => baseUrl) as [string, string]
}

test('two processes send one webhook for each payment', async () => {
  const bases = await startTwo()
  const receiver = await openReceiver()
  const { slug } = await createTestMerchant(db, bases[0], { receiverUrl: receiver.url })

  const answers = await payInTurn(bases, slug, 60)
  await awaitQuiet(db)

  expect(answers.filter(({ status }) => status === 303)).toHaveLength(60)
  expect(await expectConsistent(db, receiver.hits)).toBe(60)
  expect(receiver.hits).toHaveLength(60)
})

test('one form sent to both processes a hundred times each is one payment', async () => {
  const bases = await startTwo()
  const { slug } = await createTestMerchant(db, bases[0])
  const submit = await fillCheckoutForm(bases[0], slug, buildTestCard('ok'))

  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => submit(bases[i % 2])))

  const paths = answers.map(({ headers }) => headers.get('location'))
  expect(paths[0]).toMatch(/^\/pagar\//)
  expect(new Set(paths).size).toBe(1)
  expect((await db.$client.query('select 1 from sandbox_charges')).rows).toHaveLength(1)
})

test('three places of a link are not filled twice by two processes', async () => {
  const bases = await startTwo()
  const { slug } = await createTestMerchant(db, bases[0], { link: { maxPayments: 3 } })
  const forms = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      fillCheckoutForm(bases[i % 2]!, slug, buildTestCard('ok')),
    ),
  )

  const answers = await Promise.all(forms.map((submit, i) => submit(bases[i % 2])))

  expect(answers.filter(({ status }) => status === 303)).toHaveLength(3)
  expect((await db.$client.query('select 1 from sandbox_charges')).rows).toHaveLength(3)
})
