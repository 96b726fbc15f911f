// `/painel/integracoes/entregas/reenviar-escolhidas`: the deliveries that are ticked in the list, sent once more.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../companies/audit.ts'
import { toRecord } from '../../http/fields.ts'
import {
  type ResentCounts,
  resendChosenDeliveries,
} from '../../webhooks/deliveries/resend-chosen.ts'
import { openForm, sealForm } from '../access/sealed-form.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { buildListUrl } from '../layout/lists/pager.ts'
import { readShownAt } from '../layout/lists/shown-at.ts'
import type { Outcome } from '../layout/lists/views.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { DELIVERIES_PATH } from '../layout/paths.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const words = webhookPageTexts.chosen

const Counts = z.object({
  resent: z.number(),
  underWay: z.number(),
  disabled: z.number(),
  tooOld: z.number(),
}) satisfies z.ZodType<ResentCounts>

export async function chosenResendRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher } = needs

  app.post('/integracoes/entregas/reenviar-escolhidas', INTEGRATIONS, async (request, reply) => {
    const { company } = request.visitor
    const { ate, filtro = '' } = readTypedFields(request.body)
    const now = needs.now()
    const counts = await resendChosenDeliveries(
      db,
      {
        ...{ companyId: company.id, ids: [toRecord(request.body).delivery].flat().map(String) },
        shownAt: readShownAt(ate, now),
      },
      now,
    )
    if (counts.resent > 0) {
      const details = { count: String(counts.resent) }
      const entry = { action: 'chosen_resent', details, now } as const
      await recordAudit(db, { ...getAuditActor(request), ...entry })
    }
    const outcome = { [OUTCOME_FIELD]: sealForm(cipher, counts, nameOutcome(request)) }
    return reply.redirect(buildListUrl(DELIVERIES_PATH, filtro, outcome), 303)
  })
}

/** What came of it, for whoever ordered it. */
export function readResendOutcome(
  { cipher }: Pick<DashboardNeeds, 'cipher'>,
  request: FastifyRequest,
): Outcome | null {
  const { [OUTCOME_FIELD]: sealed = '' } = readTypedFields(request.query)
  const { data } = Counts.safeParse(openForm(cipher, sealed, nameOutcome(request)))
  if (!data) return null
  const { resent, underWay, disabled, tooOld } = data
  const kept = [
    ...(underWay > 0 ? [words.underWay(underWay)] : []),
    ...(disabled > 0 ? [words.disabled(disabled)] : []),
    ...(tooOld > 0 ? [words.tooOld(tooOld)] : []),
  ]
  const isNone = resent === 0 && kept.length === 0
  const said = resent > 0 ? words.resent(resent) : isNone ? words.choose : words.none
  return { isGood: resent > 0, text: `${[said, ...kept].join('. ')}.` }
}

const OUTCOME_FIELD = 'aviso'

function nameOutcome({ visitor }: FastifyRequest) {
  return `resent ${visitor.user.id}`
}
