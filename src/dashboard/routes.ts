// `/painel`: the dashboard for a company's people. Signing in, invitations and resets are outside the session guard;
// the other pages are behind it, one file for each.
import type { FastifyInstance } from 'fastify'
import { isUuid } from '../database/id.ts'
import { invitationPages } from './access/invitation.ts'
import { lostPasswordPages, newPasswordPages } from './access/password-reset.ts'
import { sessionRoutes } from './access/session.ts'
import { requireVisitor } from './access/session-guard.ts'
import { signInPages } from './access/sign-in.ts'
import { requireStepUp, stepUpPages } from './access/step-up.ts'
import { accountPages } from './account/account.ts'
import { twoFactorPages } from './account/two-factor.ts'
import { failedCallPages } from './api-keys/failed-calls.ts'
import { keyPages } from './api-keys/keys.ts'
import { auditLogPages } from './audit/audit-log.ts'
import { customerEditPages } from './customers/edit.ts'
import { customerListPages } from './customers/list.ts'
import { customerMergePages } from './customers/merge.ts'
import { customerPages } from './customers/show.ts'
import { homePages } from './home/home.ts'
import { serveErrorPages } from './layout/error-page.ts'
import type { DashboardNeeds } from './layout/needs.ts'
import { newPaymentsRoutes } from './layout/new-payments.ts'
import { linkImportPages } from './link-imports/pages.ts'
import { linkBulkRoutes } from './links/bulk.ts'
import { linkEditPages } from './links/edit.ts'
import { linkImagePages } from './links/image.ts'
import { linkListPages } from './links/list.ts'
import { linkPosterPages, linkSendPages } from './links/share.ts'
import { linkPages, linkQrRoutes, resumeCardsRoutes } from './links/show.ts'
import { providerAccountPages } from './receivables/account.ts'
import { providerChoicePages } from './receivables/choice.ts'
import { feePages } from './receivables/fees.ts'
import { receivablesPages } from './receivables/receivables.ts'
import { closingPages } from './reports/closing.ts'
import { reportPages } from './reports/reports.ts'
import { searchPages } from './search/search.ts'
import { brandPages } from './settings/brand.ts'
import { settingsPages } from './settings/settings.ts'
import { teamPages } from './team/list.ts'
import { teamPersonPages } from './team/person.ts'
import { acceptPages } from './transactions/accept.ts'
import { disputePages } from './transactions/disputes.ts'
import { evidencePages } from './transactions/evidence.ts'
import { transactionListPages } from './transactions/list.ts'
import { refundPages } from './transactions/refund.ts'
import { transactionPages } from './transactions/show.ts'
import { unmatchedPages } from './transactions/unmatched.ts'
import { deliveryListPages } from './webhooks/deliveries.ts'
import { deliveryPages } from './webhooks/delivery.ts'
import { endpointPages } from './webhooks/endpoint.ts'
import { endpointEditPages } from './webhooks/endpoint-edit.ts'

export async function dashboardRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.addHook<{ Params: { id?: string } }>('onRequest', async ({ params }, reply) => {
    // Forms need the referrer of our own site; other sites get none.
    reply.header('referrer-policy', 'same-origin')
    // Postgres ignores the case of an id, but comparisons here and texts do not.
    if (params.id && isUuid(params.id)) params.id = params.id.toLowerCase()
  })
  await signInPages(app, needs)
  await invitationPages(app, needs)
  await lostPasswordPages(app, needs)
  await newPasswordPages(app, needs)

  await app.register(async (inside) => {
    await requireVisitor(inside, needs)
    serveErrorPages(inside, needs)
    requireStepUp(inside, needs)
    await stepUpPages(inside, needs)
    await sessionRoutes(inside, needs)
    await homePages(inside, needs)
    await searchPages(inside, needs)
    await newPaymentsRoutes(inside, needs)
    await linkListPages(inside, needs)
    await linkBulkRoutes(inside, needs)
    await linkEditPages(inside, needs)
    await linkImagePages(inside, needs)
    await linkSendPages(inside, needs)
    await linkImportPages(inside, needs)
    await linkPages(inside, needs)
    await linkPosterPages(inside, needs)
    await resumeCardsRoutes(inside, needs)
    await linkQrRoutes(inside, needs)
    await transactionListPages(inside, needs)
    await disputePages(inside, needs)
    await unmatchedPages(inside, needs)
    await transactionPages(inside, needs)
    await evidencePages(inside, needs)
    await refundPages(inside, needs)
    await acceptPages(inside, needs)
    await customerListPages(inside, needs)
    await customerEditPages(inside, needs)
    await customerPages(inside, needs)
    await customerMergePages(inside, needs)
    await receivablesPages(inside, needs)
    await feePages(inside, needs)
    await providerAccountPages(inside, needs)
    await providerChoicePages(inside, needs)
    await keyPages(inside, needs)
    await endpointPages(inside, needs)
    await endpointEditPages(inside, needs)
    await deliveryListPages(inside, needs)
    await deliveryPages(inside, needs)
    await failedCallPages(inside, needs)
    await reportPages(inside, needs)
    await closingPages(inside, needs)
    await teamPages(inside, needs)
    await teamPersonPages(inside, needs)
    await settingsPages(inside, needs)
    await brandPages(inside, needs)
    await auditLogPages(inside, needs)
    await accountPages(inside, needs)
    await twoFactorPages(inside, needs)
  })
}
