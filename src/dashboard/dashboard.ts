// `/painel`: the company's people at a screen. Outside the gate are the ways in; inside, one file a page.
import type { FastifyInstance } from 'fastify'
import { accountPages } from './account.ts'
import { auditLogPages } from './audit-log.ts'
import { brandPages } from './brand.ts'
import { customerPages } from './customer.ts'
import { customerEditPages } from './customer-edit.ts'
import { customerListPages } from './customers.ts'
import { deliveryListPages } from './deliveries.ts'
import { deliveryPages } from './delivery.ts'
import { deliveryResendPages } from './delivery-resend.ts'
import { endpointEditPages } from './endpoint-edit.ts'
import { endpointSecretPages } from './endpoint-secret.ts'
import { endpointPages } from './endpoints.ts'
import { requireVisitor } from './gate.ts'
import { invitationRoutes } from './invitation.ts'
import { keyRollPages } from './key-roll.ts'
import { keyPages } from './keys.ts'
import { linkPages, linkQrRoutes } from './link.ts'
import { linkCardsPages } from './link-cards.ts'
import { linkEditPages } from './link-edit.ts'
import { linkListPages } from './links.ts'
import type { DashboardNeeds } from './needs.ts'
import { lostPasswordRoutes, newPasswordRoutes } from './password-reset.ts'
import { providerAccountPages } from './provider-account.ts'
import { providerChoicePages } from './provider-choice.ts'
import { receivablePages } from './receivables.ts'
import { refundPages } from './refund.ts'
import { reportPages } from './reports.ts'
import { secondStepChangePages, secondStepPages } from './second-step.ts'
import { settingsPages } from './settings.ts'
import { signInRoutes, signOutRoutes } from './sign-in.ts'
import { startPages } from './start.ts'
import { teamPages } from './team.ts'
import { teamInvitePages } from './team-invite.ts'
import { teamPersonPages } from './team-person.ts'
import { transactionPages } from './transaction.ts'
import { transactionListPages } from './transactions.ts'

export async function dashboardRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.addHook('onRequest', async (_request, reply) => {
    // Forms say where they come from; nothing is told to other sites.
    reply.header('referrer-policy', 'same-origin')
  })
  await signInRoutes(app, needs)
  await invitationRoutes(app, needs)
  await lostPasswordRoutes(app, needs)
  await newPasswordRoutes(app, needs)

  await app.register(async (inside) => {
    await requireVisitor(inside, needs)
    await signOutRoutes(inside, needs)
    await startPages(inside, needs)
    await linkListPages(inside, needs)
    await linkEditPages(inside, needs)
    await linkPages(inside, needs)
    await linkCardsPages(inside, needs)
    await linkQrRoutes(inside, needs)
    await transactionListPages(inside, needs)
    await transactionPages(inside, needs)
    await refundPages(inside, needs)
    await customerListPages(inside, needs)
    await customerEditPages(inside, needs)
    await customerPages(inside, needs)
    await receivablePages(inside, needs)
    await providerAccountPages(inside, needs)
    await providerChoicePages(inside, needs)
    await keyPages(inside, needs)
    await keyRollPages(inside, needs)
    await endpointPages(inside, needs)
    await endpointEditPages(inside, needs)
    await endpointSecretPages(inside, needs)
    await deliveryListPages(inside, needs)
    await deliveryPages(inside, needs)
    await deliveryResendPages(inside, needs)
    await reportPages(inside, needs)
    await teamPages(inside, needs)
    await teamInvitePages(inside, needs)
    await teamPersonPages(inside, needs)
    await settingsPages(inside, needs)
    await brandPages(inside, needs)
    await auditLogPages(inside, needs)
    await accountPages(inside, needs)
    await secondStepPages(inside, needs)
    await secondStepChangePages(inside, needs)
  })
}
