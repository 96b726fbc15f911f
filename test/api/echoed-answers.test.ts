// What an answer carries may be sent back: what only answers have is ignored, a typo is still refused. In a body that
// is no answer, what only answers have is refused where it would not be as it says.
import { expect, test } from 'vitest'
import { PUBLIC_HOOK_URL } from '../support/endpoints.ts'
import { openTestApp, type TestCompany } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const CUSTOMERS = '/api/customers'
const ENDPOINTS = '/api/webhook-endpoints'

const LINK = {
  title: 'Camiseta',
  description: 'Da turma',
  amountCents: 5_000,
  methods: ['pix', 'credit_card'],
  maxInstallments: 3,
  tags: ['turma'],
  redirectUrl: 'https://loja.com.br/obrigado',
  maxPayments: 30,
  remindEveryDays: 3,
  externalReference: 'turma-3b',
  metadata: { turma: '3B' },
  customFields: [{ label: 'Tamanho', type: 'choice', options: ['P', 'M'] }],
}
const MARIA = { name: 'Maria Silva', email: 'maria@exemplo.com.br', taxId: '529.982.247-25' }

function change({ key }: TestCompany, url: string, payload: object) {
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ method: 'PATCH', url, headers, payload })
}

/** Without what a change sets by itself. */
function withoutInstant(answer: Record<string, unknown>) {
  const { updatedAt: _, ...rest } = answer
  return rest
}

test.each([
  ['payment link', LINKS, LINK],
  ['customer', CUSTOMERS, { ...MARIA, phone: '11987654321' }],
  ['customer that is a company', CUSTOMERS, { name: 'Vila', taxId: '12.abc.345/01de-35' }],
  ['webhook endpoint', ENDPOINTS, { url: PUBLIC_HOOK_URL, headers: { 'X-Key': 'abc' } }],
] as const)('a %s takes its whole answers back and stays as it is', async (_, path, given) => {
  const company = await newCompany()
  const made = (await company.post(path, given)).json()
  const url = `${path}/${made.id}`
  const shown = (await company.get(url)).json()

  const answers = [await change(company, url, made), await change(company, url, shown)]
  const typo = await change(company, url, { ...shown, nmae: 'Ana' })

  for (const answer of answers) {
    expect(answer.statusCode).toBe(200)
    expect(withoutInstant(answer.json())).toEqual(withoutInstant(shown))
  }
  expect(typo.statusCode).toBe(422)
  expect(typo.json().errors).toMatchObject([{ field: 'nmae', code: 'unknown_field' }])
})

test('another customer is made of the answer about one, without the document, which it masks', async () => {
  const company = await newCompany()
  const shown = (await company.post(CUSTOMERS, MARIA)).json()
  const forged = { ...shown, taxId: '123' }

  const copy = await company.post(CUSTOMERS, shown)

  expect(copy.statusCode).toBe(201)
  const { id: _, ...made } = copy.json()
  expect(made).toMatchObject({ name: MARIA.name, email: MARIA.email, taxId: null })
  expect(copy.json().id).not.toBe(shown.id)
  expect((await company.post(CUSTOMERS, forged)).statusCode).toBe(422)
})

test('another link like it is made of the answer about one, alone and in a batch', async () => {
  const company = await newCompany()
  const { id } = (await company.post(LINKS, LINK)).json()
  const shown = (await company.get(`${LINKS}/${id}`)).json()

  const alone = await company.post(LINKS, shown)
  const batch = await company.post(`${LINKS}/batch`, { paymentLinks: [shown] })

  const own = [
    'id',
    'slug',
    'url',
    'createdAt',
    'updatedAt',
    'paymentsCount',
    'amountReceivedCents',
    'recipients',
  ]
  const dropOwn = (link: object) =>
    Object.fromEntries(Object.entries(link).filter(([name]) => !own.includes(name)))
  const copies = [alone.json(), batch.json().data[0].paymentLink]
  expect(alone.statusCode).toBe(201)
  expect(new Set([id, ...copies.map((link) => link.id)]).size).toBe(3)
  for (const link of copies) expect(dropOwn(link)).toEqual(dropOwn(shown))
})

test('an endpoint is made of the answer about another, disabled where that one is, with its own secret', async () => {
  const company = await newCompany()
  const made = (await company.post(ENDPOINTS, { url: PUBLIC_HOOK_URL })).json()
  const off = (await change(company, `${ENDPOINTS}/${made.id}`, { disabled: true })).json()

  const [copy, offCopy] = [await company.post(ENDPOINTS, made), await company.post(ENDPOINTS, off)]

  expect([copy.statusCode, offCopy.statusCode]).toEqual([201, 201])
  expect(copy.json()).toMatchObject({ url: PUBLIC_HOOK_URL, disabled: false, disabledAt: null })
  expect(offCopy.json()).toMatchObject({ disabled: true, disabledAt: expect.any(String) })
  expect(copy.json().secret).not.toBe(made.secret)
})

