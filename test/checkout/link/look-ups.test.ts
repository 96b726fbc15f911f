// Links that many payers open at the same moment.
import { expect, test, vi } from 'vitest'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { app, db } = testApp
const { newLink } = openCheckout(testApp)

test('links that are opened at once are read together', async () => {
  const links = await Promise.all(Array.from({ length: 8 }, () => newLink()))
  const statements = vi.spyOn(db.$client, 'query')

  const pages = await Promise.all(links.map(({ slug }) => app.inject(`/pagar/${slug}`)))

  const lookups = statements.mock.calls.filter((call) => /"slug" (in|=)/.test(JSON.stringify(call)))
  statements.mockRestore()
  expect(pages.map(({ statusCode }) => statusCode)).toEqual(links.map(() => 200))
  expect(lookups.length).toBeLessThan(links.length / 2)
})
