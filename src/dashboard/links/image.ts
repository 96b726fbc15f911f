// `/painel/links/:id/imagem`: the image that payers see, in a form of its own, since it brings a file.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import { describeImageRefusal } from '../../http/uploads/image.ts'
import { LINK_IMAGE_MAX_BYTES, removeLinkImage, saveLinkImage } from '../../payment-links/image.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { linkImageUrl } from '../../payment-links/serialize.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'
import { linkPageTexts } from './texts.ts'

const UPLOAD = { upload: LINK_IMAGE_MAX_BYTES }
const EDIT_LINKS = requireRight('editLinks')
const EDIT_LINKS_UPLOAD = requireRight('editLinks', UPLOAD)
const words = linkPageTexts.image

export async function linkImagePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, checkoutUrl } = needs
  const show = createPageRenderer(needs)

  app.get<ById>('/links/:id/imagem', EDIT_LINKS, async (request, reply) => {
    const link = await findRequestedLink(db, request)
    if (link.status === 'archived') return reply.redirect(linkPagePath(link.id), 303)
    return showImage(request, reply, link)
  })

  app.post<ById>('/links/:id/imagem', EDIT_LINKS_UPLOAD, async (request, reply) => {
    const link = await findRequestedLink(db, request)
    const { image } = toRecord(request.body)
    if (!Buffer.isBuffer(image) || image.length === 0) {
      return showImage(request, reply, link, words.missing)
    }
    const saved = await saveLinkImage(db, link, image, needs.now())
    if (saved.kind === 'refused') {
      const message = describeImageRefusal(saved.reason, LINK_IMAGE_MAX_BYTES)
      return showImage(request, reply, link, message)
    }
    if (saved.link.imageHash !== link.imageHash) {
      await recordLinkAudit(needs, request, 'link_image_changed', link)
    }
    return reply.redirect(`${linkPagePath(link.id)}?feito=imagem-salva`, 303)
  })

  app.get<ById>('/links/:id/imagem/remover', EDIT_LINKS, async (request, reply) => {
    const { id, imageHash } = await findRequestedLink(db, request)
    const path = `${linkPagePath(id)}/imagem`
    if (!imageHash) return reply.redirect(path, 303)
    const { question, consequences, remove } = words
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.title, section: 'links', question, consequences, button: remove },
      ...{ action: `${path}/remover`, back: path },
    })
  })

  app.post<ById>('/links/:id/imagem/remover', EDIT_LINKS, async (request, reply) => {
    const link = await findRequestedLink(db, request)
    await removeLinkImage(db, link, needs.now())
    if (link.imageHash) await recordLinkAudit(needs, request, 'link_image_removed', link)
    return reply.redirect(`${linkPagePath(link.id)}?feito=imagem-removida`, 303)
  })

  async function showImage(
    request: FastifyRequest,
    reply: FastifyReply,
    link: LinkRow,
    message?: string,
  ) {
    const href = linkPagePath(link.id)
    return show(request, reply, 'dashboard/links/image', {
      ...{ title: words.title, section: 'links' },
      errors: message ? [{ field: 'image', message }] : [],
      link: { title: link.title, href },
      imageUrl: linkImageUrl(checkoutUrl, link),
      action: `${href}/imagem`,
    })
  }
}
