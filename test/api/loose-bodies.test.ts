// What typed and form clients send is taken as they mean it.
import { expect, test } from 'vitest'
import { PUBLIC_HOOK_URL } from '../support/endpoints.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()

const LINKS = '/api/payment-links'
const CUSTOMERS = '/api/customers'
const ENDPOINTS = '/api/webhook-endpoints'

const LINK_FIELDS = [
  ...['description', 'priceMode', 'maxInstallments', 'interestMode', 'status', 'threeDsMode'],
  ...['tags', 'redirectUrl', 'linkedCustomerId', 'expiresAt', 'maxPayments', 'metadata'],
  ...['externalReference', 'inactiveMessage', 'customFields', 'successMessage'],
  ...[
    'statementDescriptor',
    'remindEveryDays',
    'id',
    'slug',
    'url',
    'createdAt',
    'updatedAt',
    'testMode',
  ],
]
const all = <Value>(names: string[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value]))
/** What each thing is of its own. */
const OWN = ['id', 'slug', 'url', 'secret', 'createdAt', 'updatedAt']
const leaveOut = (thing: object) =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => !OWN.includes(name)))

const PAIRS = { metadata: { pedido: 1042, peso: 1.5, nada: null } }
const field = { label: 'Turma', type: 'text' }

test.each([
  ['null for what is optional', LINKS, MINIMAL_LINK, all(LINK_FIELDS, null), {}],
  ['null in a pair', LINKS, MINIMAL_LINK, PAIRS, { metadata: { pedido: '1042', peso: '1.5' } }],
  ['a list for no pairs', LINKS, MINIMAL_LINK, { metadata: [] }, {}],
  [
    'null within a field',
    LINKS,
    { ...MINIMAL_LINK, customFields: [field] },
    { customFields: [{ ...field, key: null, required: null, options: null }] },
    {},
  ],
  [
    'blanks of a form',
    LINKS,
    MINIMAL_LINK,
    all(['description', 'redirectUrl', 'linkedCustomerId', 'expiresAt', 'externalReference'], ''),
    {},
  ],
  ['blanks of a form', CUSTOMERS, { name: 'Ana' }, all(['email', 'phone', 'taxId'], ''), {}],
  ['null for what is optional', CUSTOMERS, { name: 'Ana' }, all(['email', 'id'], null), {}],
  [
    'null for what is optional',
    ENDPOINTS,
    { url: PUBLIC_HOOK_URL },
    all(['events', 'disabled', 'headers', 'secret', 'disabledAt'], null),
    {},
  ],
  ['a list for no headers', ENDPOINTS, { url: PUBLIC_HOOK_URL }, { headers: [] }, {}],
])('%s is as if it had not been sent to %s', async (_, path, needed, loose, kept) => {
  const company = await newCompany()

  const plain = await company.post(path, needed)
  const answer = await company.post(path, { ...needed, ...loose })

  expect(answer.json()).toEqual(expect.objectContaining({ id: expect.any(String) }))
  expect(leaveOut(answer.json())).toEqual({ ...leaveOut(plain.json()), ...kept })
})

test('null for what has a default leaves a link as it is, and a blank empties what may be empty', async () => {
  const company = await newCompany()
  const sent = { tags: ['a'], metadata: { b: 'c' }, redirectUrl: 'https://loja.com.br/' }
  const link = (await company.post(LINKS, { ...MINIMAL_LINK, ...sent })).json()
  const none = all(['status', 'tags', 'metadata', 'interestMode', 'maxInstallments'], null)

  const changed = await app.inject({
    method: 'PATCH',
    url: `${LINKS}/${link.id}`,
    headers: { authorization: `Bearer ${company.key}` },
    payload: { ...none, redirectUrl: '' },
  })

  expect(changed.json()).toEqual({
    ...{ ...link, redirectUrl: null, updatedAt: expect.any(String) },
    ...{ paymentsCount: 0, amountReceivedCents: 0, recipients: [] },
  })
})

test.each(['tag=a&tag=b', 'tag[]=a&tag[]=b', 'tag%5B0%5D=a&tag[1]=b', 'tag=a&tag[]=b'])(
  'the list %s is one of two labels, page by page',
  async (query) => {
    const company = await newCompany()
    for (const tags of [['a', 'b'], ['b'], ['b', 'a']])
      await company.post(LINKS, { ...MINIMAL_LINK, tags })

    const first = (await company.get(`${LINKS}?limit=1&${query}`)).json()
    const next = await company.get(`${LINKS}?tag=a&tag=b&cursor=${first.nextCursor}`)

    expect(first).toMatchObject({ data: [{ tags: ['b', 'a'] }], hasMore: true })
    expect(next.json()).toMatchObject({ data: [{ tags: ['a', 'b'] }], hasMore: false })
  },
)
