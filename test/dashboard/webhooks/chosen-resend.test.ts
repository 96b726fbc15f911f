// Deliveries chosen in their list and sent once more.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { webhookDeliveries } from '../../../src/database/tables.ts'
import { disableEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { openWebhookDashboard, readMainText } from '../../support/dashboard/webhooks.ts'
import { answerWith, openReceiver } from '../../support/receiver.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp({ local: true })
const { db, clock } = testApp
const { openClient, addReceiver, emit, deliver, giveUp, readDelivery, actionsOf } =
  openWebhookDashboard(testApp)

const DELIVERIES = '/painel/integracoes/entregas'
const RESEND = `${DELIVERIES}/reenviar-escolhidas`
const DAY_MS = 86_400_000

async function openDesk() {
  const { company, dashboardClient: client } = await openClient()
  const receiver = await openReceiver(answerWith(500))
  const endpoint = await addReceiver(company.id, receiver.url)
  async function emitLost() {
    const { id } = await emit(company.id)
    await giveUp(id)
    return id
  }
  async function openForm() {
    const { body } = await client.get(`${DELIVERIES}?dias=7`)
    return readFormFields(body, RESEND)
  }
  async function resend(form: Record<string, string[]>, ids: string[]) {
    const answer = await client.post(RESEND, { ...form, delivery: ids })
    const address = String(answer.headers.location)
    return { address, notice: readMainText((await client.get(address)).body) }
  }
  return { company, client, receiver, endpoint, emitLost, openForm, resend }
}

test('the deliveries that are chosen are sent again, and no others', async () => {
  const { company, receiver, emitLost, openForm, resend } = await openDesk()
  const [one, two, three] = [await emitLost(), await emitLost(), await emitLost()]

  const { address, notice } = await resend(await openForm(), [one, two])
  await deliver()

  expect(address).toMatch(/^\/painel\/integracoes\/entregas\?dias=7&aviso=/)
  expect(notice).toContain('2 entregas reenviadas.')
  expect(receiver.hits).toHaveLength(2)
  expect((await readDelivery(three)).status).toBe('failed')
  expect(await actionsOf(company.id)).toEqual([['chosen_resent', null]])
})

test('the same form sent twice sends nothing twice, also once it was delivered', async () => {
  const { company, receiver, emitLost, openForm, resend } = await openDesk()
  const id = await emitLost()
  const form = await openForm()
  await resend(form, [id])
  const { notice: queued } = await resend(form, [id])
  await deliver()

  const { notice: tried } = await resend(form, [id])
  await deliver()

  expect([queued, tried].map((text) => text.includes('1 já estava a caminho'))).toEqual([
    true,
    true,
  ])
  expect(receiver.hits).toHaveLength(1)
  expect(await actionsOf(company.id)).toHaveLength(1)
})

test.each(['0000-01-01', '9999-12-31T23:59:59.999Z', 'ontem'])(
  'a form that says it was shown at %s was shown now',
  async (ate) => {
    const { emitLost, openForm, resend } = await openDesk()
    const id = await emitLost()

    const { notice } = await resend({ ...(await openForm()), ate: [ate] }, [id])

    expect(notice).toContain('1 entrega reenviada.')
  },
)

test('what cannot be sent is told with the reason', async () => {
  const { company, endpoint, emitLost, openForm, resend } = await openDesk()
  const [old, off] = [await emitLost(), await emitLost()]
  const createdAt = new Date(clock.now().getTime() - 31 * DAY_MS).toISOString()
  await db.update(webhookDeliveries).set({ createdAt }).where(eq(webhookDeliveries.id, old))
  const form = await openForm()
  await disableEndpoint(db, company.id, endpoint.id, clock.now())

  const { notice } = await resend(form, [old, off])
  const { notice: none } = await resend(form, [])

  expect(notice).toContain(
    'Nada foi reenviado. 1 não: o endpoint está desativado. 1 não: tem mais de 30 dias.',
  )
  expect(none).toContain('Escolha ao menos uma entrega.')
})

test('deliveries of another company are left alone, and nobody else reads what came of it', async () => {
  const theirs = await openDesk()
  const ours = await openDesk()
  const id = await theirs.emitLost()
  await ours.emitLost()

  const { address, notice } = await ours.resend(await ours.openForm(), [id])
  const colleague = await openDashboardClient(testApp, {
    ...{ companyId: ours.company.id, email: 'colega@exemplo.com.br' },
  })

  expect(notice).toContain('Escolha ao menos uma entrega.')
  expect((await readDelivery(id)).status).toBe('failed')
  expect((await colleague.get(address)).body).not.toContain('Escolha ao menos uma')
})
