// The languages of the checkout: whole, each its own, and none left over in another's page.
import { expect, test } from 'vitest'
import { en } from '../../../src/checkout/texts/en.ts'
import { es } from '../../../src/checkout/texts/es.ts'
import { type CheckoutTexts, pt } from '../../../src/checkout/texts/pt.ts'
import { openCheckoutPages } from '../../support/checkout-pages.ts'
import { readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const { openAll } = openCheckoutPages(await openTestApp())

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

test.each([
  ['en', en],
  ['es', es],
] as const)('no page has a Portuguese word left in it in "%s"', async (language, t) => {
  const portuguese = listPortugueseWords(t)
  const pages = await openAll(language)

  const left = pages.flatMap(({ name, body }) => {
    const spoken = [...body.matchAll(/ (?:aria-label|title|alt)="([^"]*)"/g)]
    const scripts = [...body.matchAll(/ data-texts="([^"]*)"/g)]
    const said = [
      readPageText(body),
      ...spoken.map(([, text]) => text),
      ...scripts.flatMap(([, texts]) => listSentences(JSON.parse(readPageText(texts!)))),
    ].join(' ')
    const words = listWords(said).filter((word) => portuguese.has(word) && word !== 'português')
    return words.map((word) => `${name}: ${word}`)
  })

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
