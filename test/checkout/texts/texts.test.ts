// The languages of the checkout: whole, each its own, and none left over in another's page.
import { expect, test } from 'vitest'
import { en } from '../../../src/checkout/texts/en.ts'
import { es } from '../../../src/checkout/texts/es.ts'
import { type CheckoutTexts, pt } from '../../../src/checkout/texts/pt.ts'
import { readPageText } from '../../support/payer.ts'
import { ALL_FIXTURES } from '../../views/fixtures/all.ts'
import { createRenderer } from '../../views/render.ts'

/** All that a language says, functions with what they are given left out. */
function listSentences(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts === 'function') return [0, 1, 2].map((n) => String(texts(n, '', '', '')))
  return Object.values(texts as object).flatMap(listSentences)
}

const listWords = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []

/** Words that Portuguese has and the other language has not. */
function listPortugueseWords(other: CheckoutTexts) {
  const its = new Set(listSentences(other).flatMap(listWords))
  return new Set(
    listSentences(pt)
      .flatMap(listWords)
      .filter((word) => !its.has(word)),
  )
}

/** Without the sentences that are not the view's: they come shaped, and are what code says. */
function leaveOutShaped(model: unknown, t: CheckoutTexts): unknown {
  if (model === pt) return t
  if (typeof model === 'string') return /\s|[^\0-\x7f]|^[A-Z]/.test(model) ? '–' : model
  if (Array.isArray(model)) return model.map((one) => leaveOutShaped(one, t))
  if (!model || typeof model !== 'object' || model instanceof Map) return model
  return Object.fromEntries(
    Object.entries(model).map(([name, of]) => [name, leaveOutShaped(of, t)]),
  )
}

const pages = ALL_FIXTURES.filter(({ view }) => view.startsWith('checkout/'))
const { render } = createRenderer()

test.each([
  ['en', en],
  ['es', es],
])('no page has a Portuguese word left in it in "%s"', (_, t) => {
  const portuguese = listPortugueseWords(t)

  const left = pages.flatMap(({ view, state, model }) => {
    const html = render({ view, state, model: leaveOutShaped(model, t) as object })
    const spoken = [...html.matchAll(/ (?:aria-label|title|alt)="([^"]*)"/g)]
    const scripts = [...html.matchAll(/ data-texts="([^"]*)"/g)]
    const said = [
      readPageText(html),
      ...spoken.map(([, text]) => text),
      ...scripts.flatMap(([, texts]) => listSentences(JSON.parse(readPageText(texts!)))),
    ].join(' ')
    const words = listWords(said).filter((word) => portuguese.has(word) && word !== 'português')
    return words.map((word) => `${view} (${state}): ${word}`)
  })

  expect(pages.length).toBeGreaterThan(30)
  expect(portuguese.size).toBeGreaterThan(200)
  expect(left).toEqual([])
})

test('a text that a language lacks does not compile', () => {
  const { link, ...rest } = en
  // @ts-expect-error: `link` is missing.
  const lacking: CheckoutTexts = rest
  // @ts-expect-error: and so is one sentence of it.
  const short: CheckoutTexts = { ...en, link: { ...link, pay: undefined } }

  expect([lacking, short]).toHaveLength(2)
})

test('what the page of a link says takes a byte a character', () => {
  const wide = [pt, en, es].flatMap(({ layout, form, card, answers, problems, cards, link }) =>
    listSentences({ layout, form, card, answers, problems, cards, link }).filter((text) =>
      /[^\0-\xff]/.test(text),
    ),
  )

  expect(wide).toEqual([])
})
