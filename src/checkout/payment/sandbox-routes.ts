// The sandbox's bank page, where the payer of a test card confirms the purchase (3-D Secure), and its acquirer's page,
// where the payer would type the card.
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { requireFound } from '../../database/found.ts'
import { formatBrl, formatParts } from '../../format.ts'
import { notFoundError } from '../../http/errors.ts'
import { buildContentPolicy } from '../../http/html.ts'
import { findLinkWithCompany } from '../../payment-links/payment-link.ts'
import { PAGE_SCENARIO } from '../../providers/sandbox/outcomes.ts'
import {
  answerChallenge,
  findChallengedCharge,
  parseSandboxReference,
} from '../../providers/sandbox/sandbox.ts'
import { checkPayment } from '../../transactions/check.ts'
import { findTransaction } from '../../transactions/transaction.ts'
import { resolveTexts } from '../language.ts'
import { sendCheckoutPage } from '../layout.ts'
import type { CheckoutNeeds } from '../needs.ts'
import { paymentPath } from '../paths.ts'
import type { CheckoutTexts } from '../texts/pt.ts'

type SandboxChargeRoute = { Params: { name: string }; Body: { answer?: unknown } }

export const CHALLENGE_PATH = '/sandbox/3ds'

export async function sandboxRoutes(app: FastifyInstance, needs: CheckoutNeeds) {
  const { db, mount } = needs

  app.addHook('onRequest', (_request, reply, done) => {
    // Shown in a frame of the payment's page, unlike our other pages.
    reply.header('content-security-policy', buildContentPolicy({ framed: true }))
    reply.removeHeader('x-frame-options')
    done()
  })

  app.get<SandboxChargeRoute>(`${CHALLENGE_PATH}/:name`, async (request, reply) => {
    const page = await loadChallengePage(needs, request.params.name, resolveTexts(request))
    return sendCheckoutPage(reply, 'checkout/payment/sandbox-challenge', page, { framed: true })
  })

  app.post<SandboxChargeRoute>(`${CHALLENGE_PATH}/:name`, async (request, reply) => {
    const { name } = request.params
    const { charge, row } = await requireChallenge(db, name)
    await answerChallenge(db, charge.reference, request.body?.answer === 'approve', needs.now())
    await checkPayment(needs, row)
    if (charge.scenario !== PAGE_SCENARIO)
      return reply.redirect(`${mount}${CHALLENGE_PATH}/${name}`, 303)
    const { link } = requireFound(await findLinkWithCompany(db, row.paymentLinkId))
    return reply.redirect(paymentPath(needs, link.slug, row.token), 303)
  })
}

/** The sandbox's bank, in a frame of the payment's page or alone, or its acquirer. */
export async function loadChallengePage(
  { db, asset, mount }: CheckoutNeeds,
  name: string,
  t: CheckoutTexts,
) {
  const { charge, row } = await requireChallenge(db, name)
  const found = requireFound(await findLinkWithCompany(db, row.paymentLinkId))
  return {
    ...{ asset, t },
    merchantName: found.company.name,
    amount: formatBrl(row.totalCents, t.locale),
    last4: row.cardLast4 ?? '',
    // At the acquirer's page; at the bank's a purchase is confirmed.
    installments: charge.scenario === PAGE_SCENARIO ? formatParts(row, t) : null,
    action: `${mount}${CHALLENGE_PATH}/${name}`,
    answered: charge.status !== 'challenge',
    continueUrl: paymentPath({ mount }, found.link.slug, row.token),
  }
}

async function requireChallenge(db: Database, name: string) {
  const charge = await findChallengedCharge(db, name)
  const row = charge && (await findTransaction(db, parseSandboxReference(charge.reference)))
  if (!charge || !row) throw notFoundError()
  return { charge, row }
}
