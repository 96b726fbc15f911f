// Every view in every state is rendered, is faultless HTML, and has its place in the gallery.
import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { isIcon, listViews } from './compile.ts'
import { ALL_FIXTURES } from './fixtures/all.ts'
import { openGallery } from './gallery.ts'
import { createRenderer, VIEWS } from './render.ts'

/** Rendered whole by their own test, from the OpenAPI document. */
const isDocs = (view: string) => view.startsWith('docs/')

const { render, used } = createRenderer()
const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // Without JavaScript a page that waits can only look again by itself.
    'meta-refresh': 'off',
    // The menu stands there twice, for wide and for narrow screens; one of them is not displayed.
    'unique-landmark': 'off',
    // Pairs of name and value, as many as there are.
    'form-dup-name': 'off',
    // After what there is to say of an event or of a field of an account.
    'valid-id': ['error', { relaxed: true }],
    // The area code, without the country's.
    'valid-autocomplete': 'off',
    'no-trailing-whitespace': 'off',
    // What a combobox offers: HTML has no element for options that are more than words.
    'prefer-native-element': ['error', { exclude: ['listbox'] }],
  },
})

const pages = ALL_FIXTURES.map((fixture) => ({ ...fixture, html: render(fixture) }))

test('every view is shown in some state', () => {
  const views = listViews(VIEWS).filter((view) => !isIcon(view) && !isDocs(view))

  expect(views.filter((view) => !used.has(view))).toEqual([])
  expect(views.length).toBeGreaterThan(80)
})

test.each(pages)('$view says all that it is given: $state', ({ html }) => {
  expect(html).not.toMatch(/\bundefined\b|\[object |\bNaN\b|>null<|"null"/)
})

test.each(pages.filter(({ view }) => !view.startsWith('mail/')))(
  '$view is faultless HTML: $state',
  async ({ html }) => {
    const { results } = await validator.validateString(html)

    const problems = results.flatMap(({ messages }) => messages)
    expect(problems.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`)).toEqual([])
  },
)

test('no view cuts off what is typed or pasted, but for the digits of a card', () => {
  const fields = pages.flatMap(
    ({ html }) => html.match(/<(?:input|textarea)\b[^>]*\smaxlength=[^>]*>/g) ?? [],
  )

  expect(fields.filter((field) => !/id="card-(number|expiry|code)"/.test(field))).toEqual([])
})

test('the gallery links every state, and shows each under its address', async () => {
  const app = await openGallery()
  const { body } = await app.inject('/')
  const paths = [...body.matchAll(/<li><a href="([^"]+)"/g)].map(([, path]) => path!)

  const answers = await Promise.all(paths.map((path) => app.inject(path)))

  expect(new Set(paths).size).toBe(ALL_FIXTURES.length)
  expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
})
