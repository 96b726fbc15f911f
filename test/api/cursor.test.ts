// A cursor goes on with the list that it came from, by the filters that it came from, and with no other.
import { expect, test } from 'vitest'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const { newCompany } = await openTestApp()
const company = await newCompany()
for (let i = 0; i < 3; i++)
  await company.post('/api/payment-links', { ...MINIMAL_LINK, tags: ['a b'] })
for (const name of ['Ana', 'Bia', 'Caio']) await company.post('/api/customers', { name })

async function getCursor(path: string): Promise<string> {
  return (await company.get(path)).json().nextCursor
}

test('a cursor goes on by the same filters, in any order and writing, with another limit', async () => {
  const cursor = await getCursor('/api/payment-links?tag=a%20b&status=active&limit=1')

  for (const query of ['tag=a%20b&status=active&limit=1', 'limit=2&status=active&tag=a+b']) {
    const next = await company.get(`/api/payment-links?${query}&cursor=${cursor}`)
    expect(next.statusCode).toBe(200)
    expect(next.json().data).not.toHaveLength(0)
  }
})

test.each([
  ['payment-links', '%70ayment%2Dlinks'],
  ['customers', '%63ustomers'],
])('a cursor of %s goes on however the address of its list is written', async (name, encoded) => {
  const writings = [`//api/${name}`, `/api/${encoded}`, `/api/${name}/`, `/api/${name}`]

  for (const first of writings) {
    const cursor = await getCursor(`${first}?limit=1`)
    for (const next of writings) {
      expect((await company.get(`${next}?limit=1&cursor=${cursor}`)).statusCode).toBe(200)
    }
  }
})

test.each([
  ['a filter less', '/api/payment-links?limit=1&tag=a+b'],
  ['a filter more', '/api/payment-links?limit=1&tag=a+b&status=active&method=pix'],
  ['another value', '/api/payment-links?limit=1&tag=a+b&status=inactive'],
  ['another list', '/api/customers?limit=1'],
])('a cursor is refused with %s', async (_what, path) => {
  const cursor = await getCursor('/api/payment-links?tag=a+b&status=active&limit=1')

  const response = await company.get(`${path}&cursor=${cursor}`)

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toEqual([
    {
      field: 'cursor',
      code: 'invalid',
      message: 'Cursor inválido. Use o nextCursor da página anterior, com os mesmos filtros.',
    },
  ])
})

test.each(['x', '', 'MDAwMDAwMDA', '.', 'a.b.c'])('the cursor %j is none', async (cursor) => {
  const response = await company.get(`/api/payment-links?cursor=${cursor}`)

  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toMatchObject([{ field: 'cursor' }])
})

test('a cursor that was changed is refused', async () => {
  const cursor = await getCursor('/api/customers?limit=1')
  const [place, seal] = cursor.split('.')
  const other = Buffer.from('ffffffff-ffff-ffff-ffff-ffffffffffff').toString('base64url')

  for (const forged of [`${other}.${seal}`, `${place}.AAAAAAAAAAA`, place]) {
    expect((await company.get(`/api/customers?cursor=${forged}`)).statusCode).toBe(422)
  }
})
