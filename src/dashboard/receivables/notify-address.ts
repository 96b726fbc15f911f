// `/painel/recebimentos/<provider>/endereco`: another address of notifications, where somebody else may know the
// one there is.

import type { FastifyInstance } from 'fastify'
import { recordSecurityChange } from '../../mail/security.ts'
import { findMaskedAccount } from '../../providers/accounts.ts'
import { registerNotifications, rotateNotifyToken } from '../../providers/registration.ts'
import { REAL_PROVIDERS } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { type DashboardNeeds, getAuditActor, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { accountPagePath, toAccountNeeds } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const PROVIDERS_STEP_UP = requireRight('providers', STEP_UP)

export async function notifyAddressPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, mail, baseUrl } = needs
  const at = toAccountNeeds(needs)
  const show = createPageRenderer(needs)

  for (const provider of REAL_PROVIDERS) {
    const path = `/recebimentos/${provider}/endereco`
    const { name } = providerAccountTexts.providers[provider]
    const back = accountPagePath(provider)

    app.get(path, PROVIDERS_STEP_UP, async (request, reply) => {
      const { id: companyId } = request.visitor.company
      if (!(await findMaskedAccount(needs, { companyId, provider })))
        return reply.redirect(back, 303)
      const { question, ...rotate } = providerPageTexts.rotateAddress
      return show(request, reply, 'dashboard/layout/confirm', {
        ...{ section: 'recebimentos', ...rotate, question: question(name), isDangerous: true },
        ...{ action: `${back}/endereco`, back },
      })
    })

    app.post(path, PROVIDERS_STEP_UP, async (request, reply) => {
      const { id: companyId, testMode } = request.visitor.company
      const account = { companyId, provider, now: needs.now() }
      const rotated = await rotateNotifyToken(at, account)
      // Of one that no key opens its page says so.
      if (rotated.kind !== 'rotated') return reply.redirect(back, 303)
      const entry = { action: 'notify_address_rotated', subject: name, testMode } as const
      const by = { ...getAuditActor(request), now: account.now }
      await recordSecurityChange(db, mail, { ...by, ...entry })
      // Ours of before is somebody else's by now; nobody else's is replaced.
      const replace = rotated.wasRegistered
      const { kind } = await registerNotifications(at, { ...account, baseUrl, replace })
      const done = kind === 'registered' ? 'endereco-registrado' : 'endereco-trocado'
      return reply.redirect(`${back}?feito=${done}#notificacoes`, 303)
    })
  }
}
