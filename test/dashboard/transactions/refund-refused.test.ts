// What the dashboard does not give back, and how it says so.
import { afterEach, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { signedIn } from '../../support/desk.ts'
import { openHouse } from '../../support/house.ts'
import { errorsIn, read } from '../../support/link-desk.ts'
import { textOf } from '../../support/payer.ts'
import { formIn, openRefundDesk, paymentAt } from '../../support/refund-desk.ts'
import { openRefunds } from '../../support/refunds.ts'

const house = await openHouse()
const { clock } = house
const { paidByPix, order, refundsOf, givenBack } = openRefunds(house)
const { openDesk, fill, confirm } = openRefundDesk(house)

const DAY_MS = 24 * 3_600_000

afterEach(() => {
  clock.offsetMs = 0
})

test('the form of a refund that is done gives no other amount back', async () => {
  const { desk, id } = await openDesk()
  const question = await fill(desk, id, { amount: '30' })
  await confirm(desk, id, question.body)
  const form = formIn(question.body)

  const response = await desk.post(paymentAt(id, '/devolver/confirmar'), {
    ...form,
    amountCents: '2000',
  })

  expect(response.statusCode).toBe(422)
  expect(errorsIn(response.body)).toEqual([
    ['amount', expect.stringMatching(/já foi usado para devolver R\$\s30,00/)],
  ])
  expect(response.body).toContain('value="20,00"')
  expect(formIn(response.body).refundId).not.toBe(form.refundId)
  expect(await givenBack(id)).toEqual([3_000])
})

test.each([
  ['', /Informe um valor em reais/],
  ['muito', /Informe um valor em reais/],
  ['0', /O valor mínimo é R\$\s0,01/],
  ['100,01', /O valor máximo é R\$\s100,00/],
])('"%s" is not given back, and what was typed stays', async (amount, message) => {
  const { desk, id } = await openDesk()

  const response = await fill(desk, id, { amount, reason: 'Um bolo' })

  expect(response.statusCode).toBe(422)
  expect(errorsIn(response.body)).toEqual([['amount', expect.stringMatching(message)]])
  expect(response.body).toContain(`name="amount" type="text" value="${amount}"`)
  expect(response.body).toContain('value="Um bolo"')
  expect(await refundsOf(id)).toEqual([])
})

test('a reason has its limit', async () => {
  const { desk, id } = await openDesk()

  const response = await fill(desk, id, { reason: 'r'.repeat(141) })

  expect(errorsIn(response.body)).toEqual([['reason', 'Use no máximo 140 caracteres.']])
})

test('what was given back meanwhile is not given back again', async () => {
  const { company, desk, id } = await openDesk()
  const question = await fill(desk, id, { amount: '60', reason: 'Um bolo' })
  await order(company, id, { amountCents: 5_000 })

  const response = await confirm(desk, id, question.body)

  expect(response.statusCode).toBe(422)
  expect(errorsIn(response.body)).toEqual([['amount', expect.stringContaining('mudou')]])
  expect(textOf(response.body)).toContain('Até R$ 50,00.')
  expect(response.body).toContain('value="Um bolo"')
  expect(await givenBack(id)).toEqual([5_000])
})

test('a Pix of more than 90 days says why it cannot go back', async () => {
  const { company, id } = await paidByPix()
  clock.offsetMs = 91 * DAY_MS
  const desk = await signedIn(house, { companyId: company.id })

  const page = await read(desk, paymentAt(id))
  const response = await desk.post(paymentAt(id, '/devolver/confirmar'), {
    ...{ refundId: newId(), amountCents: '10000', reason: '' },
  })

  expect(textOf(page)).toContain('Um Pix só pode ser devolvido em até 90 dias')
  expect(page).not.toContain('/devolver"')
  expect(response.statusCode).toBe(422)
  expect(textOf(response.body)).toContain('Não há o que devolver deste pagamento agora.')
  expect(await refundsOf(id)).toEqual([])
})

test('members see no way to give back, and have none', async () => {
  const { desk, id } = await openDesk('member')

  const page = await read(desk, paymentAt(id))
  const answers = [
    await desk.get(paymentAt(id, '/devolver')),
    await desk.get(paymentAt(id, '/devolver/tudo')),
    await desk.post(paymentAt(id, '/devolver'), { amount: '1' }),
    await desk.post(paymentAt(id, '/devolver/confirmar'), {
      ...{ refundId: newId(), amountCents: '100', reason: '' },
    }),
  ]

  expect(page).not.toContain('/devolver')
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
  expect(await refundsOf(id)).toEqual([])
})

test("the id of another payment's refund is not answered with it", async () => {
  const { desk, id } = await openDesk()
  const other = await openDesk()
  const theirs = (await order(other.company, other.id, { amountCents: 700 })).json()

  const response = await desk.post(paymentAt(id, '/devolver/confirmar'), {
    ...{ refundId: theirs.id, amountCents: '700', reason: '' },
  })

  expect(response.statusCode).toBe(404)
  expect(await refundsOf(id)).toEqual([])
})

test.each([{ refundId: 'nada' }, { amountCents: '-1' }, { amountCents: '1e99' }, { reason: '\0' }])(
  'an order with %j is none',
  async (broken) => {
    const { desk, id } = await openDesk()
    const form = { refundId: newId(), amountCents: '100', reason: '' }

    const response = await desk.post(paymentAt(id, '/devolver/confirmar'), { ...form, ...broken })

    expect(response.headers.location).toBe(paymentAt(id))
    expect(await refundsOf(id)).toEqual([])
  },
)
