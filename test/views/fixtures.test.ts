// Every view in every state, rendered; that what comes out is HTML, and the gallery, are looked at in the heavy suite.
import { expect, test } from 'vitest'
import { isIcon, listViews } from './compile.ts'
import { ALL_FIXTURES } from './fixtures/all.ts'
import { createRenderer, VIEWS } from './render.ts'

/** Rendered whole by their own test, from the OpenAPI document. */
const isDocs = (view: string) => view.startsWith('docs/')

const { render, used } = createRenderer()
const pages = ALL_FIXTURES.map((fixture) => ({ ...fixture, html: render(fixture) }))

test('every view is shown in some state', () => {
  const views = listViews(VIEWS).filter((view) => !isIcon(view) && !isDocs(view))

  expect(views.filter((view) => !used.has(view))).toEqual([])
  expect(views.length).toBeGreaterThan(80)
})

test.each(pages)('$view says all that it is given: $state', ({ html }) => {
  expect(html).not.toMatch(/\bundefined\b|\[object |\bNaN\b|>null<|"null"/)
})

test('no view cuts off what is typed or pasted, but for the digits of a card', () => {
  const fields = pages.flatMap(
    ({ html }) => html.match(/<(?:input|textarea)\b[^>]*\smaxlength=[^>]*>/g) ?? [],
  )

  expect(fields.filter((field) => !/id="card-(number|expiry|code)"/.test(field))).toEqual([])
})
