// Two people at one form: the second one reads what the first one changed and what the form has in its place, keeps all
// as it was sent, and no change of either is lost silently.
import { expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { findCompany } from '../../../src/companies/company.ts'
import { anonymizeCustomer } from '../../../src/customers/anonymize.ts'
import { findCustomer } from '../../../src/customers/customer.ts'
import { findEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { BRAND_PATH } from '../../support/dashboard/brand.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { openLinkDashboard } from '../../support/dashboard/links.ts'
import { PUBLIC_HOOK_URL } from '../../support/endpoints.ts'
import { openLinkApi } from '../../support/link-api.ts'
import { openTestApp, type TestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock, newCompany } = testApp
const { patch } = openLinkApi(testApp)

type Fields = Record<string, string | string[]>

const FORMS = listEditedForms(testApp)

for (const [name, openForm] of Object.entries(FORMS)) {
  test(`${name}: the second person reads who changed what and when, keeps what was typed, and saves it by sending again`, async () => {
    const { company, ana, bia, form } = await openTwo(openForm)
    const [ofAna, ofBia] = [await open(ana, form), await open(bia, form)]
    const times = [time()]
    await ana.post(form.path, { ...ofAna, [form.first.name]: form.first.ana })
    times.push(time())
    const before = await form.read()

    const refused = await bia.post(form.path, write(ofBia, form.second))
    const after = await form.read()
    const again = readFormFields(refused.body, form.path)
    const [untouched] = [again[form.first.name]].flat()
    const kept = await bia.post(form.path, { ...again, [form.first.name]: form.first.bia })

    expect([refused.statusCode, kept.statusCode]).toEqual([409, 303])
    // Above all else, in sight without a script too.
    expect(refused.body.indexOf('id="conflicts"')).toBeLessThan(refused.body.indexOf('<h1'))
    const { label, before: first, anaReads, biaReads } = form.first
    const said = times.map(
      (at) =>
        `${ana.email} mudou “${label}” de ${first} para ${anaReads} às ${at}; você enviou ${first}.`,
    )
    const [, told] = toText(refused.body).match(/<li>(\S+ mudou .*)<\/li>/) ?? []
    expect(said).toContain(told)
    expect(again[form.second.name]).toEqual([form.second.bia])
    expect(untouched).toBe([ofBia[form.first.name]].flat()[0])
    expect(after).toEqual(before)
    expect(before).toMatchObject({ [form.first.key]: form.firstOfAna })
    expect(toText((await listDetails(company, form.first.key))[0]!)).toBe(
      `${label}: ${anaReads} → ${biaReads}`,
    )
  })
}

/** Receivables are written as the settings are. */
test.each(['link', 'customer', 'settings', 'endpoint'] as const)(
  '%s: of two people at the same moment one is refused',
  async (name) => {
    const { ana, bia, form } = await openTwo(FORMS[name])
    const [ofAna, ofBia] = [await open(ana, form), await open(bia, form)]

    const answers = await Promise.all([
      ana.post(form.path, { ...ofAna, [form.first.name]: form.first.ana }),
      bia.post(form.path, { ...ofBia, [form.first.name]: form.first.bia }),
    ])

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409])
  },
)

test('both writing the same is no conflict; a form that was refused is refused again when the field changes again', async () => {
  const { ana, bia, form } = await openTwo(FORMS.link)
  const [ofAna, ofBia] = [await open(ana, form), await open(bia, form)]
  const first = await ana.post(form.path, { ...ofAna, amount: '110,00' })
  const same = await bia.post(form.path, { ...ofBia, amount: '110,00' })
  const refused = await bia.post(form.path, { ...ofBia, amount: '120,00' })
  const again = readFormFields(refused.body, form.path)
  await ana.post(form.path, { ...(await open(ana, form)), amount: '130,00' })

  const answer = await bia.post(form.path, again)

  expect([first, same, refused].map(({ statusCode }) => statusCode)).toEqual([303, 303, 409])
  expect(answer.statusCode).toBe(409)
  expect(toText(answer.body)).toContain('para R$ 130,00')
  expect(await form.read()).toMatchObject({ amountCents: 13_000 })
})

