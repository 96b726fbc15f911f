// Every view in every state, rendered; that what comes out is HTML is looked at in the heavy suite.
import { expect, test } from 'vitest'
import { isIcon, listViews } from './compile.ts'
import { ALL_FIXTURES } from './fixtures/all.ts'
import { openGallery } from './gallery.ts'
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

test('the gallery links every state, and shows each under its address', async () => {
  const app = await openGallery()
  const { body } = await app.inject('/')
  const paths = [...body.matchAll(/<li><a href="([^"]+)"/g)].map(([, path]) => path!)

  const answers = await Promise.all(paths.map((path) => app.inject(path)))

  expect(new Set(paths).size).toBe(ALL_FIXTURES.length)
  expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
})