const UNTRUE: [path: string, needed: object, untrue: object][] = [
  [LINKS, LINK, { slug: 'meu-link', imageUrl: 'https://loja.com.br/a.png', testMode: false }],
  [LINKS, LINK, { id: 'pedido-1042', createdAt: '2026-01-01T00:00:00.000Z', paymentsCount: 3 }],
  [CUSTOMERS, { name: 'Ana' }, { testMode: false, updatedAt: '2026-01-01T00:00:00.000Z' }],
  [ENDPOINTS, { url: PUBLIC_HOOK_URL }, { testMode: false, secret: 'whsec_c2VncmVkbw==' }],
  [ENDPOINTS, { url: PUBLIC_HOOK_URL }, { headerNames: ['X-Key'], rotatingUntil: 'amanhã' }],
]

test.each(UNTRUE)(
  '%s refuses %j with %j, to create and to change',
  async (path, needed, untrue) => {
    const company = await newCompany()
    const { id } = (await company.post(path, needed)).json()
    const read_only = Object.keys(untrue).map((field) => ({ field, code: 'read_only' }))
    const wrong = { field: 'nmae', code: 'unknown_field' }

    const answers = [
      await company.post(path, { ...needed, ...untrue }),
      await change(company, `${path}/${id}`, untrue),
    ]
    const together = await company.post(path, { ...needed, ...untrue, nmae: 'Ana' })

    for (const answer of answers) {
      expect(answer.statusCode).toBe(422)
      expect(answer.json().errors).toMatchObject(read_only)
    }
    expect(together.json().errors).toMatchObject([wrong, ...read_only])
    expect((await company.get(path)).json().data).toHaveLength(1)
  },
)

test('what will be answered may be said by a body that is no answer', async () => {
  const company = await newCompany()
  const made = await company.post(LINKS, { ...LINK, testMode: true, imageUrl: null })
  const { id, slug, url, createdAt } = made.json()
  const endpoint = (await company.post(ENDPOINTS, { url: PUBLIC_HOOK_URL, disabled: true })).json()

  const said = { title: 'Torta', slug, url, createdAt, testMode: true, paymentsCount: 0 }
  const changed = await change(company, `${LINKS}/${id}`, said)
  const enabled = [
    await change(company, `${ENDPOINTS}/${endpoint.id}`, { disabledAt: null }),
    await change(company, `${ENDPOINTS}/${endpoint.id}`, { disabled: false, disabledAt: null }),
  ]

  expect([made.statusCode, changed.statusCode]).toEqual([201, 200])
  expect(enabled.map(({ statusCode }) => statusCode)).toEqual([422, 200])
})

test('in a batch too, what only answers have is refused in its place', async () => {
  const company = await newCompany()

  const batch = await company.post(`${LINKS}/batch`, {
    paymentLinks: [{ ...LINK, slug: 'x' }, LINK],
  })

  expect(batch.json().data).toMatchObject([
    { status: 422, errors: [{ field: 'slug', code: 'read_only' }] },
    { status: 201 },
  ])
})

test('the document of a customer is masked in answers, and no other mask will do', async () => {
  const company = await newCompany()
  const { id, taxId } = (await company.post(CUSTOMERS, MARIA)).json()
  const unnamed = (await company.post(CUSTOMERS, { name: 'Ana' })).json()

  const renamed = await change(company, `${CUSTOMERS}/${id}`, { taxId, name: 'Maria Souza' })
  const refused = [
    await change(company, `${CUSTOMERS}/${id}`, { taxId: '***.111.111-**' }),
    await change(company, `${CUSTOMERS}/${unnamed.id}`, { taxId }),
    await company.post(CUSTOMERS, { name: 'Bia', taxId }),
  ]
  const unknown = await change(company, `${CUSTOMERS}/${company.id}`, { taxId })

  expect(renamed.json()).toMatchObject({ name: 'Maria Souza', taxId })
  expect((await company.get(`${CUSTOMERS}?taxId=${MARIA.taxId}`)).json().data).toHaveLength(1)
  for (const answer of refused) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field: 'taxId', code: 'invalid_tax_id' }])
  }
  expect(unknown.statusCode).toBe(404)
})
