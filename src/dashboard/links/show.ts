// `/painel/links/:id`: one link, its QR code, and what can be done to it.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { drawQr } from '../../checkout/payment/qr.ts'
import { newId } from '../../database/id.ts'
import { AppError } from '../../http/errors.ts'
import {
  archivePaymentLink,
  changePaymentLink,
  duplicatePaymentLink,
} from '../../payment-links/changes.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { linkPath } from '../layout/paths.ts'
import { linkDetail } from './detail.ts'
import { type ById, findOwnLink, recordOnLink } from './find.ts'
import { pngOf, qrFileName } from './qr.ts'
import { linkPageTexts } from './texts.ts'

/** What is done at once, since the other undoes it. */
const SWITCHES = [
  { path: 'pausar', status: 'inactive', action: 'link_paused', done: 'link-pausado' },
  { path: 'reativar', status: 'active', action: 'link_resumed', done: 'link-reativado' },
] as const

export async function linkPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get<ById>('/links/:id', async (request, reply) => {
    const link = await findOwnLink(db, request)
    return show(
      request,
      reply,
      'links/detail',
      await linkDetail(needs, request.visitor.company, link),
    )
  })

  app.post<ById>('/links/:id/duplicar', async (request, reply) => {
    const source = await findOwnLink(db, request)
    const copy = await duplicatePaymentLink(db, source, {}, { id: newId(), now: needs.now() })
    await recordOnLink(needs, request, 'link_duplicated', copy)
    return reply.redirect(`${linkPath(copy.id)}?feito=link-duplicado`, 303)
  })

  for (const { path, status, action, done } of SWITCHES) {
    app.post<ById>(`/links/:id/${path}`, async (request, reply) => {
      const link = await findOwnLink(db, request)
      const { company } = request.visitor
      try {
        await changePaymentLink(needs.db, company, link, { status }, needs.now())
      } catch (error) {
        const errors = refusalOf(link, error, needs.now())
        const detail = await linkDetail(needs, company, link)
        return show(request, reply, 'links/detail', { ...detail, errors })
      }
      if (link.status !== status) await recordOnLink(needs, request, action, link)
      return reply.redirect(`${linkPath(link.id)}?feito=${done}`, 303)
    })
  }

  app.get<ById>('/links/:id/arquivar', async (request, reply) => {
    const { id, title } = await findOwnLink(db, request)
    const { titles, archive } = linkPageTexts
    return show(request, reply, 'confirm', {
      ...{ title: titles.archive, section: 'links', isDangerous: true },
      ...{ question: archive.question(title), consequences: archive.consequences },
      ...{ action: `${linkPath(id)}/arquivar`, button: archive.button, back: linkPath(id) },
    })
  })

  app.post<ById>('/links/:id/arquivar', async (request, reply) => {
    const link = await findOwnLink(db, request)
    await archivePaymentLink(db, link.id, needs.now())
    if (link.status !== 'archived') await recordOnLink(needs, request, 'link_archived', link)
    return reply.redirect(`${linkPath(link.id)}?feito=link-arquivado`, 303)
  })
}

export async function linkQrRoutes(app: FastifyInstance, { db, checkoutUrl }: DashboardNeeds) {
  app.get<ById>('/links/:id/qr.svg', async (request, reply) => {
    const link = await findOwnLink(db, request)
    return asFile(reply.type('image/svg+xml'), qrFileName(link, 'svg')).send(qrOf(link))
  })

  app.get<ById>('/links/:id/qr.png', async (request, reply) => {
    const link = await findOwnLink(db, request)
    const png = await pngOf(qrOf(link))
    return asFile(reply.type('image/png'), qrFileName(link, 'png')).send(png)
  })

  function qrOf({ slug }: LinkRow) {
    return drawQr(linkUrl(checkoutUrl, slug), linkPageTexts.share.qr)
  }
}

function asFile(reply: FastifyReply, name: string) {
  return reply.header('content-disposition', `attachment; filename="${name}"`)
}

/** The domain speaks to developers of fields; here it is said what to do on these pages. */
function refusalOf({ expiresAt }: LinkRow, error: unknown, now: Date): Problem[] {
  if (!(error instanceof AppError) || error.statusCode !== 409) throw error
  const { stillExpired, stillComplete } = linkPageTexts
  const expired = expiresAt !== null && expiresAt <= now.toISOString()
  const message = expired ? stillExpired : stillComplete
  return [{ field: 'actions', message: error.code === 'link_archived' ? error.message : message }]
}
