// The return codes of the Brazilian cards association (ABECS, Normativo 21) as our decline codes. Each code says
// whether the same card may be tried again: brands fine further tries after an irreversible one.
import type { DeclineReason } from '../card.ts'
import type { Decline } from '../provider.ts'

const DECLINE_REASONS: Record<string, DeclineReason> = {
  '04': ['generic', true],
  '05': ['generic', true],
  '06': ['provider_error', true],
  '12': ['invalid_card', false],
  '13': ['generic', false],
  '14': ['invalid_card', false],
  '19': ['provider_error', false],
  '23': ['invalid_installments', false],
  '30': ['provider_error', false],
  '38': ['attempts_exceeded', true],
  '41': ['lost_or_stolen', false],
  '43': ['lost_or_stolen', false],
  '46': ['not_permitted', false],
  '51': ['insufficient_funds', true],
  '54': ['expired_card', false],
  '55': ['generic', true],
  '56': ['invalid_card', false],
  '57': ['not_permitted', false],
  '58': ['provider_error', false],
  '59': ['suspected_fraud', true],
  '61': ['insufficient_funds', true],
  // One code for two reasons: a card that is blocked for a while, which may be tried again, and a domestic card abroad.
  '62': ['not_permitted', true],
  '63': ['invalid_cvv', false],
  '64': ['generic', false],
  '65': ['attempts_exceeded', true],
  '75': ['attempts_exceeded', true],
  '76': ['not_permitted', false],
  '77': ['not_permitted', false],
  '78': ['not_permitted', true],
  '91': ['provider_error', true],
}

/** @param code An acquirer's code, with or without zeros before it. An unknown code is a generic decline. */
export function toAbecsDecline(
  code: string,
): Pick<Decline, 'declineCode' | 'abecsCode' | 'retryable'> {
  const abecsCode = code.replace(/^0+(?=\d\d$)/, '')
  const [declineCode, retryable] = DECLINE_REASONS[abecsCode] ?? []
  return declineCode === undefined || retryable === undefined
    ? { declineCode: 'generic', abecsCode: null, retryable: true }
    : { declineCode, abecsCode, retryable }
}
