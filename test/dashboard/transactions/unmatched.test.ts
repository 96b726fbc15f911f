// Money that names no charge at the dashboard: seen on Início and in a list, matched by one click, or given back.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { auditEntries } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { readPageText } from '../../support/payer.ts'
import { openBankMerchant } from '../../support/providers/bank/merchant.ts'
import { openTestApp } from '../../support/test-app.ts'

const MINUTE_MS = 60_000
const LIST = '/painel/transacoes?verificar=sim'
const OLD_LIST = '/painel/transacoes/sem-cobranca'

const testApp = await openTestApp({ local: true })
const { db } = testApp
const { bank, openMerchant, charge, read, workAt, PRICE_CENTS } = await openBankMerchant(testApp)

async function payByHand(cents = PRICE_CENTS) {
  const { company, link } = await openMerchant()
  const owner = await openDashboardClient(testApp, { companyId: company.id })
  bank.book.pix.splice(0)
  const pix = bank.pay('', cents, { pagador: { nome: 'Ana Lima', cpf: '12345678909' } } as object)
  await workAt(2 * MINUTE_MS)
  const [stray] = (await company.get('/api/incoming-payments?unmatched=true')).json().data
  return { company, link, owner, pix, path: `${OLD_LIST}/${stray.id}` }
}

const actionsOf = async (actor: string) =>
  (await db.select().from(auditEntries).where(eq(auditEntries.actor, actor))).map(
    ({ action }) => action,
  )

test('Início and the payments to check tell of it, and one click books it on the payment it was for', async () => {
  const { link, owner, path } = await payByHand()
  const row = await charge({ link })

  const [home, list, page] = await Promise.all(
    ['/painel', LIST, path].map(async (url) => readPageText((await owner.get(url)).body)),
  )
  const response = await owner.post(`${path}/casar`, { pagamento: row.id })

  expect(home).toContain('1 Pix sem cobrança')
  expect(list).toContain('Pix sem cobrança')
  expect(list).toContain('Ana Lima')
  expect((await owner.get(OLD_LIST)).headers.location).toBe(LIST)
  expect(page).toContain('Casar com um pagamento')
  expect(page).toContain('Maria da Silva')
  const done = await owner.get(response.headers.location!)
  expect(response.headers.location).toContain(row.id)
  expect(readPageText(done.body)).toContain('Pix casado com este pagamento.')
  expect(await read(row.id)).toMatchObject({ status: 'approved' })
  expect(await actionsOf(owner.email)).toContain('payment_matched')
  expect(readPageText((await owner.get('/painel')).body)).not.toContain('Pix sem cobrança')
})

test.each<[string, number, string, string]>([
  ['less', 2_500, 'Faltam R$ 75,00: o pagamento fica retido', 'pending'],
  ['more', 12_000, 'R$ 20,00 são um valor a mais', 'approved'],
])(
  'with %s than its amount it is matched with a payment that a person names, after a question',
  async (_what, cents, told, status) => {
    const { link, owner, path } = await payByHand(cents)
    const row = await charge({ link })
    const named = [row.id, `http://loja.example/painel/transacoes/${row.id}?x=1`, row.pixTxid!]
    const ask = async (name: string) =>
      (await owner.get(`${path}/casar?${new URLSearchParams({ pagamento: name })}`)).body

    const page = readPageText((await owner.get(path)).body)
    const questions = await Promise.all(named.map(ask))
    await owner.post(`${path}/casar`, { pagamento: row.id })

    expect(page).toContain('Nenhum pagamento deste valor')
    for (const question of questions) {
      expect(readPageText(question)).toContain(told)
      expect(question).toContain(`value="${row.id}"`)
    }
    expect(await read(row.id)).toMatchObject({ status })
  },
)

test('a name of no open payment is said to be none, and stays in the field', async () => {
  const { owner, path } = await payByHand(2_500)

  const response = await owner.get(`${path}/casar?pagamento=PED-7`)
  const page = await owner.get(response.headers.location!)

  expect(readPageText(page.body)).toContain('Não achamos um pagamento por Pix')
  expect(page.body).toContain('value="PED-7"')
})

test('given back, after a question, it goes to whom it came from', async () => {
  const { owner, path, pix } = await payByHand()

  const question = readPageText((await owner.get(`${path}/devolver`)).body)
  const response = await owner.post(`${path}/devolver`)

  expect(question).toContain('Devolver R$ 100,00 a quem pagou?')
  const done = readPageText((await owner.get(response.headers.location!)).body)
  expect(done).toContain('Valor devolvido.')
  expect(done).toContain('Este Pix foi devolvido')
  expect(pix.devolucoes).toMatchObject([{ valor: '100.00' }])
  expect(await actionsOf(owner.email)).toContain('unmatched_given_back')
  expect(readPageText((await owner.get(LIST)).body)).toContain('Nada a verificar')
})

test.each(['devolver', 'casar'])(
  'once it is over by %s, its questions lead to what became of it',
  async (action) => {
    const { link, owner, path, pix } = await payByHand()
    const row = await charge({ link })
    await owner.post(`${path}/${action}`, { pagamento: row.id })
    const end = action === 'devolver' ? path : `/painel/transacoes/${row.id}`

    const asked = await Promise.all(
      [`${path}/devolver`, `${path}/casar?pagamento=${row.id}`].flatMap((question) => [
        owner.get(question),
        owner.post(question),
      ]),
    )
    const { body } = await owner.get(end)

    expect(asked.map(({ headers }) => headers.location)).toEqual(Array(4).fill(end))
    expect(body).not.toContain(`href="${path}/devolver"`)
    expect(body).not.toContain('Casar com')
    expect(pix.devolucoes).toHaveLength(action === 'devolver' ? 1 : 0)
  },
)

test('while the bank has not answered, the page says that it was asked, and matches it with nothing', async () => {
  const { owner, path, pix } = await payByHand()
  bank.book.manner.refundStatus = 'EM_PROCESSAMENTO'

  const response = await owner.post(`${path}/devolver`)
  const done = readPageText((await owner.get(response.headers.location!)).body)

  expect(done).toContain('Devolução em andamento.')
  expect(done).toContain('A devolução foi pedida ao banco')
  expect((await owner.get(`${path}/casar`)).headers.location).toBe(path)
  expect(pix.devolucoes).toHaveLength(1)
})
