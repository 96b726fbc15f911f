// `/painel/recebimentos/tarifas`: what the company says that its providers keep, of the environment that is being
// looked at alone.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { findFeeTerms, replaceFeeTerms } from '../../companies/fee-terms.ts'
import { readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { buildFormVersion, saveVersionedForm } from '../layout/forms/versioned.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict, type FormError } from '../layout/page.ts'
import { FEES_PATH } from '../layout/paths.ts'
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

const RECEIVABLES = requireRight('receivables')

export async function feePages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)
  const { db } = needs

  app.get('/recebimentos/tarifas', RECEIVABLES, (request, reply) => showFees(request, reply, null))

  app.post('/recebimentos/tarifas', RECEIVABLES, async (request, reply) => {
    const typed = readTypedFields(request.body)
    const form = readFeesForm(typed)
    if (form.kind === 'invalid') return showFees(request, reply, typed, form)
    const saved = await saveFees(request, form.values)
    if (saved.kind === 'conflict') return showFees(request, reply, typed, saved)
    return reply.redirect(`${FEES_PATH}?feito=tarifas-salvas`, 303)
  })

  async function saveFees(request: FastifyRequest, typed: FeeValues) {
    const { id } = request.visitor.company
    const audited = { action: 'fees_changed', subjectId: id } as const
    return saveVersionedForm(needs, request, {
      find: () => findFeeTerms(db, id),
      toValues: toFeeValues,
      ...{ describe: describeFees, labels: FEE_LABELS, typed, audited },
      async save(before, { details }) {
        const after = toFeeTerms(typed)
        if (!(await replaceFeeTerms(db, id, { before, after }))) return undefined
        const entry = { ...audited, details, now: needs.now() }
        await recordAudit(db, { ...getAuditActor(request), ...entry })
        return { kind: 'saved' } as const
      },
    })
  }

  async function showFees(
    request: FastifyRequest,
    reply: FastifyReply,
    typed: TypedFields | null,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: FieldConflict[] } = {},
  ) {
    const values = toFeeValues(await findFeeTerms(db, request.visitor.company.id))
    const form = typed ?? toFeesForm(values)
    return show(request, reply, 'dashboard/receivables/fees', {
      ...{ title: feeTexts.title, section: 'recebimentos', errors },
      ...{ form, card: toCardRows(form, errors) },
      version: buildFormVersion(request, values, conflicts),
    })
  }
}
