// `/painel/integracoes`: the company's webhook endpoints and their health.

import type { FastifyInstance } from 'fastify'
import { listEndpoints, MAX_ENDPOINTS } from '../../webhooks/endpoints/endpoint.ts'
import { loadEndpointHealth } from '../../webhooks/endpoints/health.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { toEndpointRow } from './endpoint-view.ts'

export async function endpointListPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes', requireRight('integrations'), async (request, reply) => {
    const { company } = request.visitor
    const [rows, health] = await Promise.all([
      listEndpoints(db, company.id),
      loadEndpointHealth(db, company.id, needs.now()),
    ])
    return show(request, reply, 'dashboard/webhooks/endpoints', {
      title: sectionTitles.integracoes,
      section: 'integracoes',
      endpoints: rows.map((row) => toEndpointRow(row, health.get(row.id))),
      most: rows.length < MAX_ENDPOINTS ? null : MAX_ENDPOINTS,
    })
  })
}
