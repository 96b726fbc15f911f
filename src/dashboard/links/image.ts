// `/painel/links/:id/imagem`: the image that payers see, in a form of its own, since it has a file.
import type { FastifyInstance } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import { describeImageRefusal } from '../../http/image.ts'
import { LINK_IMAGE_MAX_BYTES, removeLinkImage, saveLinkImage } from '../../payment-links/image.ts'
import { linkImageUrl } from '../../payment-links/serialize.ts'
import { registerConfirmation, registerForm } from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { linkPagePath } from '../layout/paths.ts'
import { linkPageTexts } from './texts.ts'
import { findRequestedLink, recordLinkAudit } from './view.ts'

const words = linkPageTexts.image

export async function linkImagePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, checkoutUrl, show } = needs

  registerForm(app, '/links/:id/imagem', {
    right: 'editLinks',
    upload: LINK_IMAGE_MAX_BYTES,
    async load(request) {
      const link = await findRequestedLink(db, request)
      const isGone = link.status === 'archived' && request.method === 'GET'
      return isGone ? linkPagePath(link.id) : link
    },
    toForm: (): { image?: unknown } => ({}),
    readForm: ({ body }) => toRecord(body),
    async save(request, link, { image }) {
      if (!Buffer.isBuffer(image) || image.length === 0) return refuseImage(words.missing)
      if (link.status === 'archived') return refuseImage(linkPageTexts.archived)
      const saved = await saveLinkImage(db, link, image, needs.now())
      if (saved.kind === 'refused')
        return refuseImage(describeImageRefusal(saved.reason, LINK_IMAGE_MAX_BYTES))
      if (saved.link.imageHash !== link.imageHash)
        await recordLinkAudit(needs, request, 'link_image_changed', link)
      return { kind: 'saved' } as const
    },
    view: (request, reply, { errors }, link) =>
      show(request, reply, 'dashboard/links/image', {
        title: words.title,
        errors,
        link: { title: link.title, href: linkPagePath(link.id) },
        imageUrl: linkImageUrl(checkoutUrl, link),
        action: `${linkPagePath(link.id)}/imagem`,
      }),
    done: (_saved, { id }) => `${linkPagePath(id)}?feito=imagem-salva`,
  })

  registerConfirmation(app, '/links/:id/imagem/remover', show, {
    right: 'editLinks',
    async load(request) {
      const link = await findRequestedLink(db, request)
      return link.imageHash ? link : `${linkPagePath(link.id)}/imagem`
    },
    ask: ({ id }) => ({
      title: words.title,
      question: words.question,
      consequences: words.consequences,
      button: words.remove,
      back: `${linkPagePath(id)}/imagem`,
    }),
    async confirm(request, link) {
      await removeLinkImage(db, link, needs.now())
      await recordLinkAudit(needs, request, 'link_image_removed', link)
      return `${linkPagePath(link.id)}?feito=imagem-removida`
    },
  })
}

function refuseImage(message: string) {
  return { kind: 'invalid' as const, errors: [{ field: 'image', message }] }
}
