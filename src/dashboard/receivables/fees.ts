// `/painel/recebimentos/tarifas`: what the company says that its providers keep, of the environment that is being
// looked at alone.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findFeeTerms, replaceFeeTerms } from '../../companies/fee-terms.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { registerForm } from '../layout/forms/register.ts'
import { saveVersionedForm } from '../layout/forms/versioned.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { FEES_PATH } from '../layout/paths.ts'
import { recordAct } from '../layout/security.ts'
import {
  describeFees,
  FEE_LABELS,
  type FeeValues,
  readFeesForm,
  toCardRows,
  toFeesForm,
  toFeeTerms,
  toFeeValues,
} from './fees-form.ts'
import { feeTexts } from './texts.ts'

export async function feePages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)
  const { db } = needs

  registerForm(app, '/recebimentos/tarifas', {
    right: 'receivables',
    load: ({ visitor }) => findFeeTerms(db, visitor.company.id),
    toValues: toFeeValues,
    toForm: (terms) => toFeesForm(toFeeValues(terms)),
    readForm: ({ body }) => readTypedFields(body),
    async save(request, _terms, form) {
      const read = readFeesForm(form)
      return read.kind === 'valid' ? saveFees(needs, request, read.values) : read
    },
    view: (request, reply, shown) =>
      show(request, reply, 'dashboard/receivables/fees', {
        title: feeTexts.title,
        section: 'recebimentos',
        ...shown,
        card: toCardRows(shown.form, shown.errors),
      }),
    done: `${FEES_PATH}?feito=tarifas-salvas`,
  })
}

function saveFees(needs: DashboardNeeds, request: FastifyRequest, typed: FeeValues) {
  const { db } = needs
  const { id } = request.visitor.company
  const audited = { action: 'fees_changed', subjectId: id } as const
  return saveVersionedForm(needs, request, {
    find: () => findFeeTerms(db, id),
    toValues: toFeeValues,
    ...{ describe: describeFees, labels: FEE_LABELS, typed, audited },
    async save(before, { details }) {
      const after = toFeeTerms(typed)
      if (!(await replaceFeeTerms(db, id, { before, after }))) return undefined
      await recordAct(needs, request, { ...audited, details })
      return { kind: 'saved' } as const
    },
  })
}
