// The languages of payers' texts.
import { LOCALES, type Locale } from '../../database/enums.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { type CheckoutTexts, pt } from './pt.ts'

export const CHECKOUT_TEXTS: Readonly<Record<Locale, CheckoutTexts>> = { pt, en, es }

export const LANGUAGES = LOCALES.map((locale) => {
  const { language, layout } = CHECKOUT_TEXTS[locale]
  return { locale, language, lang: layout.lang }
})
