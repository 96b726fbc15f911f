// `/painel/links/:id`: one link with its revenue and last payments, its QR code, and its actions.
import type { FastifyInstance } from 'fastify'
import { resumeCards } from '../../checkout/payment/card-pause.ts'
import { findCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import { AppError, conflictError } from '../../http/errors.ts'
import { PageQuery } from '../../http/pagination.ts'
import {
  archivePaymentLink,
  duplicatePaymentLink,
  getUnarchivedStatus,
  updatePaymentLink,
} from '../../payment-links/change/change.ts'
import { findPaymentLink, type LinkRow } from '../../payment-links/payment-link.ts'
import { QR_FORMATS, sendLinkQr } from '../../payment-links/qr.ts'
import { listRecipients } from '../../payment-links/sending/recipients.ts'
import { linkImageUrl } from '../../payment-links/serialize.ts'
import { loadLinkFunnel } from '../../reports/funnel.ts'
import { sumLinkRevenue } from '../../reports/revenue.ts'
import { loadLinkApprovalRate } from '../../reports/summary.ts'
import { listTransactions } from '../../transactions/list/list.ts'
import { type FormRequest, readFormId, registerConfirmation, registerPage } from '../layout/form.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { toListedPayment } from '../transactions/view.ts'
import { linkPageTexts } from './texts.ts'
import {
  buildShareLinks,
  findRequestedLink,
  recordLinkAudit,
  toFunnelView,
  toLinkDetails,
  toRecipientView,
} from './view.ts'

const READ = requireRight('read')
const EDIT_LINKS = requireRight('editLinks')

/** Actions without a confirmation, since each has its opposite. */
const LINK_SWITCHES = [
  { path: 'pausar', status: 'inactive', action: 'link_paused', done: 'link-pausado' },
  { path: 'reativar', status: 'active', action: 'link_resumed', done: 'link-reativado' },
] as const

export async function linkPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, show } = needs

  registerPage(app, needs, '/links/:id', ['read', 'dashboard/links/show'], loadLinkDetail)

  app.post<ById>('/links/:id/duplicar', EDIT_LINKS, async (request, reply) => {
    const source = await findRequestedLink(db, request)
    const made = { id: readFormId(request.body), now: needs.now() }
    const known = await findPaymentLink(db, request.visitor.company.id, made.id)
    if (known) return reply.redirect(`${linkPagePath(known.id)}?feito=link-ja-duplicado`, 303)
    const { company } = request.visitor
    const { link: copy, isNew } = await duplicatePaymentLink(db, company, source, made)
    if (isNew) await recordLinkAudit(needs, request, 'link_duplicated', copy)
    return reply.redirect(`${linkPagePath(copy.id)}?feito=link-duplicado`, 303)
  })

  for (const { path, status, action, done } of LINK_SWITCHES) {
    app.post<ById>(`/links/:id/${path}`, EDIT_LINKS, async (request, reply) => {
      const link = await findRequestedLink(db, request)
      const { company } = request.visitor
      try {
        // The link was archived while the page was open.
        if (link.status === 'archived' && status === 'inactive') {
          throw conflictError('link_archived', linkPageTexts.archived)
        }
        await updatePaymentLink(db, company, link, { status }, needs.now())
      } catch (error) {
        const errors = toSwitchErrors(link, error, needs.now())
        const detail = await loadLinkDetail(needs, request)
        return show(request, reply, 'dashboard/links/show', { ...detail, errors })
      }
      if (link.status !== status) await recordLinkAudit(needs, request, action, link)
      return reply.redirect(`${linkPagePath(link.id)}?feito=${done}`, 303)
    })
  }

  app.post<ById>('/links/:id/desarquivar', EDIT_LINKS, async (request, reply) => {
    const link = await findRequestedLink(db, request)
    if (link.status === 'archived') {
      const status = getUnarchivedStatus(link)
      await updatePaymentLink(db, request.visitor.company, link, { status }, needs.now())
      await recordLinkAudit(needs, request, 'link_unarchived', link)
    }
    return reply.redirect(`${linkPagePath(link.id)}?feito=link-desarquivado`, 303)
  })

  registerConfirmation(app, '/links/:id/arquivar', show, {
    right: 'editLinks',
    async load(request) {
      const link = await findRequestedLink(db, request)
      return link.status === 'archived' ? linkPagePath(link.id) : link
    },
    ask: ({ id, title }) => ({
      title: linkPageTexts.titles.archive,
      question: linkPageTexts.archive.question(title),
      consequences: linkPageTexts.archive.consequences,
      button: linkPageTexts.archive.button,
      back: linkPagePath(id),
    }),
    async confirm(request, link) {
      await archivePaymentLink(db, link.id, needs.now())
      await recordLinkAudit(needs, request, 'link_archived', link)
      return `${linkPagePath(link.id)}?feito=link-arquivado`
    },
  })
}

