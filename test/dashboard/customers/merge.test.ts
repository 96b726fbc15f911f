// "Parece ser a mesma pessoa", on the page of a customer, and how two become one there.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { openLinkDashboard, readPage, readRowTitles } from '../../support/dashboard/links.ts'
import { buildTestCard, openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db } = testApp
const { openClient, newCustomer } = openLinkDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)

const LIST = '/painel/clientes'
const MARIA = { name: 'Maria da Silva', email: 'maria@exemplo.com.br', taxId: '52998224725' }

async function openPair() {
  const { company, dashboardClient: member } = await openClient()
  const known = await newCustomer(company, MARIA)
  await pay(await newLink({}, company), { ...buildTestCard('ok'), taxId: MARIA.taxId })
  const made = await member.post(`${LIST}/novo`, { name: 'Mari', email: 'Maria@exemplo.com.br' })
  const shown = await readPage(member, made.headers.location!)
  const [, other = ''] = made.headers.location!.match(/clientes\/([^?]+)/) ?? []
  return { company, member, known, other, shown, merge: `${LIST}/${other}/unir?com=${known}` }
}

test('who is made a second time is told apart by what was paid, with a way to merge both', async () => {
  const { company, member, known, other, shown, merge } = await openPair()
  const accountant = await openDashboardClient(testApp, {
    companyId: company.id,
    role: 'accountant',
  })

  const ofKnown = await readPage(member, `${LIST}/${known}`)
  const read = await readPage(accountant, `${LIST}/${other}`)

  expect(readPageText(shown)).toContain(
    'Parece ser a mesma pessoa Com o mesmo e-mail ou telefone. Maria da Silva ***.982.247-** · 1 pagamento · R$ 100,00',
  )
  expect(shown).toContain(`href="${merge}"`)
  expect(ofKnown).toContain(`href="${LIST}/${known}/unir?com=${other}"`)
  expect(read).toContain('Parece ser a mesma pessoa')
  expect(read).not.toContain('/unir')
  expect((await accountant.get(merge)).statusCode).toBe(403)
})

test('two are merged after one question, which Registro tells with both names', async () => {
  const { company, member, known, other, merge } = await openPair()

  const question = readPageText(await readPage(member, merge))
  const done = await member.post(merge)
  const again = await member.post(merge)
  const page = await readPage(member, done.headers.location!)

  expect(question).toContain('Unir Mari a Maria da Silva?')
  expect(question).toContain('Isso não pode ser desfeito.')
  expect(done.headers.location).toBe(`${LIST}/${known}?feito=clientes-unidos`)
  expect(again.headers.location).toBe(`${LIST}/${known}`)
  expect(page).toContain('Clientes unidos.')
  expect(page).not.toContain('Parece ser a mesma pessoa')
  expect(readRowTitles(await readPage(member, LIST))).toEqual(['Maria da Silva'])
  expect(await readPage(member, `${LIST}/${other}`)).toContain('Maria da Silva</h1>')
  const entries = await listAudit(db, company.id, { limit: 9 })
  expect(entries.map(({ action }) => action)).toEqual(['customer_merged', 'customer_created'])
  expect(entries[0]).toMatchObject({
    subjectId: known,
    details: { customer: 'cliente: Mari, Maria@exemplo.com.br → Maria da Silva' },
  })
})

test('who is not the same person is not merged by a typed address', async () => {
  const { company, member, known } = await openPair()
  const rui = await newCustomer(company, { name: 'Rui', taxId: null, email: 'rui@exemplo.com.br' })

  const answers = await Promise.all(
    [rui, known, 'x', ''].map((id) => member.post(`${LIST}/${known}/unir?com=${id}`)),
  )

  for (const { headers } of answers) expect(headers.location).toBe(`${LIST}/${known}`)
  expect(readRowTitles(await readPage(member, LIST))).toContain('Rui')
})
