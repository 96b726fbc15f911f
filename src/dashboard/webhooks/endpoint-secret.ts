// The secret of an endpoint: shown to owners on the very answer to their asking, and changed.

import type { FastifyInstance } from 'fastify'
import { AppError, notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { revealSecret, rotateSecret } from '../../webhooks/endpoints/secret.ts'
import { stripUrlQuery } from '../../webhooks/endpoints/serialize.ts'
import { webhookTexts } from '../../webhooks/texts.ts'
import { type ById, type DashboardNeeds, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { loadEndpointDetail } from './endpoint-detail.ts'
import { endpointPath, formatDayAndTime } from './endpoint-view.ts'
import { findRequestedEndpoint, recordOwnEndpointAct } from './find-endpoint.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS_STEP_UP = requireRight('integrations', STEP_UP)

const words = webhookPageTexts

export async function endpointSecretPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher } = needs
  const show = createPageRenderer(needs)

  app.post<ById>('/integracoes/:id/segredo', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const row = await findRequestedEndpoint(needs, request)
    const { company } = request.visitor
    try {
      const secret = await revealSecret(db, cipher, company.id, row.id)
      await recordOwnEndpointAct(needs, request, { action: 'secret_revealed', endpoint: row })
      const detail = await loadEndpointDetail(needs, company, row, secret)
      return show(request, reply, 'dashboard/webhooks/endpoint-detail', detail)
    } catch (error) {
      if (!(error instanceof AppError) || error.statusCode !== 409) throw error
      const errors = [{ field: 'segredo', message: error.message }]
      const detail = await loadEndpointDetail(needs, company, row)
      return show(request, reply, 'dashboard/webhooks/endpoint-detail', { ...detail, errors })
    }
  })

  app.get<ById>('/integracoes/:id/trocar-segredo', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const { id, url, rotatingUntil } = await findRequestedEndpoint(needs, request)
    const { question, overlap, already, button } = words.rotate
    const isRotating = rotatingUntil !== null && rotatingUntil > needs.now().toISOString()
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.rotate, section: 'integracoes', button },
      question: question(stripUrlQuery(url)),
      consequences: [overlap, ...(isRotating ? [already(...formatDayAndTime(rotatingUntil))] : [])],
      action: `${endpointPath(id)}/trocar-segredo#segredo`,
      hidden: [{ name: 'version', value: toRotationVersion(rotatingUntil) }],
      back: endpointPath(id),
    })
  })

  app.post<ById>(
    '/integracoes/:id/trocar-segredo',
    INTEGRATIONS_STEP_UP,
    async (request, reply) => {
      const { id, rotatingUntil } = await findRequestedEndpoint(needs, request)
      const { company } = request.visitor
      // Sent twice, it would show another secret, and the one that was shown first would be one of those before.
      if (toRecord(request.body).version !== toRotationVersion(rotatingUntil)) {
        return reply.redirect(`${endpointPath(id)}?feito=segredo-ja-trocado`, 303)
      }
      const now = needs.now()
      const rotated = await rotateSecret(db, cipher, { companyId: company.id, id, now })
      if (rotated.kind === 'notFound') throw notFoundError(webhookTexts.endpointNotFound)
      const row = await findRequestedEndpoint(needs, request)
      await recordOwnEndpointAct(needs, request, { action: 'secret_rotated', endpoint: row })
      const detail = await loadEndpointDetail(needs, company, row, rotated.secret)
      return show(request, reply, 'dashboard/webhooks/endpoint-detail', detail)
    },
  )
}

/** Another one with each rotation. */
function toRotationVersion(rotatingUntil: string | null) {
  return rotatingUntil ?? 'none'
}