export async function linkQrRoutes(app: FastifyInstance, { db, checkoutUrl }: DashboardNeeds) {
  for (const format of QR_FORMATS) {
    app.get<ById>(`/links/:id/qr.${format}`, READ, async (request, reply) => {
      const link = await findRequestedLink(db, request)
      return sendLinkQr(reply, link, { checkoutUrl, format, disposition: 'attachment' })
    })
  }
}

/** The domain's texts are for developers; these tell people what to do on this page. */
function toSwitchErrors({ expiresAt }: LinkRow, error: unknown, now: Date): FormError[] {
  if (!(error instanceof AppError) || error.statusCode !== 409) throw error
  const { stillExpired, stillComplete } = linkPageTexts
  const expired = expiresAt !== null && expiresAt <= now.toISOString()
  const message = expired ? stillExpired : stillComplete
  return [{ field: 'actions', message: error.code === 'link_archived' ? error.message : message }]
}

const RESUME_CARDS = requireRight('resumeCards')

export async function resumeCardsRoutes(app: FastifyInstance, needs: DashboardNeeds) {
  app.post<ById>('/links/:id/liberar-cartoes', RESUME_CARDS, async (request, reply) => {
    const link = await findRequestedLink(needs.db, request)
    const { kind } = await resumeCards(needs.db, link, needs.now())
    if (kind === 'resumed') await recordLinkAudit(needs, request, 'cards_resumed', link)
    return reply.redirect(`${linkPagePath(link.id)}?feito=cartoes-liberados`, 303)
  })
}

const LAST_PAYMENTS = 5

export async function loadLinkDetail(needs: DashboardNeeds, request: FormRequest) {
  const { db, checkoutUrl } = needs
  const { company } = request.visitor
  const link = await findRequestedLink(db, request)
  const now = needs.now()
  const payments = { ...PageQuery.parse({}), limit: LAST_PAYMENTS, paymentLinkId: link.id }
  const [sum, approval, funnel, rows, customer, recipients] = await Promise.all([
    sumLinkRevenue(db, company.id, link.id),
    loadLinkApprovalRate(db, company.id, link.id),
    loadLinkFunnel(db, link.id, now),
    listTransactions(db, company.id, payments),
    link.linkedCustomerId ? findCustomer(db, company.id, link.linkedCustomerId) : undefined,
    listRecipients(db, link.id),
  ])
  return {
    title: link.title,
    link: toLinkDetails(link, now),
    /** The id of a copy, so that a form sent twice makes one. */
    copyId: newId(),
    imageUrl: linkImageUrl(checkoutUrl, link),
    cardsPausedUntil: findCardPause(link, now),
    customer,
    sum,
    approval,
    funnel: toFunnelView(funnel),
    payments: rows.slice(0, LAST_PAYMENTS).map(toListedPayment),
    recipients: recipients.map(toRecipientView),
    isMailing: needs.mail !== null,
    isTest: company.testMode,
    share: buildShareLinks(link, company, customer, checkoutUrl),
  }
}

function findCardPause({ cardsPausedUntil, methods }: LinkRow, now: Date) {
  const isPaused = cardsPausedUntil !== null && cardsPausedUntil > now.toISOString()
  return isPaused && methods.includes('credit_card') ? cardsPausedUntil : null
}
