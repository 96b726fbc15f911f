// Handles a card number in another field: shows the form again, with this field named and emptied.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { containsCardData, isCardDataRefusal } from '../../http/card-data.ts'
import { toRecord } from '../../http/fields.ts'
import { listAskedFields } from '../../payment-links/custom-fields.ts'
import type { LinkWithCompany } from '../../payment-links/payment-link.ts'
import { toAnswerName } from '../answers.ts'
import type { FormErrors } from '../form-values.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { readSentForm } from './new-form.ts'
import type { createLinkReplies } from './replies.ts'
import { isPayable } from './unavailable.ts'

type FieldOfForm = FormErrors[number]['field']
type FormRequest = FastifyRequest<{ Params: { slug: string } }>

/** Handles forms that were refused for card data; other failures go to the scope's own handler. */
export function createCardDataReply(
  needs: CheckoutNeeds,
  { sendForm }: Pick<ReturnType<typeof createLinkReplies>, 'sendForm'>,
) {
  return async function showCardData(error: Error, request: FormRequest, reply: FastifyReply) {
    const { body, params } = request
    const found = isCardDataRefusal(error) ? await needs.findLink(params.slug) : undefined
    const now = needs.now()
    const fields = found && isPayable(found, now) ? listFieldsWithCardData(body, found) : []
    if (!found || fields.length === 0) throw error

    const { attempt, ...typed } = toRecord(body)
    const sent = containsCardData(attempt) ? typed : body
    const form = readSentForm(request, now, sent)
    const errors = fields.map((field) => ({ field, message: form.t.problems.cardNumber }))
    return sendForm(reply.code(422), found, { ...form, errors })
  }
}

/** Lists these fields, if the payer sees them. */
function listFieldsWithCardData(body: unknown, { link, company }: LinkWithCompany): FieldOfForm[] {
  const shown: FieldOfForm[] = [
    ...(link.linkedCustomerId ? [] : (['name', 'email'] as const)),
    'taxId',
    ...(company.askPhone && !link.linkedCustomerId ? (['phone'] as const) : []),
    ...listAskedFields(link.customFields).map(toAnswerName),
  ]
  const { cardHolder, ...typed } = toRecord(body)
  const wrong = shown.filter((name) => containsCardData({ [name]: typed[name] }))
  return containsCardData(cardHolder) ? [...wrong, 'card'] : wrong
}
