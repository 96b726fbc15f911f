// The texts of the checkout's pages.
import { expect, test } from 'vitest'
import { CHECKOUT_TEXTS } from '../../../src/checkout/texts/languages.ts'
import { listSentences } from '../../support/checkout-pages.ts'

test('what the page of a link says takes a byte a character', () => {
  const wide = Object.values(CHECKOUT_TEXTS).flatMap(
    ({ layout, form, card, answers, problems, cards, link }) =>
      listSentences({ layout, form, card, answers, problems, cards, link }).filter((text) =>
        /[^\0-\xff]/.test(text),
      ),
  )

  expect(wide).toEqual([])
})
