import { z } from 'zod'
import { invalidFieldsError, Problem } from '../http/errors.ts'
import { describeImageRefusal } from '../http/image.ts'
import { registerUploads } from '../http/uploads.ts'
import type { Routes } from '../http/zod.ts'
import { LinkParams } from './field-notes.ts'
import { LINK_IMAGE_MAX_BYTES, removeLinkImage, saveLinkImage } from './image.ts'
import { requirePaymentLink } from './payment-link.ts'
import { PaymentLink } from './schema.ts'
import { serializePaymentLink } from './serialize.ts'
import { linkTexts } from './texts.ts'

const tags = ['Payment links']
const params = LinkParams
const config = { resource: 'payment-links' } as const

const NewImage = z
  .strictObject(
    {
      image: z
        .custom<Buffer>((file) => Buffer.isBuffer(file) && file.length > 0, linkTexts.imageMissing)
        .meta({
          type: 'string',
          format: 'binary',
          description:
            'PNG, JPEG ou WebP, de até 5 MB e 4096 × 4096 pixels; de um PNG de 16 bits ou entrelaçado, a metade deles.',
        }),
    },
    // For a missing body; other errors have texts of their own.
    { error: ({ code }) => (code === 'invalid_type' ? linkTexts.imageMissing : undefined) },
  )
  .meta({ id: 'NewPaymentLinkImage' })

const PUT_IMAGE_SCHEMA = {
  summary: 'Pôr a imagem de um link de pagamento',
  description:
    'No lugar da que ele tem. Aparece na página de pagamento e nas prévias do link, com no máximo 1200 pixels de largura ou altura. 409 `link_archived` para um link arquivado; 400 `invalid_form` para um formulário que não chegou inteiro.',
  operationId: 'putPaymentLinkImage',
  tags,
  params,
  body: NewImage,
  response: { 200: PaymentLink, 409: Problem },
}

const DELETE_IMAGE_SCHEMA = {
  summary: 'Remover a imagem de um link de pagamento',
  description: 'Onde não há nenhuma, nada muda. 409 `link_archived` para um link arquivado.',
  operationId: 'deletePaymentLinkImage',
  tags,
  params,
  response: { 204: z.null(), 409: Problem },
}

/** A scope of its own: no other route of the API accepts a form with files. */
export const linkImageRoutes: Routes = async (app, { db, checkoutUrl, now }) => {
  await registerUploads(app)

  app.put(
    '/payment-links/:idOrSlug/image',
    { config: { ...config, upload: LINK_IMAGE_MAX_BYTES }, schema: PUT_IMAGE_SCHEMA },
    async ({ company: { id, testMode }, params: { idOrSlug }, body }) => {
      const at = now()
      const link = await requirePaymentLink(db, id, idOrSlug)
      const saved = await saveLinkImage(db, link, body.image, at)
      if (saved.kind === 'saved') {
        return serializePaymentLink(saved.link, { checkoutUrl, testMode, now: at })
      }
      const message = describeImageRefusal(saved.reason, LINK_IMAGE_MAX_BYTES)
      throw invalidFieldsError([{ field: 'image', code: saved.reason, message }])
    },
  )

  app.delete(
    '/payment-links/:idOrSlug/image',
    { config, schema: DELETE_IMAGE_SCHEMA },
    async ({ company, params: { idOrSlug } }, reply) => {
      await removeLinkImage(db, await requirePaymentLink(db, company.id, idOrSlug), now())
      return reply.code(204).send(null)
    },
  )
}
