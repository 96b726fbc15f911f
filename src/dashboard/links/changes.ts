// Saves the changed fields of a link's form, unless another person changed the link meanwhile.

import type { FastifyRequest } from 'fastify'
import { formatBrl, formatPercent } from '../../format.ts'
import type { AppError } from '../../http/errors.ts'
import { updatePaymentLink } from '../../payment-links/change/change.ts'
import { findExpiryErrors } from '../../payment-links/field-errors.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { PLAIN_TEXT_NAMES } from '../../payment-links/plain-texts.ts'
import { linkTexts } from '../../payment-links/texts.ts'
import { buildRecord } from '../../record.ts'
import { texts } from '../../texts.ts'
import { catchRefusal, type FormResult } from '../layout/forms/form.ts'
import { versionTexts } from '../layout/forms/texts.ts'
import { listChangedFields, pickFields, saveVersionedForm } from '../layout/forms/versioned.ts'
import type { ById, DashboardNeeds } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { toTimeView } from '../layout/values/time.ts'
import { type FormCustomer, resolveFormCustomer } from './customer.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'
import {
  type LinkForm,
  type LinkValues,
  readLinkChanges,
  toLinkFormErrors,
  toLinkInput,
  toLinkValues,
} from './form.ts'
import { linkPageTexts } from './texts.ts'

const words = linkPageTexts

export async function saveLinkChanges(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  { form, link }: { form: LinkForm; link: LinkRow },
) {
  const { db } = needs
  const { company } = request.visitor
  const customer = await resolveFormCustomer(db, company.id, form)
  const typed = toLinkInput(form, customer.id, link.tags)
  const wanted = { form, values: pickFields(typed, listChangedFields(toLinkValues(link), typed)) }
  const { expiresAt } = wanted.values
  const beside = [...listCustomerErrors(customer), ...findExpiryErrors(expiresAt, needs.now())]
  const read = joinFormErrors(readLinkChanges(link, wanted), beside)
  if (read.kind === 'invalid') return read
  return saveVersionedForm(needs, request, {
    find: () => findRequestedLink(db, request),
    ...{ toValues: toLinkValues, typed, labels: words.fields, describe: describeLink },
    audited: { action: 'link_changed', subjectId: link.id },
    async save(before, { changed: fields, details }) {
      const changes = readLinkChanges(before, { form, values: pickFields(typed, fields) })
      if (changes.kind === 'invalid') return changes
      const { values } = changes
      const changing = updatePaymentLink(db, company, before, values, needs.now(), { before })
      const result = await catchRefusal(changing, (refusal) =>
        refusal.code === 'changed_meanwhile' ? [] : toRefusedFields(refusal),
      )
      if (result.kind === 'invalid') return result.errors.length > 0 ? result : undefined
      await recordLinkAudit(needs, request, 'link_changed', result.saved, details)
      return result
    },
  })
}

/** Turns refusals of the domain into errors of the form's fields. */
export function toRefusedFields({ code, errors }: AppError): FormError[] | undefined {
  if (code === 'link_archived') return [{ field: 'content', message: words.archivedMeanwhile }]
  return errors && toLinkFormErrors(errors)
}

/** Joins the errors of the form with others, so that all are shown together. */
export function joinFormErrors<Values>(
  read: FormResult<Values>,
  beside: FormError[],
): FormResult<Values> {
  if (beside.length === 0) return read
  const known = read.kind === 'invalid' ? read.errors : []
  return { kind: 'invalid', errors: toLinkFormErrors([...known, ...beside]) }
}

export function listCustomerErrors(customer: FormCustomer): FormError[] {
  return customer.kind === 'found' ? [] : [{ field: 'customer', message: customer.message }]
}

function describeLink(values: LinkValues): Record<keyof LinkValues, string> {
  const { amountCents, maxInstallments, interestMode, expiresAt, metadata } = values
  const { interestFreeInstallments: free, pixDiscountBps: discount } = values
  const modes: Record<string, string> = linkTexts.interest
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)
  return {
    ...buildRecord(PLAIN_TEXT_NAMES, (name) => orNone(values[name])),
    title: values.title,
    amountCents: orNone(amountCents && formatBrl(amountCents)),
    methods: orNone(values.methods.map((method) => texts.methods[method]).join(', ')),
    maxInstallments: linkTexts.upTo(maxInstallments ?? 1),
    interestMode: modes[interestMode] ?? interestMode,
    interestFreeInstallments: free === null ? words.companyDefault : linkTexts.upTo(free),
    pixDiscountBps: discount === null ? words.companyDefault : formatPercent(discount),
    tags: orNone(values.tags.join(', ')),
    expiresAt: orNone(expiresAt && toTimeView(expiresAt).text),
    maxPayments: words.uses(values.maxPayments),
    remindEveryDays: orNone(values.remindEveryDays && words.sending.every(values.remindEveryDays)),
    // Without the name, which would stay in the audit log when the person is anonymized.
    linkedCustomerId: values.linkedCustomerId === null ? versionTexts.none : words.oneCustomer,
    metadata: orNone(pairs.join(', ')),
    customFields: orNone(values.customFields.map(({ label }) => label).join(', ')),
  }
}

function orNone(text: string | number | null | undefined) {
  return text ? String(text) : versionTexts.none
}
