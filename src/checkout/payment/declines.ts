// The next step after a declined card, by its reason, with the text for the payer.

import type { DeclineCode } from '../../database/enums.ts'
import { formatCard } from '../../format.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import type { CheckoutTexts } from '../texts/pt.ts'

type DeclineStep = keyof CheckoutTexts['declineSteps']

/** For cards that the form accepts again; for others the step is another card. */
const DECLINE_STEPS: Record<DeclineCode, DeclineStep> = {
  generic: 'retry',
  insufficient_funds: 'otherCard',
  expired_card: 'correctCard',
  invalid_card: 'correctCard',
  invalid_cvv: 'correctCode',
  suspected_fraud: 'retry',
  lost_or_stolen: 'otherCard',
  not_permitted: 'otherCard',
  invalid_installments: 'changeInstallments',
  attempts_exceeded: 'otherCard',
  threeds_failed: 'retry',
  provider_error: 'retry',
}

/** Where the form begins: the first field to fill in again. */
const ENTRIES: Record<DeclineStep, string> = {
  correctCode: '#card-number',
  correctCard: '#card-number',
  changeInstallments: '#installments',
  retry: '',
  otherCard: '#card-number',
}

type DeclineInput = {
  t: CheckoutTexts
  /** Whether the form would send this card to the bank again. */
  isCardOpen: boolean
  /** Whether the link also offers Pix. */
  isPixOpen: boolean
  /** The form for another card; null when cards are not accepted. */
  formUrl: string | null
}

export function buildDeclineViewModel(
  { declineCode, cardBrand, cardLast4 }: TransactionRow,
  { t, isCardOpen, isPixOpen, formUrl }: DeclineInput,
) {
  const code = declineCode ?? 'generic'
  // When cards are no longer accepted there is nothing to correct.
  const step = isCardOpen && formUrl ? DECLINE_STEPS[code] : 'otherCard'
  const { action, advice } = t.declineSteps[step]
  const card = cardBrand && cardLast4 ? formatCard(cardBrand, cardLast4) : t.someCard
  const unbroken = card.replaceAll(' ', '\u00a0')
  return {
    reason: (isPixOpen ? t.declines : { ...t.declines, ...t.cardsOnly.declines })[code],
    advice: advice(unbroken),
    action,
    url: formUrl && `${formUrl}${ENTRIES[step]}`,
  }
}
