// Payments of the test environment made by a call: a link is paid without a browser, by the same steps as a payer's
// attempt, and a payer's bank answers: a Pix is paid in full, a card purchase is confirmed or not.

import { type Company, getMethodProvider } from '../../companies/company.ts'
import {
  findLinkedCustomer,
  getPayingCustomerId,
  isDocumentAccepted,
} from '../../customers/customer.ts'
import { isSandbox, type PaymentMethod } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { conflictError, invalidFieldsError, notFoundError } from '../../http/errors.ts'
import { quoteLink, quotePix } from '../../payment-links/installments.ts'
import {
  findLinkWithCompany,
  getLinkStatus,
  type LinkRow,
} from '../../payment-links/payment-link.ts'
import { buildTestCardToken } from '../../providers/sandbox/outcomes.ts'
import {
  answerChallenge,
  paySandboxPix,
  toSandboxReference,
} from '../../providers/sandbox/sandbox.ts'
import { checkPayment } from '../check.ts'
import { createPayment } from '../create.ts'
import type { PayNeeds } from '../needs.ts'
import { buildAttemptRow, type TransactionRow } from '../transaction.ts'
import type { SimulatedPayment } from './schema.ts'
import { simulationTexts } from './texts.ts'

const PIX_SCENARIOS: readonly string[] = ['ok', 'pending']

const INVENTED_PAYER = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  taxId: '52998224725',
  phone: null,
}

/** `id` is the request's: a repeated request finds its payment. */
type SimulationInput = SimulatedPayment & { company: Company; link: LinkRow; id: string }

/** A Pix is paid at once unless its scenario is `pending`; a card ends as its scenario says. */
export async function simulateLinkPayment(
  needs: PayNeeds,
  input: SimulationInput,
): Promise<TransactionRow> {
  const { link, company, scenario } = input
  const { row, card } = await draftSimulatedAttempt(needs, input)
  const paid = await createPayment(needs, { row, link, merchant: company, card })
  switch (paid.kind) {
    case 'payment': {
      const isPaidNow = row.method === 'pix' && scenario !== 'pending'
      return isPaidNow ? simulatePayment(needs, paid.row) : paid.row
    }
    case 'stale': {
      const found = requireFound(await findLinkWithCompany(needs.db, link.id))
      return simulateLinkPayment(needs, { ...input, ...found })
    }
    default:
      throw conflictError('link_not_payable', simulationTexts.soldOut)
  }
}

/** Throws 409 for a link that cannot be paid, 422 for something that it does not offer. */
async function draftSimulatedAttempt(needs: PayNeeds, input: SimulationInput) {
  const { company, link, scenario } = input
  const now = needs.now()
  if (getLinkStatus(link, now) !== 'active') {
    throw conflictError('link_not_payable', simulationTexts.notPayable)
  }
  const method = chooseMethod(input)
  const quote = chooseQuote(input, method)
  const isCard = method === 'credit_card' && scenario !== 'pending'
  const card = isCard ? buildTestCardToken(scenario) : null
  const { customerId, ...payer } = await identifyPayer(needs, input)
  const row = buildAttemptRow({
    ...{ link, company, customerId, payer, method, quote, now },
    attemptToken: input.id,
    card: card && { ...card, holder: payer.name.toUpperCase() },
  })
  return { row, card }
}

/** The default is the link's first method that has the scenario and the installments. */
function chooseMethod(input: SimulationInput): PaymentMethod {
  const { company, link, method, scenario, installments } = input
  const offered = link.methods.filter((one) => {
    const provider = getMethodProvider(company, one)
    return provider !== null && isSandbox(provider)
  })
  const asked = method ? offered.filter((one) => one === method) : offered
  if (asked.length === 0) throw buildRefusal('method', 'not_simulated', simulationTexts.method)
  const isOfPix = PIX_SCENARIOS.includes(scenario)
  const fitting = asked.filter((one) => (one === 'pix' ? isOfPix : scenario !== 'pending'))
  const inParts = installments > 1 && fitting.find((one) => one === 'credit_card')
  const chosen = inParts || fitting[0]
  if (!chosen) throw buildRefusal('scenario', 'not_simulated', simulationTexts.scenario)
  return chosen
}

function chooseQuote({ company, link, installments }: SimulationInput, method: PaymentMethod) {
  const quotes = method === 'pix' ? [quotePix(link, company)] : quoteLink(link, company)
  const quote = quotes.find((one) => one.installments === installments)
  if (quote) return quote
  throw buildRefusal('installments', 'invalid_installments', simulationTexts.installments)
}

/** For a link with a customer, returns the customer's known data, as the checkout does. */
async function identifyPayer({ db }: PayNeeds, { link, payer: given }: SimulationInput) {
  const linked = await findLinkedCustomer(db, link)
  if (!linked?.taxId) {
    const payer = given ?? INVENTED_PAYER
    return { ...payer, customerId: getPayingCustomerId(linked, payer.taxId) ?? null }
  }
  if (given && !isDocumentAccepted(linked, given.taxId)) {
    throw buildRefusal('payer.taxId', 'document_refused', simulationTexts.document)
  }
  const { id: customerId, name, email, phone, taxId } = linked
  return { name, email, phone, taxId, customerId }
}

/** Returns the paid payment; 404 for payments outside the sandbox. A second call changes nothing. */
export async function simulatePayment(
  needs: PayNeeds,
  row: TransactionRow,
): Promise<TransactionRow> {
  if (!isSandboxPix(row)) throw notFoundError()
  const { id: transactionId, totalCents: amountCents } = row
  await paySandboxPix(needs.db, { transactionId, amountCents }, needs.now())
  return checkPayment(needs, row)
}

/**
 * Answers the bank's confirmation for the payer; a slow charge is checked. An ended payment does not change. Throws 409
 * for a payment at a provider's own test environment.
 */
export async function simulateAnswer(
  needs: PayNeeds,
  row: TransactionRow,
  isConfirmed: boolean,
): Promise<TransactionRow> {
  if (!isSandbox(row.provider)) throw conflictError('not_simulated', simulationTexts.notHere)
  if (row.method === 'pix') {
    // A Pix cannot be declined: an unwanted one expires.
    if (!isConfirmed) throw buildRefusal('outcome', 'not_simulated', simulationTexts.pixOutcome)
    return simulatePayment(needs, row)
  }
  await answerChallenge(needs.db, toSandboxReference(row.id), isConfirmed, needs.now())
  return checkPayment(needs, row)
}

export function isSandboxPix({ provider, method }: TransactionRow) {
  return provider === 'sandbox' && method === 'pix'
}

function buildRefusal(field: string, code: string, message: string) {
  return invalidFieldsError([{ field, code, message }])
}
