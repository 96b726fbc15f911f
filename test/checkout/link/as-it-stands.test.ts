// What a company changes is true at a payer's next request, on every process: nothing of it is kept in memory.
import { expect, test, vi } from 'vitest'
import { openCheckout, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db, anotherProcess } = testApp
const { newLink, editLink, editCompany } = openCheckout(testApp)

/** A link that two processes have shown, and what each of them answers to a payer. */
async function openOnTwoProcesses() {
  const link = await newLink({ title: 'Bolo de cenoura' })
  const processes = [app, await anotherProcess()]
  const read = async () => {
    const pages = await Promise.all(processes.map((one) => one.inject(`/pagar/${link.slug}`)))
    return pages.map(({ statusCode, body }) => ({ statusCode, text: readPageText(body) }))
  }
  for (const { statusCode } of await read()) expect(statusCode).toBe(200)
  return { link, read }
}

test.each([
  ['paused', { status: 'inactive' }],
  ['archived', { status: 'archived' }],
] as const)(
  'a link that was %s takes no payment at the next request, on every process',
  async (_, change) => {
    const { link, read } = await openOnTwoProcesses()

    await editLink(link.id, change)

    expect((await read()).map(({ statusCode }) => statusCode)).toEqual([410, 410])
  },
)

test('a changed price is shown at the next request, on every process', async () => {
  const { link, read } = await openOnTwoProcesses()

  await editLink(link.id, { amountCents: 12_345 })

  for (const { text } of await read()) expect(text).toContain('123,45')
})

test('a renamed company is named so at the next request, on every process', async () => {
  const { link, read } = await openOnTwoProcesses()

  await editCompany(link.companyId, { name: 'Confeitaria Lua' })

  for (const { text } of await read()) expect(text).toContain('Confeitaria Lua')
})

test('links that are opened at once are read together', async () => {
  const links = await Promise.all(Array.from({ length: 8 }, () => newLink()))
  const process = await anotherProcess({ db })
  const statements = vi.spyOn(db.$client, 'query')

  const pages = await Promise.all(links.map(({ slug }) => process.inject(`/pagar/${slug}`)))

  const lookups = statements.mock.calls.filter((call) => /"slug" (in|=)/.test(JSON.stringify(call)))
  expect(pages.map(({ statusCode }) => statusCode)).toEqual(links.map(() => 200))
  expect(lookups.length).toBeLessThan(links.length / 2)
})