test('all is kept as it was sent, also fields of several parts, breaks and boxes; sent again it is saved over what is new', async () => {
  const { company, ana, bia, form } = await openTwo(FORMS.link)
  const customer = await openLinkDashboard(testApp).newCustomer(company, { name: 'Rui Paz' })
  await patch(company, { id: form.path.split('/')[3]! }, { description: 'Um\nDois' })
  const [ofAna, ofBia] = [await open(ana, form), await open(bia, form)]
  const edited = {
    ...{ uses: 'limited', maxPayments: '7', tags: 'a, b', methods: ['pix'] },
    ...{ description: 'Três', customerId: customer, keepCustomer: 'on' },
  }
  await ana.post(form.path, { ...ofAna, ...edited })

  const breaks = { description: 'Um\r\nDois' }
  const refused = await bia.post(form.path, { ...ofBia, ...breaks, title: 'De Bia' })
  const again = readFormFields(refused.body, form.path)
  const kept = await bia.post(form.path, again)

  expect([refused.statusCode, kept.statusCode]).toEqual([409, 303])
  expect({ ...again, _version: '', _csrf: '' }).toEqual({
    ...{ ...ofBia, _version: '', _csrf: '' },
    ...{ title: ['De Bia'], description: [expect.stringMatching(/^Um\s+Dois$/)] },
  })
  for (const name of ['descrição', 'etiquetas', 'cliente'])
    expect(toText(refused.body)).toMatch(
      new RegExp(`mudou “[^”]*${name}[^”]*” de [^;]*; você enviou`),
    )
  expect(await form.read()).toMatchObject({
    ...{
      title: 'De Bia',
      description: expect.stringMatching(/^Um\s+Dois$/),
      maxPayments: null,
      tags: [],
    },
    linkedCustomerId: null,
  })
})

test('the colour of the brand is not taken from a stale form, either', async () => {
  const { company, ana, bia } = await openTwo(FORMS.settings)
  const ofBia = readFormFields((await bia.get(BRAND_PATH)).body, BRAND_PATH)
  await upload(ana, { color: '#112233' })

  const refused = await upload(bia, { ...ofBia, color: '#445566' })
  const again = readFormFields(refused.body, BRAND_PATH)
  const kept = await upload(bia, again)

  expect([refused.statusCode, kept.statusCode]).toEqual([409, 303])
  expect((await findCompany(db, company.id))!.color).toBe('#445566')
})

test('a change that came by the API is shown without a person', async () => {
  const { company, bia, form } = await openTwo(FORMS.link)
  const ofBia = await open(bia, form)
  await patch(company, { id: form.path.split('/')[3]! }, { amountCents: 11_000 })

  const refused = await bia.post(form.path, { ...ofBia, amount: '120,00' })

  expect(refused.statusCode).toBe(409)
  expect(toText(refused.body)).toContain(
    '“valor” mudou para R$ 110,00 enquanto você editava; você enviou R$ 120,00.',
  )
})

test('long texts are cut in the log, and an anonymized customer leaves none there', async () => {
  const { company, ana, form } = await openTwo(FORMS.link)
  await ana.post(form.path, { ...(await open(ana, form)), description: 'a'.repeat(2000) })
  const customer = await FORMS.customer(company)
  await ana.post(customer.path, { ...(await open(ana, customer)), email: 'nova@x.com.br' })
  const id = customer.path.split('/')[3]!

  const before = JSON.stringify(await listAudit(db, company.id, { limit: 9 }))
  await anonymizeCustomer(db, company.id, id, clock.now())
  const after = JSON.stringify(await listAudit(db, company.id, { limit: 9 }))

  expect((await listDetails(company, 'description'))[0]!.length).toBeLessThan(250)
  expect([before, after].map((log) => log.includes('nova@x.com.br'))).toEqual([true, false])
  expect(after).toContain('customer_changed')
})

async function openTwo(openForm: (company: TestCompany) => Promise<EditedForm>) {
  const company = await newCompany()
  const seat = (name: string) =>
    openDashboardClient(testApp, {
      companyId: company.id,
      email: `${name}-${company.id.slice(-12)}@exemplo.com.br`,
    })
  return { company, ana: await seat('ana'), bia: await seat('bia'), form: await openForm(company) }
}

async function open(client: DashboardClient, { path }: Pick<EditedForm, 'path'>): Promise<Fields> {
  return readFormFields((await client.get(path)).body, path)
}

/** An empty box is not sent. */
function write({ ...fields }: Fields, { name, bia }: EditedForm['second']): Fields {
  delete fields[name]
  return bia === '' ? fields : { ...fields, [name]: bia }
}

