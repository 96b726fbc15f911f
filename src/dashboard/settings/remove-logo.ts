// The logo is taken away after a question.
import type { FastifyInstance } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { removeLogo } from '../../companies/logo.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { BRAND_PATH, SETTINGS_PATH } from '../layout/paths.ts'
import { settingsTexts } from './texts.ts'

const SETTINGS = requireRight('settings')

export async function removeLogoPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/ajustes/logo/remover', SETTINGS, async (request, reply) => {
    if (!request.visitor.company.logoUrl) return reply.redirect(BRAND_PATH, 303)
    return show(request, reply, 'dashboard/layout/confirm', {
      ...settingsTexts.removeLogo,
      ...{ section: 'ajustes', action: `${SETTINGS_PATH}/logo/remover`, back: BRAND_PATH },
    })
  })

  app.post('/ajustes/logo/remover', SETTINGS, async (request, reply) => {
    const { company, user } = request.visitor
    const now = needs.now()
    if (company.logoUrl) {
      await removeLogo(db, user.companyId, now)
      await recordAudit(db, { ...getAuditActor(request), action: 'logo_removed', now })
    }
    return reply.redirect(`${BRAND_PATH}?feito=logo-removido`, 303)
  })
}
