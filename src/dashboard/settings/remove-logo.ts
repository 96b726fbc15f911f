// A logo is taken away after a question; the one for the dark scheme alone, or with the other.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import type { ColorScheme } from '../../companies/brand-color.ts'
import { removeLogo } from '../../companies/logo.ts'
import { getEntries } from '../../record.ts'
import { type DashboardNeeds, getAuditActor, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { BRAND_PATH, SETTINGS_PATH } from '../layout/paths.ts'
import { settingsTexts } from './texts.ts'

const SETTINGS = requireRight('settings')
/** By what their addresses call them. */
const LOGOS = { logo: 'light', 'logo-escuro': 'dark' } as const

export async function removeLogoPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  for (const [name, scheme] of getEntries(LOGOS)) {
    const path = `/ajustes/${name}/remover`

    app.get(path, SETTINGS, async (request, reply) => {
      if (!hasLogo(request, scheme)) return reply.redirect(BRAND_PATH, 303)
      return show(request, reply, 'dashboard/layout/confirm', {
        ...settingsTexts.removeLogo[scheme],
        ...{ section: 'ajustes', action: `${SETTINGS_PATH}/${name}/remover`, back: BRAND_PATH },
      })
    })

    app.post(path, SETTINGS, async (request, reply) => {
      const { companyId } = request.visitor.user
      const now = needs.now()
      if (hasLogo(request, scheme)) {
        await removeLogo(db, { companyId, scheme }, now)
        await recordAudit(db, { ...getAuditActor(request), action: 'logo_removed', now })
      }
      return reply.redirect(`${BRAND_PATH}?feito=logo-removido`, 303)
    })
  }
}

function hasLogo({ visitor: { company } }: FastifyRequest, scheme: ColorScheme) {
  return (scheme === 'dark' ? company.logoDarkUrl : company.logoUrl) !== null
}
