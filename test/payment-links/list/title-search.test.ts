// How links are found again: by part of a title, by name, by several labels, by the time of day.
import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import type { PaymentLink } from '../../../src/payment-links/schema.ts'
import { HOUR_MS, LINKS_PATH, openLinkApi } from '../../support/link-api.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { create, archive } = openLinkApi(testApp)

async function list(company: TestCompany, query: Record<string, string>) {
  const response = await company.get(`${LINKS_PATH}?${new URLSearchParams(query)}`)
  expect(response.statusCode).toBe(200)
  return response.json() as { data: PaymentLink[]; nextCursor: string | null }
}

const titles = ({ data }: { data: PaymentLink[] }) => data.map(({ title }) => title)

test('part of a title is found whatever its case and accents, a whole name alone', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  const bolo = await create(company, { title: 'Bolo 100% AÇAÍ' })
  await create(company, { title: 'Pão de A-1', externalReference: 'B-2' })
  await create(company, { title: 'Café', externalReference: 'A-1' })
  const { slug } = await create(other, { title: 'Bolo alheio', externalReference: 'C-3' })
  const found = async (q: string) => titles(await list(company, { q })).join()

  expect(await found('acai')).toBe('Bolo 100% AÇAÍ')
  expect(await found('PÃO')).toBe('Pão de A-1')
  expect(await found('0% a')).toBe('Bolo 100% AÇAÍ')
  expect(await found('a')).toBe('Café,Pão de A-1,Bolo 100% AÇAÍ')
  expect(await found('a_a')).toBe('')
  expect(await found('\\')).toBe('')
  expect(await found('A-1')).toBe('Café')
  expect(await found('a-1')).toBe('Pão de A-1')
  expect(await found(bolo.slug)).toBe('Bolo 100% AÇAÍ')
  expect(await found(slug)).toBe('')
  expect(await found('C-3')).toBe('')
  await archive(company, bolo.slug)
  expect(await found(bolo.slug)).toBe('')
})

test('pages of part of a title are full and go on to the last', async () => {
  const company = await newCompany()
  for (const n of [1, 2, 3, 4, 5]) await create(company, { title: `Panetone ${n}` })
  await create(company, { title: 'Bolo' })

  const first = await list(company, { q: 'panetone', limit: '3' })
  const last = await list(company, { q: 'panetone', limit: '3', cursor: first.nextCursor! })

  expect(titles(first)).toEqual(['Panetone 5', 'Panetone 4', 'Panetone 3'])
  expect(titles(last)).toEqual(['Panetone 2', 'Panetone 1'])
  expect(last.nextCursor).toBeNull()
})

test('several tags are all asked for', async () => {
  const company = await newCompany()
  await create(company, { title: 'Bolo', tags: ['doce', 'festa'] })
  await create(company, { title: 'Coxinha', tags: ['salgado', 'festa'] })
  const { id } = await create(company, { title: 'Torta', tags: ['doce', 'festa', 'fria'] })
  const found = async (...tags: string[]) => {
    const query = new URLSearchParams(tags.map((tag) => ['tag', tag]))
    return titles((await company.get(`${LINKS_PATH}?${query}`)).json()).join()
  }

  expect(await found('doce', 'festa')).toBe('Torta,Bolo')
  expect(await found('festa', 'doce', 'festa')).toBe('Torta,Bolo')
  expect(await found('doce', 'salgado')).toBe('')
  await db
    .update(paymentLinks)
    .set({ tags: ['fria'] })
    .where(eq(paymentLinks.id, id))
  expect(await found('doce')).toBe('Bolo')
  expect(await found('fria')).toBe('Torta')

  const many = Array.from({ length: 21 }, (_, i) => `tag=t${i}`).join('&')
  for (const query of [many, 'tag=a&tag=']) {
    const response = await company.get(`${LINKS_PATH}?${query}`)
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toMatchObject([{ field: 'tag' }])
  }
})

test('a time of day is the same in every zone', async () => {
  const company = await newCompany()
  const { createdAt } = await create(company)
  const local = `${new Date(Date.parse(createdAt) - 3 * HOUR_MS).toISOString().slice(0, -1)}-03:00`

  const found = [
    await list(company, { createdFrom: local }),
    await list(company, { createdTo: local }),
    await list(company, { createdFrom: local, createdTo: createdAt }),
  ]

  expect(found.map(({ data }) => data.length)).toEqual([1, 1, 1])
})
