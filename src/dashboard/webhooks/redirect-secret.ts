// The secret that signs payers' returns to the company's pages: shown in the answer that changes it, and never again.

import type { FastifyInstance } from 'fastify'
import { rotateRedirectSecret } from '../../companies/redirect-secret.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { type DashboardNeeds, getAuditActor, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { INTEGRATIONS_PATH } from '../layout/paths.ts'
import { webhookPageTexts } from './texts.ts'

const INTEGRATIONS_STEP_UP = requireRight('integrations', STEP_UP)

const REDIRECT_SECRET_PATH = `${INTEGRATIONS_PATH}/retorno`

const words = webhookPageTexts

export async function redirectSecretPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher, mail } = needs
  const show = createPageRenderer(needs)

  app.get('/integracoes/retorno', INTEGRATIONS_STEP_UP, async (request, reply) =>
    show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.redirect, section: 'integracoes', ...words.rotateRedirect },
      hidden: [{ name: 'version', value: request.visitor.company.updatedAt }],
      ...{ action: REDIRECT_SECRET_PATH, back: INTEGRATIONS_PATH, isDangerous: true },
    }),
  )

  app.post('/integracoes/retorno', INTEGRATIONS_STEP_UP, async (request, reply) => {
    const { id: companyId, testMode } = request.visitor.company
    const { version = '' } = readTypedFields(request.body)
    const now = needs.now()
    const isVersion = !Number.isNaN(Date.parse(version))
    const rotated = await db.transaction(async (tx) => {
      const order = { companyId, version, now }
      const result = isVersion ? await rotateRedirectSecret(tx, cipher, order) : undefined
      if (result?.kind !== 'rotated') return undefined
      const entry = { action: 'redirect_secret_rotated', testMode, now } as const
      await recordSecurityChange(tx, mail, { ...getAuditActor(request), ...entry })
      return result
    })
    // A form that is sent twice would show another secret, and make the first one useless.
    if (!rotated) return reply.redirect(`${REDIRECT_SECRET_PATH}?feito=retorno-ja-mudou`, 303)
    return show(request, reply, 'dashboard/webhooks/redirect-secret', {
      ...{ title: words.titles.redirect, section: 'integracoes' },
      secret: rotated.redirectSecret,
    })
  })
}
