import { z } from 'zod'
import type { Routes } from '../http/zod.ts'
import { LinkParams } from './field-notes.ts'
import { type LinkRouteNeeds, requirePaymentLink } from './payment-link.ts'
import { buildQrFileName, drawLinkQr, renderPng } from './qr.ts'

const config = { resource: 'payment-links' } as const

function describePicture(summary: string, operationId: string, picture: z.ZodType) {
  return {
    summary,
    description: 'Do `url` do link, preto no branco com a sua margem, para mostrar ou imprimir.',
    operationId,
    tags: ['Payment links'],
    params: LinkParams,
    response: { 200: picture },
  }
}

const SVG_SCHEMA = describePicture(
  'Desenhar o QR Code de um link de pagamento em SVG',
  'getPaymentLinkQrSvg',
  z.string().meta({ contentMediaType: 'image/svg+xml' }),
)

const PNG_SCHEMA = describePicture(
  'Desenhar o QR Code de um link de pagamento em PNG, com 1024 pixels de largura ou mais',
  'getPaymentLinkQrPng',
  z.string().meta({ contentMediaType: 'image/png', format: 'binary' }),
)

export const qrCodeRoutes: Routes<LinkRouteNeeds> = async (app, { db, checkoutUrl }) => {
  app.get(
    '/payment-links/:idOrSlug/qr.svg',
    { config, schema: SVG_SCHEMA },
    async ({ company, params }, reply) => {
      const link = await requirePaymentLink(db, company.id, params.idOrSlug)
      const name = buildQrFileName(link, 'svg')
      return reply
        .type('image/svg+xml')
        .header('content-disposition', `inline; filename="${name}"`)
        .send(drawLinkQr(link, checkoutUrl))
    },
  )

  app.get(
    '/payment-links/:idOrSlug/qr.png',
    { config, schema: PNG_SCHEMA },
    async ({ company, params }, reply) => {
      const link = await requirePaymentLink(db, company.id, params.idOrSlug)
      const name = buildQrFileName(link, 'png')
      return reply
        .type('image/png')
        .header('content-disposition', `inline; filename="${name}"`)
        .send(await renderPng(drawLinkQr(link, checkoutUrl)))
    },
  )
}