async function upload(client: DashboardClient, fields: Fields) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  return client.upload(BRAND_PATH, form)
}

async function listDetails(company: TestCompany, key: string) {
  const entries = await listAudit(db, company.id, { limit: 9 })
  return entries.flatMap(({ details }) => details[key] ?? [])
}

function toText(html: string) {
  return html.replaceAll('\u00a0', ' ').replaceAll('&nbsp;', ' ')
}

function time() {
  return clock.now().toLocaleTimeString('pt-BR', {
    ...{ hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' },
  })
}

type EditedForm = {
  path: string
  /** Both write in it: as they type it, and as it is read. */
  first: { name: string; key: string; label: string } & Record<
    'ana' | 'bia' | 'before' | 'anaReads' | 'biaReads',
    string
  >
  /** Bia alone writes in it. */
  second: { name: string; key: string; bia: string }
  read: () => Promise<Record<string, unknown>>
  firstOfAna: unknown
}

function listEditedForms(testApp: TestApp) {
  const { db } = testApp
  const { create, newCustomer, readLink } = openLinkDashboard(testApp)
  return {
    async link(company) {
      const { id } = await create(company, { amountCents: 10_000, description: 'Antes' })
      return {
        path: `/painel/links/${id}/editar`,
        first: {
          ...{ name: 'amount', key: 'amountCents', label: 'valor', ana: '110,00', bia: '120,00' },
          ...{ before: 'R$ 100,00', anaReads: 'R$ 110,00', biaReads: 'R$ 120,00' },
        },
        second: { name: 'description', key: 'description', bia: 'De Bia' },
        read: () => readLink(id),
        firstOfAna: 11_000,
      }
    },
    async customer(company) {
      const id = await newCustomer(company, { email: 'm@exemplo.com.br', phone: '11987654321' })
      return {
        path: `/painel/clientes/${id}/editar`,
        first: {
          ...{ name: 'email', key: 'email', label: 'e-mail', ana: 'a@x.com.br', bia: 'b@x.com.br' },
          ...{ before: 'm@exemplo.com.br', anaReads: 'a@x.com.br', biaReads: 'b@x.com.br' },
        },
        second: { name: 'name', key: 'name', bia: 'Maria Bia' },
        read: async () => ({ ...(await findCustomer(db, company.id, id)) }),
        firstOfAna: 'a@x.com.br',
      }
    },
    async settings(company) {
      return {
        path: '/painel/ajustes',
        first: {
          ...{ name: 'city', key: 'city', label: 'cidade', ana: 'Niterói', bia: 'Santos' },
          ...{ before: 'SAO PAULO', anaReads: 'Niterói', biaReads: 'Santos' },
        },
        second: { name: 'name', key: 'name', bia: 'Padaria Bia' },
        read: async () => ({ ...(await findCompany(db, company.id)) }),
        firstOfAna: 'Niterói',
      }
    },
    async receivables(company) {
      return {
        path: '/painel/recebimentos',
        first: {
          ...{ name: 'interestRate', key: 'interestRateBps', label: 'taxa de juros' },
          ...{ ana: '1,99', bia: '2,49', before: '2,99%', anaReads: '1,99%', biaReads: '2,49%' },
        },
        second: { name: 'minInstallment', key: 'minInstallmentCents', bia: '20,00' },
        read: async () => ({ ...(await findCompany(db, company.id)) }),
        firstOfAna: 199,
      }
    },
    async endpoint(company) {
      const made = await company.post('/api/webhook-endpoints', { url: PUBLIC_HOOK_URL })
      const { id } = made.json()
      const [ana, bia] = [`${PUBLIC_HOOK_URL}/ana`, `${PUBLIC_HOOK_URL}/bia`]
      return {
        path: `/painel/integracoes/${id}/editar`,
        first: {
          ...{ name: 'url', key: 'url', label: 'endereço', ana, bia, anaReads: ana, biaReads: bia },
          before: PUBLIC_HOOK_URL,
        },
        second: { name: 'events', key: 'events', bia: 'transaction.expired' },
        read: async () => ({ ...(await findEndpoint(db, company.id, id)) }),
        firstOfAna: ana,
      }
    },
  } satisfies Record<string, (company: TestCompany) => Promise<EditedForm>>
}
