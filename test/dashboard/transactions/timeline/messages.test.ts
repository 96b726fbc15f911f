import { afterEach, expect, test } from 'vitest'
import { newId } from '../../../../src/database/id.ts'
import { mails, transactionSteps } from '../../../../src/database/tables.ts'
import { claimDeliveries } from '../../../../src/webhooks/deliveries/claim.ts'
import { recordDeliveryAttempt } from '../../../../src/webhooks/deliveries/record.ts'
import { createEndpoint } from '../../../../src/webhooks/endpoints/endpoint.ts'
import { openTimeline } from '../../../support/dashboard/timeline.ts'
import { buildTestCard, openCheckout, PIX } from '../../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../../support/test-app.ts'

const testApp = await openTestApp()
const { clock, db, newCompany, cipher } = testApp
const { newLink, pay } = openCheckout(testApp)
const { listEntries, linesOf } = openTimeline(testApp)

const HOUR_MS = 3_600_000

afterEach(() => {
  clock.offsetMs = 0
})

async function endpointOf(company: TestCompany, url: string) {
  const endpoint = { companyId: company.id, url, allowPrivate: true }
  return createEndpoint(db, cipher, endpoint)
}

/** Every delivery that is due now is attempted, and ends like this. */
async function attemptAll(
  made: Pick<Parameters<typeof recordDeliveryAttempt>[2], 'outcome' | 'statusCode'>,
) {
  const startedAt = clock.now()
  const endedAt = new Date(startedAt.getTime() + 1_500)
  for (const claimed of await claimDeliveries(db, startedAt, 100)) {
    await recordDeliveryAttempt(db, claimed, {
      ...made,
      answer: '',
      retryAfter: null,
      startedAt,
      endedAt,
    })
  }
}

test('each attempt of each webhook is told, with the answer and what comes next', async () => {
  const company = await newCompany()
  await endpointOf(company, 'https://93.184.216.34/hook')
  const { row } = await pay(await newLink({}, company), buildTestCard('ok'))
  expect((await linesOf(row)).at(-1)).toBe(
    'webhook waiting: Notificação “Pagamento aprovado” na fila para 93.184.216.34',
  )

  clock.offsetMs = 1_000
  await attemptAll({ outcome: 'http_error', statusCode: 500 })
  const [, , , failed] = await listEntries(row)
  clock.offsetMs = 60_000
  await attemptAll({ outcome: 'timeout', statusCode: null })
  clock.offsetMs = HOUR_MS
  await attemptAll({ outcome: 'delivered', statusCode: 204 })

  const entries = (await listEntries(row)).slice(3)
  expect(failed).toMatchObject({
    tone: 'bad',
    text: 'Notificação “Pagamento aprovado” não entregue a 93.184.216.34',
    detail: expect.stringMatching(
      /^resposta de erro · 1,5 s · próxima tentativa em .+ às \d\d:\d\d$/,
    ),
  })
  expect(entries.map(({ tone, detail }) => [tone, detail])).toEqual([
    ['bad', 'resposta de erro · 1,5 s'],
    ['bad', 'sem resposta em 15 segundos · 1,5 s · tentativa 2'],
    ['good', '1,5 s · tentativa 3'],
  ])
  expect(new Set(entries.map(({ deliveryId }) => deliveryId))).toEqual(
    new Set([failed!.deliveryId]),
  )
  const { row: last } = await pay(await newLink({}, company), buildTestCard('ok'))
  await attemptAll({ outcome: 'gone', statusCode: 410 })
  expect((await listEntries(last)).at(-1)!.detail).toBe(
    'endereço desativado pelo destino · 1,5 s · não será tentado de novo',
  )
})

test('e-mails about the payment and its refunds are told, sent or not', async () => {
  const { row } = await pay(await newLink(), buildTestCard('ok'))
  const { companyId, id: subjectId } = row
  const mail = { companyId, subjectId, recipient: 'maria@exemplo.com.br', data: {} }
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  await db.insert(mails).values([
    { ...mail, id: newId(), template: 'receipt', sentAt: at(1_000), createdAt: at(1) },
    {
      ...mail,
      id: newId(),
      template: 'payment',
      failure: '550 no such user',
      dueAt: null,
      createdAt: at(2_000),
    },
    {
      ...mail,
      ...{ id: newId(), template: 'payment', failure: '451 later', createdAt: at(2_100) },
    },
    {
      ...mail,
      ...{ id: newId(), template: 'refund', failure: 'unreachable', createdAt: at(2_200) },
    },
    { ...mail, id: newId(), template: 'unheard-of', createdAt: at(3_000) },
    { ...mail, id: newId(), template: 'receipt', companyId: (await newCompany()).id },
  ])

  expect((await linesOf(row)).slice(3)).toEqual([
    'mail good: E-mail enviado a maria@exemplo.com.br: comprovante de pagamento',
    'mail bad: E-mail não entregue a maria@exemplo.com.br: aviso de pagamento',
    'mail waiting: E-mail ainda não entregue a maria@exemplo.com.br: aviso de pagamento',
    'mail waiting: E-mail ainda não entregue a maria@exemplo.com.br: aviso de devolução',
    'mail waiting: E-mail na fila para maria@exemplo.com.br: aviso',
  ])
  expect((await listEntries(row)).slice(4, 7).map(({ detail }) => detail)).toEqual([
    '550 no such user · não será tentado de novo',
    expect.stringMatching(/^451 later · próxima tentativa em .+ às \d\d:\d\d$/),
    expect.stringMatching(/^o servidor de e-mail não pôde ser usado · próxima tentativa em /),
  ])
})

test('of a very long history the last 200 entries are told', async () => {
  const { row } = await pay(await newLink(), PIX)
  await db.insert(transactionSteps).values(
    Array.from({ length: 250 }, (_, i) => ({
      ...{ id: newId(), transactionId: row.id, kind: 'notified' as const, details: {} },
      createdAt: new Date(clock.now().getTime() + i * 1_000).toISOString(),
    })),
  )

  const entries = await listEntries(row)

  expect(entries).toHaveLength(200)
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['notified']))
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted())
})
